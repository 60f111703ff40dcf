#!/usr/bin/env bash
# swarm respawn: the same worker once more; when that fails, nothing is lost (W18).
. "$(dirname "$0")/../cli/lib.sh"

mkdir place
run "$SWARM" spawn --name job --tag ci --env WORD=hello --cwd place -- "$AGENT" -e 'env WORD word; count starts; hang'
wait_for 20 test -s place/starts
first=$(sed 's/.*pid: //; s/)//' <<<"$out")
rm place/word
run "$SWARM" respawn job
exit_is 0 "a running worker is respawned"
like "$out" '^respawned job \(pid: [0-9]+\)$' "it says so"
second=$(sed 's/.*pid: //; s/)//' <<<"$out")
ok "the old one is gone" gone "$first"
not_ok "the new one runs" gone "$second"
wait_for 20 said place/starts . 2
is "$(cat place/word)" hello "with the same environment and directory"
is "$(jq -r '.workers[] | [.name, .status, .pid, (.tags | join(","))] | join(" ")' "$RALPH_HOME/state.json")" \
	"job running $second ci" "and tags"

# W18: whatever goes wrong, the worker is still there.
cp "$AGENT" here
"$SWARM" spawn --name own -- "$PWD/here" -e 'hang' >said
mv here there
run "$SWARM" respawn own
exit_is 1 "a command that is gone cannot be respawned"
is "$err" "swarm: error: cannot run $PWD/here: No such file or directory" "it says so"
run "$SWARM" status own
exit_is 0 "and the worker still runs"
mv there here
run "$SWARM" respawn own
exit_is 0 "once it is back, it can"
"$SWARM" kill own >said
printf '#!/nonexistent/interpreter\n' >here.new && chmod +x here.new && mv here.new here
run "$SWARM" respawn own
exit_is 1 "what fails only when it is started"
like "$out$err" "^swarm: error: own: cannot start the agent: $PWD/here: [^
]*\$" "is told in one sentence"
run "$SWARM" status own
exit_is 1 "leaves the worker as it was: stopped"
is "$("$SWARM" ls --format names | sort | xargs)" "job own" "but not lost"
cp "$AGENT" here.new && mv here.new here
run "$SWARM" respawn own
exit_is 0 "so that it can be tried again"

run "$SWARM" respawn nobody
exit_is 1 "nobody cannot be respawned"
is "$err" "swarm: error: worker 'nobody' not found" "and is not found"

# In tmux, and as a loop.
echo 'do it' >PROMPT.md
"$SWARM" spawn --name loop --session mine --ralph --prompt-file PROMPT.md --max-iterations 2 -- "$AGENT" -e 'println x' >said
run "$SWARM" respawn loop
is "$out" "respawned loop (tmux: mine:loop) [ralph mode: iteration 1/2]" "a loop begins anew, in the same session"
run "$SWARM" wait loop
is "$(jq -r '"\(.status) \(.current_iteration)"' "$RALPH_HOME/ralph/loop/state.json")" "stopped 2" "and goes its way"
"$SWARM" kill --all >said
no_leftovers "nothing goes on"
done_testing
