#!/usr/bin/env bash
# Hooks run as a person agreed to them: what an agent writes there has no effect until then.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
export marker=$T/marker trusted=$T/trusted
project '- [ ] T001: Plant' '- [ ] T002: After'
cat >.git/hooks/commit-msg <<'END'
#!/bin/sh
echo commit-msg >>"$trusted"
END
chmod +x .git/hooks/commit-msg
worker <<'END'
case $TASK.$KIND in
T001.task)
	for hook in pre-commit commit-msg post-commit prepare-commit-msg; do
		printf '#!/bin/sh\necho %s >>"%s"\n' $hook "$marker" >.git/hooks/$hook
		chmod +x .git/hooks/$hook
	done
	echo 1 >one; ralph done --summary one ;;
T002.task) echo 2 >two; ralph done --summary two ;;
T003.task) echo 3 >three; ralph done --summary three ;;
T004.task) git config core.hooksPath hooks; echo 4 >four; ralph done --summary four ;;
T005.task) echo 5 >five; ralph done --summary five ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 0 "the tasks are done"
is "$(commits)" $'T002: two\nT001: one' "and committed"
not_ok "none of the agent's hooks has run" test -e "$marker"
is "$(cat "$trusted")" $'commit-msg\ncommit-msg' "the one that was there before has, as it was"
is "$(grep -c 'without effect until' "$T/alerts")" 1 "the change is said once"
like "$(cat "$T/alerts")" 'hook commit-msg, hook post-commit, hook pre-commit' "by name"

list '- [ ] T003: Later'
todo
exit_is 0 "a later run"
not_ok "does not run them, either" test -e "$marker"
like "$err" 'not trusted since an agent changed it.*hook pre-commit' "and says why"
is "$(commits | head -1)" "T003: three" "it commits all the same"

run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
mkdir hooks && printf '#!/bin/sh\necho elsewhere >>%s\n' "$marker.2" >hooks/pre-commit && chmod +x hooks/pre-commit
list '- [ ] T004: Elsewhere'
todo
is "$(sort "$marker")" $'commit-msg\npost-commit\npre-commit\nprepare-commit-msg' "then they run"
not_ok "another directory that an agent chose does not count" test -e "$marker.2"

# What a person changes between two loops needs no word.
git config --unset core.hooksPath
printf '#!/bin/sh\necho mine >>%s\n' "$marker.3" >.git/hooks/pre-commit
list '- [ ] T005: Mine'
todo
is "$(cat "$marker.3")" mine "a hook that a person changes while no loop runs counts at once"
no_leftovers "nothing goes on"
done_testing
