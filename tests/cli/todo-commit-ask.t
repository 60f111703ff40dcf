#!/usr/bin/env bash
# --commit ask shows message and diffstat, and waits for y or n; what is refused stays uncommitted.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in task) echo "$TASK" >"$TASK.txt" && ralph done --summary "write $TASK" ;; esac
END
screen() { tmux capture-pane -p -J -S - 2>/dev/null; }
shows() { screen | grep -qF -- "$1"; }
tmux -f /dev/null new-session -d -x 150 -y 50 "bash --norc"
tmux send-keys "$(printf '%q ' "$RALPH" todo --commit ask -- "${lead[@]}"); echo \$? >$T/code" Enter
wait_for 30 shows 'Commit this for T001? [y/n]'
ok "the message is shown" shows 'T001: write T001'
ok "and the diffstat" shows 'T001.txt | 1 +'
is "$(commits)" "" "nothing is committed yet"
tmux send-keys perhaps Enter
wait_for 20 shows 'y or n?' && pass "something else is asked about"
tmux send-keys y Enter
wait_for 30 shows 'Commit this for T002? [y/n]'
is "$(commits)" "T001: write T001" "yes"
tmux send-keys n Enter
wait_for 30 test -s "$T/code"
is "$(cat "$T/code")" 0 "the end"
tmux kill-server
is "$(commits)" "T001: write T001" "no"
is "$(git status --porcelain)" "?? T002.txt" "the change stays"
is "$(marks | xargs)" "x T001 x T002" "both are marked"
like "$(cat ai/ralph/activity.md)" 'nobody agreed to a commit' "and it is logged"
list '- [ ] T003: Three'
todo --commit ask
exit_is 0 "where nobody can be asked"
is "$(commits)" "T001: write T001" "nothing is committed"
no_leftovers "nothing goes on"
done_testing
