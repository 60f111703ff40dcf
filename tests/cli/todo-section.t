#!/usr/bin/env bash
# Which tasks count: those below "Claude Tasks", those of --section, or all of a file without
# either.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project
worker <<'END'
case $KIND in task) done_by_tag ;; esac
END

cat >ai/todo.md <<'END'
# Tasks
## Backlog
- [ ] T005: Five
- [ ] T004: Four
## Claude Tasks
- [ ] T002: Two
- [~] T001: Begun
- [x] T003: Three
END
todo --commit off
exit_is 0 "the usual section"
is "$(texts | grep task)" "task T001
task T002" "by number, with the one that was begun"
is "$(marks)" "  T005
  T004
x T002
x T001
x T003" "the others stay as they are"

: >"$led/log"
todo --commit off --section backlog
exit_is 0 "a section by its name, whatever its case"
is "$(texts | grep task)" "task T005
task T004" "as it stands in the file"
like "$(grep T005 ai/todo.md)" '^- \[x\] T005: Five \*\*DONE\*\*$' "marked as in a section of that kind"

: >"$led/log"
printf -- '- [ ] T007: Seven\n\n## Notes\n* [ ] T006 - Six @bob #tag\n' >plan.md
todo plan.md --commit off
exit_is 0 "a file without the section"
is "$(texts | grep task)" "task T007
task T006" "is done whole, in its order"
is "$(cat plan.md)" "- [x] T007: Seven **DONE**

## Notes
* [x] T006 - Six **DONE** @bob #tag" "its other bytes stay"

todo nowhere.md
exit_is 1 "no such file"
like "$err" "nowhere.md" "is said"
no_leftovers "nothing goes on"
done_testing
