#!/usr/bin/env bash
# Earlier runs of a loop's name can be read: NAME@2 is the one before the present one.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_once() { run "${loop[@]}" "$1" --max-iterations "${3:-1}" -- "$AGENT" -e "print words of $2"; }
run_once agent 'the first run' 2
run "$RALPH" logs agent@2
is "$status $err" "1 ralph: error: there is no run 2 of 'agent': it has only the present one" "there is no earlier run yet"
run_once agent.20240115T103000Z 'another loop'
run_once agent 'the second run' 3
run_once agent 'the third run'
for n in 1:third 2:second 3:first; do
	run "$RALPH" logs "agent@${n%:*}"
	is "$status $out" "0 words of the ${n#*:} run" "agent@${n%:*} is the ${n#*:} one"
done
run "$RALPH" logs agent
is "$out" "words of the third run" "agent is the present one"
run "$RALPH" logs -i 1 agent@3
is "$out" "words of the first run" "an earlier run has its iterations"
run "$RALPH" logs -f agent@2
is "$status $out" "0 words of the second run" "who follows one sees what is there"
run "$RALPH" logs --list agent@2
is "$(awk 'NR > 1 { print $1, $7 }' <<<"$out")" "1 done
2 done
3 done" "and they are listed"
run "$RALPH" logs --list agent
is "$(tail -n 1 <<<"$out")" "2 earlier runs: ralph logs --list agent@2" "the list of the present one tells of them"
run "$RALPH" status agent@2
like "$out" "^Ralph Loop: agent@2
Status: complete
Directory: $PWD
Iteration: 3/3
" "status knows them"
run "$RALPH" status --json agent@3
is "$(jq -r '[.name, .iteration, .supervised] | join(" ")' <<<"$out")" "agent@3 2 false" "also as JSON"
ok "and export does" "$RALPH" export -o "$T/cast" agent@2
for command in logs status; do
	run "$RALPH" "$command" agent@4
	is "$status $err" "1 ralph: error: there is no run 4 of 'agent': there are the present one and agent@2 to agent@3" \
		"$command: one that was not says how many there are"
done
run "$RALPH" logs nobody@2
is "$status $err" "1 ralph: error: 'nobody@2' is not a loop's name" "a name that nobody has"
for name in agent@0 agent@ agent@2x agent@-1 agent@../agent 'agent@99999999999999999999' @2; do
	run "$RALPH" logs "$name"
	like "$status $err" "^1 ralph: error: .*is not a loop's name" "$name means nothing"
done

# One that could have gone on is over when the next one has begun.
run_bg "${loop[@]}" broken --max-iterations 1 -- "$AGENT" -e 'print half of it; wait-file never'
loop_pid=$bg
wait_for 20 field_is broken '.sessions[0].pid != null' true
crash "$loop_pid" "$(keeper_of broken)"
run_once broken 'the next one'
run "$RALPH" logs broken@2
is "$status $out" "0 half of it" "what a run that crashed wrote can be read"
run "$RALPH" status broken@2
unlike "$out" 'resume' "nobody is told to go on with it"
run "$RALPH" send broken@2 hello
is "$err" "ralph: error: no agent of 'broken@2' is running now" "nothing can be sent to it"
for command in pause stop resume; do
	run "$RALPH" "$command" broken@2
	exit_is 1 "$command is not for earlier runs"
done
no_leftovers "nothing goes on"
done_testing
