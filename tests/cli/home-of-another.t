#!/usr/bin/env bash
# A state home of another user, or a loop of his in ours, is refused: what is written there would run as us.
. "$(dirname "$0")/../cli/lib.sh"
[[ $(id -u) -eq 0 ]] || skip_all "only root can give a directory away"
touch probe
chown 12345 probe 2>/dev/null || skip_all "directories cannot be given away here"

printf 'do it\n' >prompt
run "${loop[@]}" mine --max-iterations 1 --name mine -- "$AGENT" -e 'touch ran; exit 1'
exit_is 11 "a loop ran in a home of ours"
run "$SWARM" spawn --name job -- "$AGENT" -e 'println x'
run "$SWARM" wait job
rm -f ran

# PATH WHAT: nothing of it is run, and the sentence has path and owner.
refused() {
	local title=$2 why
	why="error: $1 belongs to another user (uid 12345; this is uid 0), who could have commands run here"
	shift 2
	run "$@"
	is "$status ${err:0:$((${#why} + 7))}" "1 ${err%%:*}: $why" "$title"
}
chown 12345 "$RALPH_HOME"
refused "$RALPH_HOME" "run refuses a home of another user" "${loop[@]}" new --max-iterations 1 -- "$AGENT" -e 'touch ran'
for command in resume status logs attach stop pause repair; do
	refused "$RALPH_HOME" "$command, too" "$RALPH" "$command" mine
done
refused "$RALPH_HOME" "ls, too" "$RALPH" ls
refused "$RALPH_HOME" "swarm ls, too" "$SWARM" ls
refused "$RALPH_HOME" "swarm respawn, too" "$SWARM" respawn job
for command in 'clean --all' 'clean job' 'kill --all' 'kill job' 'status job' 'logs job' 'wait job' 'peek job' 'ralph clean --all' \
	'ralph clean mine' 'ralph status mine' 'ralph list' 'ralph logs mine'; do
	# shellcheck disable=SC2086 # words
	refused "$RALPH_HOME" "swarm $command, too" "$SWARM" $command
done
refused "$RALPH_HOME" "clean --all, too" "$RALPH" clean --all
ln -s "$RALPH_HOME" link
RALPH_HOME=$PWD/link refused "$PWD/link" "also behind a link of ours" "$RALPH" resume mine
not_ok "nothing was made there" test -e "$RALPH_HOME/loops/new"
chown 0 "$RALPH_HOME"

chown 12345 "$RALPH_HOME/loops/mine"
refused "$RALPH_HOME/loops/mine" "resume refuses a loop of another user" "$RALPH" resume mine
refused "$RALPH_HOME/loops/mine" "run refuses to take its name over" "${loop[@]}" mine --max-iterations 1 -- "$AGENT" -e 'touch ran'
run "$RALPH" status job
exit_is 0 "the loops beside it are ours"

# The commands for all do the rest, name what they refuse, and do not say that all is well.
why="$RALPH_HOME/loops/mine belongs to another user"
run "$SWARM" spawn --name runs -- sleep 600
for command in 'wait --all --timeout 0' 'send --all x' 'interrupt --all' 'kill --all' 'peek --all' 'ralph clean --all'; do
	# shellcheck disable=SC2086 # words
	run "$SWARM" $command
	like "$status $err" "^1 .*$why" "swarm $command names the loop that it refuses"
done
is "$("$SWARM" ls --status running --format names 2>said)" "" "kill --all ended the rest"
run "$SWARM" clean --all
like "$status $err" "^1 .*$why" "swarm clean --all names it"
is "$(sort <<<"$out" | xargs)" "cleaned job cleaned runs" "and cleans the rest"
run "${loop[@]}" 'done' --max-iterations 1 -- "$AGENT" -e 'println x'
run "$RALPH" clean --all --dry-run
is "$status ${out%%$'\n'*}" "1 would clean done" "ralph clean --all --dry-run, too"
run "$RALPH" clean --all
like "$status $out $err" "^1 cleaned done .*$why" "and ralph clean --all"
ok "the loop itself is still there" test -d "$RALPH_HOME/loops/mine"
run "$SWARM" spawn --name job -- "$AGENT" -e 'println x'
run "$SWARM" wait job
chown 0 "$RALPH_HOME/loops/mine"
chown 12345 "$RALPH_HOME/loops"
refused "$RALPH_HOME/loops" "and a directory of loops that somebody put there" "$RALPH" resume mine
chown 0 "$RALPH_HOME/loops"
not_ok "nothing of it ran" test -e ran
RALPH_HOME=$PWD/link
run "$RALPH" status mine
exit_is 0 "a home of ours behind a link is used"
no_leftovers "nothing goes on"
done_testing
