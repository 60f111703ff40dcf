#!/usr/bin/env bash
# An interrupted run of one list is not lost when another list is worked through: that has a name of its
# own, and each goes on by itself.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
printf -- '- [ ] T009: Nine\n' >other.md
worker <<'END'
case $TASK.$KIND in
T001.task) echo half >half.txt; once one && { : >"$LED/one"; sleep 60; }; ralph done --summary one ;;
T009.task) once nine && { : >"$LED/nine"; sleep 60; }; ralph done --summary nine ;;
esac
END
interrupt() {
	todo_bg --grace 1s ${2:+"$2"}
	wait_for 20 test -e "$led/$1"
	kill -INT "$bg"
	end_bg 20 "$bg"
	exit_is 130 "$1 is interrupted"
}
interrupt one
interrupt nine other.md
like "$err" "'$name' is an interrupted run of $PWD/ai/todo.md, and stays; this one is '$name-2'" "the other one has another name"
like "$out" "'ralph resume $name-2' goes on" "by which it goes on"
not_ok "nothing is archived" test -e "$RALPH_HOME/archive"
run "$RALPH" todo other.md --name "$name" -- "${lead[@]}"
exit_is 1 "a name that was given is not taken from it"
like "$err" "'$name' is an interrupted run of $PWD/ai/todo.md: 'ralph resume $name' goes on with it; --name gives this one another name" "with a sentence"
todo other.md
exit_is 0 "the other goes on"
like "$err" 'going on with the run that was interrupted' "as it began"
is "$(marks | xargs) $(cat other.md)" "T001 - [x] T009: Nine **DONE**" "and is done"
todo
exit_is 0 "so does the first"
is "$(git show --name-only --format=%s HEAD | xargs)" "T001: one half.txt" "with what it had begun"

# Begun anew by whoever says so.
list '- [ ] T002: Two'
rm "$led/one"; rmdir "$led/once.one"
worker <<'END'
case $TASK.$KIND in T002.task) once two && { : >"$LED/two"; sleep 60; }; ralph done ;; *.task) ralph done ;; esac
END
interrupt two
printf -- '- [ ] T010: Ten\n' >other.md
run "$RALPH" todo other.md --new-run --name "$name" -- "${lead[@]}"
exit_is 0 "--new-run takes the name"
ok "and the old run is in the archive" test -d "$RALPH_HOME/archive"
no_leftovers "nothing goes on"
done_testing
