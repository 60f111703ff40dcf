#!/usr/bin/env bash
# Whatever the user's tmux.conf says, the windows are what they should be.
. "$(dirname "$0")/../cli/seed.sh"

cat >~/.tmux.conf <<'CONF'
set -g base-index 1
set -g pane-base-index 1
set -g renumber-windows on
set -g remain-on-exit on
set -g default-command 'sleep 600'
set -g default-shell /bin/false
set -g status off
set -g automatic-rename on
set -g allow-rename on
set -g destroy-unattached on
set -g exit-unattached on
set -g detach-on-destroy off
set -g mouse on
set -g prefix C-a
set -g set-titles on
CONF
# shellcheck disable=SC2028 # the agent expands it
echo 'count starts; printf \e]2;a title\a\ekanother name\e\\; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
wait_for 20 agents 1
swarm spawn --name 1 --tmux -- sleep 600 >said
swarm spawn --name age --tmux -- sleep 600 >said
wait_for 20 windows_are "swarm:1 swarm:age swarm:agent" && pass "every worker has its window, under its name, and there is no other"
swarm kill 1 >said
is "$(windows)" "swarm:age swarm:agent" "a name that is an index is a name"
swarm kill age >said
is "$(windows)" "swarm:agent" "and one that another begins with is another"
next_agent
wait_for 20 agents 2
is "$(windows)" "swarm:agent" "the window stays across iterations"
next_agent
end_bg 20 "$bg"
exit_is 0 "the loop goes through"
wait_for 20 windows_are "" && pass "no dead window stays"
no_leftovers "nothing goes on"
done_testing
