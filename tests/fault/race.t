#!/usr/bin/env bash
# Many at once want the same loop: one gets it, the others are told.
. "$(dirname "$0")/lib.sh"
plan 10
echo work >prompt
starts() { grep -c . "$T/agents"; }

# together N COMMAND...: N at once, all of them waiting for the same file.
together() {
	local n=$1 i
	shift
	rm -f "$T/now"
	pids=()
	for ((i = 0; i < n; i++)); do
		# shellcheck disable=SC2016 # for the other shell
		run_bg bash -c 'until [[ -e $T/now ]]; do :; done; exec "$@"' bash "$@"
		pids+=("$bg")
	done
	touch "$T/now"
}

ended_are() {
	local pid n=0
	for pid in "${pids[@]}"; do
		kill -0 "$pid" 2>/dev/null || n=$((n + 1))
	done
	[[ $n -eq $1 ]]
}

together 20 "$RALPH" run --name x --prompt-file prompt --max-iterations 1 -- \
	"$AGENT" -e "count $T/agents; wait-file $T/go; exit 0"
wait_for 60 ended_are 19
touch "$T/go"
won=0 lost=0
for pid in "${pids[@]}"; do
	end_bg 20 "$pid"
	if [[ $status -eq 0 ]]; then
		won=$((won + 1))
	elif [[ $status -eq 1 && $err =~ ^"ralph: error: loop 'x' is already running (pid "[0-9]+"); choose another --name, or see: ralph status x"$ ]]; then
		lost=$((lost + 1))
	else
		diag "exit status $status: $err"
	fi
done
is "$won" 1 "of 20 that run the same loop at once, one gets it"
is "$lost" 19 "the others are told"
is "$(starts)" 1 "there was one agent"
ok "and the loop was not started over" test ! -e "$RALPH_HOME/archive"

rm -f "$T/agents" "$T/go"
run_bg "$RALPH" run --name y --prompt-file prompt --max-iterations 2 -- \
	"$AGENT" -e "count $T/agents; wait-file $T/go; exit 0"
wait_for 20 said "$T/agents" '^1 '
crash "$bg"
together 8 "$RALPH" resume --foreground y
wait_for 60 ended_are 7
touch "$T/go"
unclear=0
for pid in "${pids[@]}"; do
	end_bg 20 "$pid"
	[[ $status -eq 0 || ($status -eq 1 && $err == *'is already running'*) ]] || {
		unclear=$((unclear + 1))
		diag "exit status $status: $err"
	}
done
is "$unclear" 0 "8 resumes of a crashed loop at once: all say what they did"
is "$(jq -r '.facts[].fact' "$RALPH_HOME/loops/y/journal.jsonl" | grep -c supervised)" 2 "one of them supervises"
is "$(starts)" 2 "each iteration has one agent"
is "$(jq -r '.facts[].fact' "$RALPH_HOME/loops/y/journal.jsonl" | grep -c finished)" 1 "it ends once"

together 8 "$RALPH" stop y
for pid in "${pids[@]}"; do end_bg 20 "$pid"; done
run "$RALPH" status y
exit_is 0 "8 stops at once leave it readable"
no_leftovers "nothing goes on"
