#!/usr/bin/env bash
# What an attempt that came to nothing left in the work tree belongs to the task, also for a later run:
# it is in the commit in the end.  What the user, or another task, did in between is not.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
seq 20 >numbers && git add numbers && git commit -qm numbers
echo before >>README.md
worker <<'END'
case $TASK.$KIND in
T001.task) echo half >half.txt; sed -i '5s/.*/five/' numbers ;;
T002.task) echo two >two.txt ;;
esac
kill -9 $PPID
END
todo
exit_is 1 "a run that ends by failures"
is "$(git status --porcelain | xargs)" "M README.md M numbers ?? half.txt ?? two.txt" "loses nothing"
# The user goes on, in the same files, too.
echo mine >mine.txt
sed -i '15s/.*/mine/' numbers
worker <<'END'
case $TASK.$KIND in
T001.task) echo rest >rest.txt; ralph done --summary one ;;
T002.task) ralph done --summary two ;;
esac
END
todo
exit_is 0 "another run"
is "$(git show --format=%s --name-only HEAD~1 | xargs)" "T001: one half.txt numbers rest.txt" "commits what was begun with what was added"
is "$(git show HEAD~1:numbers | sed -n '5p;15p' | xargs)" "five 15" "of a file the task's part"
is "$(git show --format=%s --name-only HEAD | xargs)" "T002: two two.txt" "each task its own, though nothing was added"
is "$(git status --porcelain | xargs)" "M README.md M numbers ?? mine.txt" "and nothing of the user's"
is "$(git for-each-ref refs/ralph)$(find "$RALPH_HOME/turns" -type f)" "" "afterwards nothing is kept"

# Blocked, then taken up again; others work meanwhile.
list '- [ ] T003: Three' '- [ ] T004: Four' '- [ ] T005: Five' '- [ ] T006: Six'
worker <<'END'
echo $TASK >$TASK.txt
case $TASK.$KIND in
T004.task) ralph done --summary four ;;
*.task) ralph blocked so ;;
esac
END
todo
exit_is 11 "some are blocked"
is "$(git show --format=%s --name-only HEAD | xargs)" "T004: four T004.txt" "who is done has its own"
rm T005.txt
list '- [ ] T003: Three' '- [x] T004: Four' '- [ ] T005: Five' '- [ ] T006: Something else'
worker <<'END'
echo more >$TASK.more
ralph done --summary more
END
todo
exit_is 0 "when they are not any more"
is "$(git log -3 --format=%s --name-only --reverse | xargs)" \
	"T003: more T003.more T003.txt T005: more T005.more T006: more T006.more" "what is still there is committed"
like "$err" 'T006: what an earlier attempt left in the work tree counts as yours' "what was left by another task of that name is not, and it is said"
is "$(git status --porcelain T006.txt)" "?? T006.txt" "but stays"
no_leftovers "nothing goes on"
done_testing
