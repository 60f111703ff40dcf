#!/usr/bin/env bash
# Where a loop's NAME is left out, the loop of the repository one stands in is meant.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# start NAME DIR: a loop there that runs until the file $T/go.NAME
start() {
	run_bg "${loop[@]}" "$1" --cwd "$2" --max-iterations 1 -- "$AGENT" -e "count $T/starts.$1; wait-file $T/go.$1"
	wait_for 30 test -s "$T/starts.$1"
}
# in_dir DIR ARG...: ralph there
in_dir() { (cd "$1" && exec "$RALPH" "${@:2}"); }
mkdir -p repo/below plain/below other
git -C repo init -q
git -C repo commit -q --allow-empty -m first
git -C repo worktree add -q ../tree -b tree
git -C other init -q

for command in status logs export wait pause resume stop nudge attach; do
	run in_dir repo "$command"
	like "$status $err" '^2 ralph: error: which loop\? a NAME is missing, and no loop is here \(ralph ls shows those there are\)$' \
		"$command without any loop"
done
not_ok "nothing was made" test -e "$RALPH_HOME"

start one repo
one=$bg
run in_dir repo status
exit_is 0 "status in the repository"
like "$out" 'one' "shows its loop"
is "$err" "ralph: the loop here is one" "and says on stderr which it is"
run in_dir repo/below status --json
is "$(jq -r .name <<<"$out")" one "also below its top"
run in_dir tree status --json
is "$(jq -r .name <<<"$out")" one "and in another worktree"
run in_dir other status
exit_is 2 "another repository has none"
run in_dir plain status
exit_is 2 "nor has a directory outside of git"
run in_dir tree wait --timeout 0
exit_is 124 "wait waits for it"
run in_dir tree pause
exit_is 0 "it is paused"
ok "really" field_is one .status paused
run in_dir repo resume
exit_is 0 "and resumed"

# A second one, in the worktree.
start two tree
two=$bg
run in_dir repo stop
exit_is 2 "of two that run none is stopped"
is "$err" "ralph: error: which loop? a NAME is missing, and there are several here:
  one (running, lives)
  two (running, lives)" "they are listed"
ok "both go on" field_is one .status running
run in_dir repo status --json
is "$(jq -r .name <<<"$out")" two "to look, the newest is taken"
touch "$T/go.two"
end_bg 30 "$two"
run in_dir tree status --json
is "$(jq -r .name <<<"$out")" one "the one that lives comes before a newer one that is over"
run in_dir tree stop
exit_is 0 "and is the one that is stopped"
like "$out" 'stopped ralph loop for one' "which is said"
end_bg 30 "$one"
is "$status" 3 "it is"
run in_dir tree resume
exit_is 2 "of two that are over none goes on by itself"
run in_dir tree logs
exit_is 0 "but the newest can be read"
is "$err" "ralph: the loop here is two" "by its name"
run in_dir tree export
is "$err" "ralph: the loop here is two" "and exported"
run in_dir tree logs one
exit_is 0 "a name that is given is taken"
is "$err" "" "without a word"

# Outside of git only the directory itself counts.
start three plain
three=$bg
run in_dir plain status --json
is "$(jq -r .name <<<"$out")" three "a directory outside of git"
run in_dir plain/below status
exit_is 2 "not what is below it"
run in_dir plain send hello
exit_is 2 "send needs its NAME: what is there could be either"
run in_dir plain kill
not_ok "kill does" test "$status" -eq 0
run in_dir plain clean
not_ok "and clean" test "$status" -eq 0
run in_dir plain repair
exit_is 2 "and repair"
run bash -c "cd plain && exec '$SWARM' ralph pause"
not_ok "and swarm's commands" test "$status" -eq 0
ok "nothing happened to it" field_is three .status running
touch "$T/go.three"
end_bg 30 "$three"

# An agent names the loop that it acts on.
cat >agent.sh <<SCRIPT
cd $T/work/other
"$RALPH" status --json >$T/read 2>&1; echo "\$?" >>$T/read
"$RALPH" stop >$T/acted 2>&1; echo "\$?" >>$T/acted
env -i HOME="\$HOME" PATH="\$PATH" RALPH_HOME="\$RALPH_HOME" "$RALPH" pause >>$T/acted 2>&1; echo "\$?" >>$T/acted
SCRIPT
run "${loop[@]}" four --cwd other --max-iterations 1 -- sh "$T/work/agent.sh"
exit_is 0 "a loop whose agent calls ralph"
is "$(cat "$T/acted")" "ralph: error: which loop? a NAME is missing: within an agent's session it is needed
2
ralph: error: which loop? a NAME is missing: within an agent's session it is needed
2" "stops and pauses nothing without its name, whatever its environment"
is "$(tail -n 1 "$T/read")" 0 "but may look"
no_leftovers "nothing goes on"
done_testing
