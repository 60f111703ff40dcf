#!/usr/bin/env bash
# Weakness 2: output was told by its length, so that after a clear DONE was on the screen and nothing
# was read.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T001.task) i=0; while [ $((i += 1)) -le 300 ]; do echo "line $i"; done; done_by_tag ;;
T002.task) printf '\033[2J\033[3J\033[H'; file; printf '<promise>DONE</promise>\n' ;;
T003.task) file; printf '\033[?1049h\033[H<promise>DONE</promise>\r\n'; sleep 0.3; printf '\033[?1049l' ;;
esac
END
todo --commit off
exit_is 0 "after a long screen and a clear, and on the alternate screen"
is "$(texts | xargs)" "task T001 clear T001 task T002 clear T002 task T003" "nobody was asked twice"
is "$(marks | xargs)" "x T001 x T002 x T003" "all are done"
no_leftovers "nothing goes on"
done_testing
