#!/usr/bin/env bash
# ralph logs, peek and export after a run in which one agent had several tasks: its recording is all of theirs.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Say hello' '- [ ] T002: Say bye'
worker <<'END'
case $TASK.$KIND in
T*.task) echo "these are the words of $TASK" >>README.md; printf '\nthese are the words of %s\n' "$TASK"; done_by_tag ;;
esac
END

todo
exit_is 0 "all of it"
is "$(facts 'select(.fact == "assigned") | .task' 2>/dev/null | wc -l)" 1 "by one agent"
run "$RALPH" logs "$name"
exit_is 0 "logs finds what the last agent wrote"
like "$out" 'these are the words of T001.*these are the words of T002' "for both of its tasks"
all=$out
for n in 1 2; do
	run "$RALPH" logs -i "$n" "$name"
	is "$out" "$all" "iteration $n leads there, too"
done
run "$RALPH" logs -i 3 "$name"
exit_is 1 "an iteration that was not"
like "$err" "no recording of iteration 3 of '$name'" "is told by its number"
run "$RALPH" peek "$name"
exit_is 0 "peek finds it"
like "$out" 'these are the words of T002' "and shows its end"
ok "export finds it" "$RALPH" export -o "$T/cast" "$name"

# Runs that had nothing to do hide no task.
for n in 2 3; do
	todo
	run "$RALPH" logs T001
	exit_is 0 "logs finds a task of an earlier run"
	like "$out" 'these are the words of T001' "with its words"
	is "$err" "ralph: T001 is a task of $name@$n, an earlier run" "and says which"
done
run "$RALPH" logs --list T002
like "$out" 'T001.*T002' "its iterations are listed"
run "$RALPH" logs T003
like "$status $err" "^1 ralph: error: no loop named 'T003'" "one that never was is not found"
no_leftovers "nothing goes on"
done_testing
