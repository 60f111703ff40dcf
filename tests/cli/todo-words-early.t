#!/usr/bin/env bash
# A worker that reads its prompt line by line says the word before the last line was even typed: who has the
# token has read it, and is heard.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
cat >"$T/reads" <<'END'
# Its screen moves until the word is said: so long Enter waits, two seconds at most.
moves() { until [ -e "$T/$1.said" ]; do printf .; sleep 0.05; done; }
printf 'ready\n> '
while read -r line; do
	case $line in
	'**Task ID:** '*) task=${line##* } ;;
	*'`ralph done --turn '*)
		turn=${line#*--turn } turn=${turn%%\`*}
		moves "$task" &
		echo "$task" >"$task.txt"
		ralph done --turn "$turn" --summary "did $task" >>"$T/words" 2>&1
		echo "$task: $?" >>"$T/heard"
		: >"$T/$task.said"
		wait
		;;
	esac
done
END
export T
run timeout 120 "$RALPH" todo --inactivity-timeout 20 -- sh "$T/reads"
exit_is 0 "the whole list"
is "$(cat "$T/heard")" "T001: 0
T002: 0
T003: 0" "each word is heard the first time"
unlike "$(cat "$T/words")" 'not been given a task' "nobody is told that it has no task"
is "$(commits | xargs)" "T003: did T003 T002: did T002 T001: did T001" "each task has its commit"
is "$(marks | paste -sd,)" "x T001,x T002,x T003" "and is ticked"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 3 "each was said once"
no_leftovers "nothing goes on"
done_testing
