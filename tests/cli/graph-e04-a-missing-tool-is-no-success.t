#!/usr/bin/env bash
# E4: a prompt command whose tools are missing ended the loop with "No tasks available", exit code 0.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1
printf "#!/bin/sh\nexec ./tool graph prompt\n" >next
sed -i "2iRALPH_TASK=T-1 export RALPH_TASK" agent
chmod +x next
run_bg "$RALPH" run --name x --prompt-command ./next --delay 0 -- ./agent
wait_for 20 said "$T/bg.$bg.out" 'error: the prompt command ended with 127: .*tool: not found; asking again in'
ok "it is asked again" kill -0 "$bg"
ln -s "$RALPH" tool
RALPH_TASK=T-1 end_bg 30 "$bg"
exit_is 0 "once they are there it goes on"
like "$out" 'iteration 1: T-1 ended' "with the work"
no_leftovers "nothing goes on"
done_testing
