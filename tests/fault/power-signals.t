#!/usr/bin/env bash
# What an agent said is known after a power cut, also when no supervisor was there to write it
# down; what it reported of its progress, with the next thing that follows from something.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/power.sh"

echo work >prompt

# unheard NAME TITLE DEED...: the deed keeps the supervisor from writing down what the agent says
# next, which is that it is done; then the supervisor goes, the agent, and the power.
unheard() {
	local name=$1 title=$2 supervisor keeper session
	shift 2
	rm -f go leave
	run_bg "$RALPH" run --name "$name" --pty --prompt-file prompt --done-pattern 'ALL DONE' --max-iterations 3 -- \
		"$AGENT" -e 'wait-file go; println ALL DONE; wait-file leave'
	wait_for 20 field_is "$name" '.sessions[0].pid != null' true
	supervisor=$(supervisor_of "$name") keeper=$(keeper_of "$name")
	session=$(echo "$RALPH_HOME/loops/$name"/sessions/*-1)
	"$@" "$supervisor" 2>/dev/null
	touch go
	wait_for 20 said "$session/signals.jsonl" '"done"'
	crash "$supervisor" 2>/dev/null
	touch leave
	wait_for 20 gone "$keeper"
	# That it ended happens to be on disk already, and no more than that.
	sync "$session/exit.json"
	power_cut "$supervisor"
	run "$RALPH" resume --foreground "$name"
	exit_is 0 "$title: the loop ends well"
	is "$(jq -r '.facts[] | select(.fact == "started") | .iteration' "$RALPH_HOME/loops/$name/journal.jsonl")" 1 \
		"$title: without another iteration"
}
unheard alone 'nobody listens' crash
unheard deaf 'the supervisor hangs, then dies' kill -STOP

# Told at once, and on disk before anything is done that comes after it.
. "$root/tests/cli/todo.sh"
cd "$disk" || exit 1
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $TASK.$KIND in
T001.task) tag PROGRESS:10; ralph progress 20; ralph progress 30; done_by_tag ;;
esac
END
run_bg "$RALPH" todo --json --commit off -- "${lead[@]}"
wait_for 20 said "$T/bg.$bg.out" '"assigned".*"T002"'
told=$(grep -n '"assigned"' "$T/bg.$bg.out" | cut -d : -f 1)
cd "$T" || exit 1
power_cut "$bg"
kept=$(jq -c '.facts[]' "$RALPH_HOME/loops/$name/journal.jsonl" | head -n "$told")
is "$(grep -c . <<<"$kept")" "$told" "all facts that were told up to the next task are on disk"
is "$(jq -r 'select(.signal == "progress") | .text' <<<"$kept" | sort -n | xargs)" "10 20 30" "reports of progress, too"
no_leftovers "nothing goes on"
done_testing
