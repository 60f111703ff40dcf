#!/usr/bin/env bash
# How many sessions of a loop stay on disk: by number, bytes, days and free space; the oldest go
# first, the last two never.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
sessions=$RALPH_HOME/loops/x/sessions
# The numbers of the sessions that are there, in order.
numbers() { find "$sessions" -mindepth 1 -maxdepth 1 -name '*-*' -printf '%f\n' | sed 's/.*-//' | sort -n | xargs; }
at_most() { (($(numbers | wc -w) <= $1)); }

run_bg "${loop[@]}" x --keep-sessions 4 --max-iterations 40 -- "$AGENT" -e 'count starts; when-iteration 40 wait-file go'
wait_for 120 said starts '^40 '
# While it runs: a look begins when ten have come since the last one.
wait_for 30 at_most 24
pass "old ones go while the loop runs"
touch go
end_bg 60 "$bg"
is "$status" 0 "40 iterations"
is "$(numbers)" "37 38 39 40" "4 of them stay when it is over"
not_ok "what went is nowhere else" test -e "$sessions/.old"
run "$RALPH" logs x
exit_is 0 "the last one can be read"

rm -f starts
run "${loop[@]}" x --keep-sessions 1 --max-iterations 5 -- "$AGENT" -e 'println hi'
is "$(numbers)" "4 5" "the last two stay whatever was said"

run "${loop[@]}" x --keep-free 1000T --max-iterations 5 -- "$AGENT" -e 'println hi'
is "$(numbers)" "4 5" "where less is free than wanted, all others go"
run "${loop[@]}" x --keep-free 0 --max-iterations 5 -- "$AGENT" -e 'println hi'
is "$(numbers)" "1 2 3 4 5" "0: that is nothing to look at"

# Every agent writes 200 KB; two sessions and what belongs to them fit, three do not.
run "${loop[@]}" x --keep-bytes 500K --max-iterations 5 -- sh -c 'head -c 200000 /dev/zero | tr "\0" x'
is "$(numbers)" "4 5" "so many as fit stay"
run "${loop[@]}" x --keep-bytes unlimited --max-iterations 5 -- sh -c 'head -c 200000 /dev/zero | tr "\0" x'
is "$(numbers)" "1 2 3 4 5" "without a limit all stay"

# Of one agent's output the middle goes.
run "${loop[@]}" x --keep-output 256K --max-iterations 1 -- sh -c 'echo first; yes | head -c 2000000; echo last'
exit_is 0 "an agent that writes more than is kept of it"
kept=$(stat -c %b "$sessions"/*-1/output.raw)
ok "so much of it stays, and not more" test "$kept" -gt 100 -a "$kept" -lt 700
run "$RALPH" logs x
is "$(sed -n '1p;$p' <<<"$out" | xargs)" "first last" "its beginning and its end"

cat >old.sh <<'SCRIPT'
[ "$RALPH_ITERATION" -lt 5 ] || touch -d '3 days ago' "$S"/*-1 "$S"/*-2
SCRIPT
S=$sessions run "${loop[@]}" x --keep-days 2 --max-iterations 5 -- sh old.sh
is "$(numbers)" "3 4 5" "what is older than so many days goes"

# A loop that goes on goes by what is written down; what a killed one was removing is removed.
run_bg "${loop[@]}" x --max-iterations 9 -- "$AGENT" -e 'when-iteration 8 wait-file later'
wait_for 60 field_is x .iteration 8
wait_for 60 field_is x '.sessions[0].pid != null' true
crash "$(supervisor_of x)"
spec=$RALPH_HOME/loops/x/spec.json
is "$(jq -c '.settings | [.keep_sessions, .keep_bytes, .keep_days, .keep_free, .keep_output]' "$spec")" \
	'[100,10737418240,-1,536870912,1073741824]' "what nobody said is written down"
is "$(numbers)" "1 2 3 4 5 6 7 8" "which is more than there are"
mkdir -p "$sessions/.old/some-1/deep" "$sessions/some-1" "$sessions/7"
jq '.settings.keep_sessions = 3' "$spec" >changed && cp changed "$spec"
touch later
run "$RALPH" resume --foreground x
exit_is 0 "a killed loop goes on"
is "$(numbers)" "1 7 8 9" "with what its spec.json says, and what is no session of it is left alone"
rmdir "$sessions/some-1"
not_ok "what was being removed when it was killed is gone" test -e "$sessions/.old"

# As an earlier version wrote it down.
rm -f later
run_bg "${loop[@]}" x --max-iterations 3 --keep-sessions 1 -- "$AGENT" -e 'when-iteration 3 wait-file later'
wait_for 60 field_is x '.sessions[0].pid != null and .iteration == 3' true
crash "$(supervisor_of x)"
jq 'del(.settings | .keep_sessions, .keep_bytes, .keep_days, .keep_free, .keep_output)' "$spec" >changed && cp changed "$spec"
touch later
run "$RALPH" resume --foreground x
exit_is 0 "a loop of a version that had no such settings goes on"
is "$(numbers)" "1 2 3" "with the usual ones"

run "${loop[@]}" x --keep-sessions 0 --max-iterations 1 -- true
exit_is 2 "no session at all is refused"
run "${loop[@]}" x --keep-bytes 1.5G --max-iterations 1 -- true
exit_is 2 "and what is no size"
like "$err" "--keep-bytes: '1.5G' is not a size \(such as 500M, 10GiB or 1T\)" "with a sentence"
for command in run todo loop 'graph run'; do
	# shellcheck disable=SC2086 # two words
	run "$RALPH" $command --help
	is "$(grep -oE -e '--keep-(sessions|bytes|days|free|output) [NS]' <<<"$out" | xargs)" \
		'--keep-sessions N --keep-bytes S --keep-days N --keep-free S --keep-output S' "options of ralph $command"
done
run "$SWARM" ralph spawn --help
like "$out" '--keep-sessions N' "and of swarm's loops"
run "$SWARM" spawn --name y --keep-days 3 -- true
exit_is 2 "but not of a worker that is none"
like "$err" '--keep-days needs --ralph' "which is said"
no_leftovers "nothing is left behind"
done_testing
