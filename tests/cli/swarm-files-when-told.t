#!/usr/bin/env bash
# Whoever hears that a loop was spawned, or that it has ended, finds that in its files.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
spawn() {
	"$SWARM" spawn --name "$1" --ralph --prompt-file PROMPT.md --max-iterations 1 --detach -- \
		"$AGENT" -e "wait-file go.$1" >said
}
# What the state file says first, and whether that was before the agent.
env ASAN_OPTIONS=detect_leaks=0 strace -f -s 4000 -o trace -e trace=write,pwrite64,execve \
	"$SWARM" spawn --name first --ralph --prompt-file PROMPT.md --max-iterations 1 -- "$AGENT" -e 'println here' >said 2>&1
is "$(grep -oE 'current_iteration[^,]*: [0-9]+|execve\("'"$AGENT" trace | sed 's/.*[ /]//' | head -n 1)" 0 \
	"the state file is made with the count 0, before there is an iteration"
ok "there was one" grep -qF "execve(\"$AGENT" trace
missing=() untold=() unmarked=()
for i in {1..12}; do
	spawn "w$i"
	[[ -s $RALPH_HOME/ralph/w$i/state.json ]] || missing+=("w$i")
done
is "${missing[*]}" "" "the state file is there when a loop was spawned, twelve times"
for i in {1..12}; do
	run_bg "$SWARM" wait "w$i"
	touch "go.w$i"
	end_bg 60 "$bg"
	[[ $out == "w$i: exited" ]] || fail "wait says that w$i ended" "$out$err"
	grep -q '\[DONE\]' "$RALPH_HOME/ralph/w$i/iterations.log" || untold+=("w$i")
	[[ $(jq -r .status "$RALPH_HOME/ralph/w$i/state.json") == stopped ]] || unmarked+=("w$i")
done
is "${untold[*]}" "" "the log has its last line when wait is over, twelve times"
is "${unmarked[*]}" "" "and the state file says that the loop is stopped"
no_leftovers "nothing goes on"
done_testing
