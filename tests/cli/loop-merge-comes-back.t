#!/usr/bin/env bash
# A merge that somebody takes off the branch comes back with the next one, when that one's worktree was made on top of
# it: with the work, and with the ticket's status, which is no doing of the next agent.  Otherwise the run would say
# that all tickets are done, and the next one would do the ticket again.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1 priority=0
ticket pt-2
does pt-2 "git -C '$project' reset -q --hard HEAD~1; work; close_ticket; commit"
work_on
exit_is 0 "what a later merge brings back is done"
like "$out" "$sigil" "which is promised"
ok "its work is on the branch" has main out/pt-1
is "$(git show main:.tickets/pt-1.md | grep ^status)" "status: closed" "and so is its status"
unlike "$out$err" 'pt-1 by the agent of pt-2|how other tickets stand' "nobody is blamed for that"
work_on
exit_is 0 "nothing is left"
is "$(starts pt-1)" 1 "nothing is done again"

# What the next agent itself does to another ticket has no effect, whatever became of the branch.
ticket pt-3 priority=0
ticket pt-4 priority=1
ticket pt-5
does pt-4 "git -C '$project' reset -q --hard HEAD~1; sed -i 's/^status: .*/status: closed/' .tickets/pt-5.md; work; close_ticket; commit"
work_on
exit_is 0 "all are done"
is "$(starts pt-5)" 1 "the other one, too, by its own agent"
like "$out$err" 'pt-5 by the agent of pt-4' "it is named"
is "$(status_of pt-3) $(starts pt-3)" "closed 1" "what came back is done"

# Nor has a squash onto what landed meanwhile, made of the files as they were when the agent began.
ticket pt-6
ticket pt-7
does pt-7 'after landed; git reset -q --soft main; work; close_ticket; commit'
git add .tickets && git commit -qm tickets
work_on_bg --parallel 2
wait_for 60 has main out/pt-6
echo landed >>"$T/log"
end_bg 60 "$bg"
is "$status" 0 "both are done"
is "$(git show main:.tickets/pt-6.md | grep ^status)" "status: closed" "the one that landed first stays closed"
like "$(cat "$T/bg.$bg.err" "$T/bg.$bg.out")" 'pt-6 by the agent of pt-7' "it is named"
done_testing
