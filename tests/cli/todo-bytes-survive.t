#!/usr/bin/env bash
# Only the bytes of a mark and a suffix change: line ends, a byte order mark, every suffix and
# odd bytes survive, also what others write meanwhile.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project
printf '\xef\xbb\xbf# Tasks\r\n\r\n## Claude Tasks\r\n- [ ] T001: One **WIP** @ada #x (owner: y) [checkpoint: abc]\r\n\t* [~] T002 \xe2\x80\x94 Two\xff @@bob\r\n+ [ ] **T003**: No newline at the end' >ai/todo.md
worker <<'END'
case $TASK.$KIND in
T001.task) ralph done ;;
T002.task)
	printf -- '\n- [ ] T004: Added meanwhile' >>ai/todo.md
	sed -i 's/## Claude Tasks/&\r\n- [ ] T005: On top/' ai/todo.md
	ralph done
	;;
*.task) ralph done ;;
esac
END
todo
exit_is 0 "all of it, with what came in between"
sed -E 's/\(completed: [0-9 :-]+\)/(completed: NOW)/' ai/todo.md >got
printf '\xef\xbb\xbf# Tasks\r\n\r\n## Claude Tasks\r\n- [x] T005: On top (completed: NOW)\r\n- [x] T001: One @ada #x (owner: y) [checkpoint: abc] (completed: NOW)\r\n\t* [x] T002 \xe2\x80\x94 Two\xff @@bob (completed: NOW)\r\n+ [x] **T003**: No newline at the end (completed: NOW)\n- [x] T004: Added meanwhile (completed: NOW)' >want
ok "byte for byte" cmp want got
is "$(texts | grep task | xargs)" "task T001 task T002 task T003 task T004 task T005" "what was added is done, too"
no_leftovers "nothing goes on"
done_testing
