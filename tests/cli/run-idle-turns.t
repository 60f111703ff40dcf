#!/usr/bin/env bash
# An interactive agent that fell silent: one that had finished its turn has done its iteration,
# one that stands at a dialog or in the middle of its work has not.
. "$(dirname "$0")/../cli/lib.sh"

# Behaves like Claude Code as far as its profile goes: writes its conversation, then waits.
mkdir bin
cat >bin/claude <<'SCRIPT'
#!/bin/sh
[ "$1" = --session-id ] || exit 98
stty -echo
printf 'Claude Code v2.1\n'
read -r prompt
dir=$HOME/.claude/projects/$(pwd -P | sed 's/[^a-zA-Z0-9]/-/g')
mkdir -p "$dir"
echo '{"type":"user","message":{"role":"user","content":"do it"}}' >"$dir/$2.jsonl"
cat "$3" >>"$dir/$2.jsonl"
echo 'Do you want to proceed?'
while read -r line; do [ "$line" = /exit ] && exit 0; done
SCRIPT
chmod +x bin/claude
assistant() { # STOP-REASON BLOCK...
	local stop=$1 IFS=,
	shift
	printf '{"type":"assistant","message":{"role":"assistant","content":[%s],"stop_reason":%s}}\n' "$*" "$stop"
}
text='{"type":"text","text":"I have done it."}'
tool='{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}'
result='{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}'

echo 'do it' >prompt
silence=$(patience 2)
# judged NAME CODE LAST-LINE, with the conversation on stdin
judged() {
	cat >"$1.said"
	run "${loop[@]}" "$1" --max-iterations 2 --inactivity-timeout "$silence" -- "$PWD/bin/claude" "$PWD/$1.said"
	exit_is "$2" "$1: exit code $2"
	is "${out##*$'\n'}" "[ralph] $1: $3" "$1: the last line"
	is "$(field "$1" .total_failures)" 0 "$1: to the loop as it runs it is no failure"
}

judged finished 0 "2 iterations done" < <(
	assistant '"tool_use"' "$tool"
	echo "$result"
	assistant '"end_turn"' "$text"
)
judged untold 0 "2 iterations done" < <(assistant null "$text")
judged dialog 11 "2 of 2 iterations failed" < <(assistant '"tool_use"' "$text" "$tool")
judged thinking 11 "2 of 2 iterations failed" < <(
	assistant '"tool_use"' "$text"
	assistant '"tool_use"' "$tool"
	echo "$result"
)
judged error 11 "2 of 2 iterations failed" < <(
	printf '{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","content":[%s]}}\n' "$text"
)
judged mute 11 "2 of 2 iterations failed" </dev/null
no_leftovers "nothing goes on"
done_testing
