#!/usr/bin/env bash
# Where agents live for a moment only, a keeper waits for the next one while one works; nobody
# else notices, and it goes when it is not needed, whatever happens.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
next=$RALPH_HOME/loops/x/sessions/.next
# The first agent lives for a moment.
script='count starts; when-iteration 2 wait-file go1; when-iteration 3 wait-file go2; when-iteration 4 wait-file go3'
# x_runs ITERATION
x_runs() {
	wait_for 20 said starts "^$1 "
	wait_for 20 field_is x '.sessions[0].pid != null' true
}

run_bg "${loop[@]}" x --max-iterations 4 -- "$AGENT" -e "$script"
job=$bg
x_runs 2
wait_for 20 has_spare x
spare=$(spare_of x)
is "$(field x '.sessions | length')" 1 "a keeper waits, but there is one session"
run "$RALPH" ls --format names
is "$out" x "and one loop"
run "$RALPH" logs x
exit_is 0 "and one log"

run "$RALPH" pause x
exit_is 0 "while it waits, the loop is paused"
ok "then it does not wait any longer" gone "$spare"
not_ok "and leaves nothing" test -e "$next"
run "$RALPH" resume x
exit_is 0 "resumed"
wait_for 20 has_spare x
spare=$(spare_of x)
touch go1
x_runs 3
is "$(keeper_of x)" "$spare" "the one that waited has the next session"

wait_for 20 has_spare x
spare=$(spare_of x)
crash "$spare"
wait_for 20 no_spare x
touch go2
x_runs 4
pass "one that was killed is not missed"
ok "for the last agent none waits" no_spare x
touch go3
end_bg 20 "$job"
is "$status" 0 "the loop comes to its end"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3 4" "every iteration came once"
is "$(field x .total_failures)" 0 "without a failure"
not_ok "nothing is left of those who waited" test -e "$next"

# The supervisor is killed while one waits.
rm -f starts go*
run_bg "${loop[@]}" x --max-iterations 3 -- "$AGENT" -e "$script"
x_runs 2
wait_for 20 has_spare x
spare=$(spare_of x) keeper=$(keeper_of x)
crash "$bg"
wait_for 20 gone "$spare"
not_ok "without its supervisor it goes, but the agent's keeper stays" gone "$keeper"
touch go1 go2
run "$RALPH" resume --foreground x
exit_is 0 "the loop goes on"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "without doing anything twice"
not_ok "what was left was taken away" test -e "$next"

# An agent that works for long has a successor that can wait for its keeper.
rm -f starts go*
run_bg "${loop[@]}" x --max-iterations unlimited -- "$AGENT" -e 'count starts; sleep 5200; when-iteration 2 wait-file go1'
x_runs 2
ok "where agents live for longer, no keeper waits" no_spare x
run "$RALPH" stop x
end_bg 20 "$bg"

# Stopped while one waits.
rm -f starts go*
run_bg "${loop[@]}" x --max-iterations unlimited -- "$AGENT" -e "$script"
x_runs 2
wait_for 20 has_spare x
run "$RALPH" stop x
end_bg 20 "$bg"
is "$status" 3 "a loop that is stopped"
not_ok "takes it along" test -e "$next"
no_leftovers "nobody waits any more"
done_testing
