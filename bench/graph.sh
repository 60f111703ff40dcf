# graph.sh - a loop over what a command prints, against a shell script that does the same (see run).
# shellcheck shell=sh
# shellcheck disable=SC2154 # run sets ralph, bench and place
#
# Both run the same prompt command and the same agent, which do next to nothing and are linked
# statically.  What those two cost by themselves, started by a program that cares for nothing, is taken
# off both: the rest is what the loop costs.  The script does what such scripts do: heartbeat, prompt to
# a file, task id, two log lines by jq, the agent, its duration.

GRAPH_TURNS=200
GRAPH_ROUNDS=3

graph_script() {
	cat >"$place/by-hand" <<-'END'
		#!/bin/bash
		# by-hand AGENT COUNTER N LOGS
		now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
		mkdir -p "$4"
		i=0
		while :; do
			i=$((i + 1))
			now >"$4/ralph.heartbeat"
			prompt=$(mktemp) errors=$(mktemp)
			"$1" next "$2" "$3" >"$prompt" 2>"$errors"
			status=$?
			if [ $status -ne 0 ]; then
				grep -qi 'all tasks complete' "$errors" && break
				continue
			fi
			id=$(grep -m 1 '^Your task: ' "$prompt" | sed 's/^Your task: \([^ ]*\).*/\1/')
			log=$4
			began=$(date +%s)
			jq -cn --arg t "$(now)" --argjson i $i --arg id "$id" \
				'{timestamp: $t, iteration: $i, task_id: $id, action: "started"}' >>"$log/ralph.jsonl"
			"$1" take <"$prompt" 2>"$errors"
			status=$?
			took=$(($(date +%s) - began))
			jq -cn --arg t "$(now)" --argjson i $i --arg id "$id" --argjson d $took --argjson e $status \
				'{timestamp: $t, iteration: $i, task_id: $id, action: "completed", duration_seconds: $d,
				exit_code: $e, outcome: "done"}' >>"$log/ralph.jsonl"
			rm -f "$prompt" "$errors"
		done
		rm -f "$prompt" "$errors"
	END
	chmod +x "$place/by-hand"
}

# cpu_of COMMAND...: prints the CPU that it and all it starts take, in ms.
cpu_of() {
	# shellcheck disable=SC2016 # for bash
	bash -c 'TIMEFORMAT="%U %S"; out=$1; shift; { time "$@" >"$out" 2>&1; } 2>&1' - "$place/log" "$@" |
		awk '{printf("%.3f\n", ($1 + $2) * 1000)}'
}

graph_smallest() {
	sort -n | head -n 1
}

graph_loops() {
	graph_script
	: >"$place/ours"
	: >"$place/theirs"
	: >"$place/stubs"
	for _ in $(seq "$GRAPH_ROUNDS"); do
		rm -rf "$place/count" "$place/logs"
		cpu_of "$place/by-hand" "$bench/agent" "$place/count" "$GRAPH_TURNS" "$place/logs" >>"$place/theirs"
		rm -f "$place/count"
		cpu_of "$ralph" run --quiet --delay 0 --name graph --prompt-command \
			"$bench/agent next $place/count $GRAPH_TURNS" -- "$bench/agent" take >>"$place/ours"
		rm -f "$place/count"
		{
			cpu_of "$bench/floor_spawn" "$GRAPH_TURNS" "$bench/agent" next "$place/count" "$GRAPH_TURNS"
			cpu_of "$bench/floor_spawn" "$GRAPH_TURNS" "$bench/agent" take
		} | awk '{sum += $1} END {print sum}' >>"$place/stubs"
	done
	stubs=$(graph_smallest <"$place/stubs")
	ours=$(graph_smallest <"$place/ours" | awk -v s="$stubs" -v n="$GRAPH_TURNS" '{print ($1 - s) / n}')
	theirs=$(graph_smallest <"$place/theirs" | awk -v s="$stubs" -v n="$GRAPH_TURNS" '{print ($1 - s) / n}')
	section "$GRAPH_TURNS tasks of a prompt command, stub agent"
	row 'CPU of a turn, shell with jq; floor: ralph' "$theirs" ms "$ours" 'ratio-least 10'
}
