#!/usr/bin/env bash
# swarm send types a text to a worker, to all of them, and a dash is only a dash.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
print ready>
sh read -r line; printf '%s' "$line" >got.$RALPH_LOOP.1
print more>
sh read -r line; printf '%s' "$line" >got.$RALPH_LOOP.2
print last>
sh read -r line; printf '%s' "$line" >got.$RALPH_LOOP.3
SCRIPT
terminal=(--detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1)
for name in one two; do
	"${loop[@]}" $name "${terminal[@]}" -- "$AGENT" agent.txt >$name.out
	wait_for 20 field_is $name '.sessions[0].pid != null' true
done
"${loop[@]}" piped --detach --max-iterations 1 -- "$AGENT" -e 'wait-file go' >piped.out
wait_for 20 field_is piped '.sessions[0].pid != null' true

run "$SWARM" send one '- a bullet; and "more"'
exit_is 0 "a text that begins with a dash"
is "$out" "sent to one" "is sent"
wait_for 20 test -s got.one.1
is "$(cat got.one.1)" '- a bullet; and "more"' "as it is"
run "$SWARM" send --no-enter one --dashes=all
is "$status $out" "0 sent to one" "what looks like an option but is none"
run "$SWARM" send one -- ' --all'
wait_for 20 test -s got.one.2
is "$(cat got.one.2)" '--dashes=all --all' "and, behind --, what is one; Enter can be left out"
run "$SWARM" send two first
wait_for 20 test -s got.two.1
run "$SWARM" send two second
wait_for 20 test -s got.two.2

run "$SWARM" send --all 'for all of you'
exit_is 0 "to everybody"
is "$out" "sent to one
sent to two" "who has a terminal"
run "$SWARM" wait --timeout 90 one
run "$SWARM" wait --timeout 90 two
is "$(cat got.one.3 got.two.3)" 'for all of youfor all of you' "everybody got it"
run "$SWARM" send --all again
is "$status$out$err" "0" "those that do not run are passed over"
run "$SWARM" send one again
exit_is 1 "by name that is an error"
is "$err" "swarm: error: worker 'one' is not running" "which is said"
run "$SWARM" send piped hello
exit_is 1 "one without a terminal"
is "$err" "swarm: error: worker 'piped' is not a tmux worker" "is said"
run "$SWARM" send nobody hello
exit_is 1 "nobody"
is "$err" "swarm: error: worker 'nobody' not found" "is said"
run "$SWARM" send hello
exit_is 1 "no name"
is "$err" "swarm: error: --name required when not using --all" "is said"
run "$SWARM" send
exit_is 2 "no text is a usage error"
touch go
run "$SWARM" wait piped

# The agent's end is what the text was for.
"${loop[@]}" exits "${terminal[@]}" -- "$AGENT" -e 'print >; sh read -r line' >exits.out
wait_for 20 field_is exits '.sessions[0].pid != null' true
run "$SWARM" send exits /exit
is "$status $out$err" "0 sent to exits" "an agent that goes at once has got it"

# Bytes as they are.
"${loop[@]}" raw "${terminal[@]}" -- "$AGENT" -e 'raw; print >; read-stdin-to bytes 4; touch read' >raw.out
peek_is() {
	[[ $("$SWARM" peek raw 2>/dev/null) == "$1" ]]
}
wait_for 20 peek_is '>'
run "$SWARM" send --raw --no-enter raw "$(printf 'a\033[A')"
exit_is 0 "--raw"
wait_for 20 test -e read
is "$(od -An -c bytes | tr -s ' ')" ' a 033 [ A' "types control characters, too"
no_leftovers "nothing goes on"
done_testing
