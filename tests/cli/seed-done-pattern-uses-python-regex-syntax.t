#!/usr/bin/env bash
# Edge case: --done-pattern uses Python regex syntax.
. "$(dirname "$0")/../cli/seed.sh"

# matches NAME PATTERN TEXT: the loop is done in its first of two iterations
matches() {
	run swarm spawn --name "$1" --ralph --prompt-file ./PROMPT.md --max-iterations 2 --done-pattern "$2" -- "$AGENT" -e "println $3"
	is "$(state_of "$1" '"\(.status) \(.current_iteration)"')" "stopped 1" "$2"
}
matches named '(?P<n>\d+)/(?P=n) tasks' '7/8 then 8/8 tasks'
matches flags '(?i)all TASKS complete' 'All tasks complete'
matches class '^\s*\w+:\s+\d{3}%$' 'plan: 100%'
matches ahead 'tasks(?! remaining)' 'no tasks'
matches behind '(?<=STATUS: )DONE\Z' 'STATUS: DONE'
matches lazy '<promise>(.+?)</promise>' '<promise>COMPLETE</promise>'
run swarm spawn --name bad --ralph --prompt-file ./PROMPT.md --max-iterations 2 --done-pattern '(open' -- "$AGENT" -e 'println x'
is "$status $err" "2 swarm: error: --done-pattern: missing ), unterminated subpattern at position 0" "what Python refuses is refused in Python's words"
no_leftovers "nothing goes on"
done_testing
