#!/usr/bin/env bash
# A command that cannot be run is told at once; one that goes away later is a failure.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
touch plain
mkdir dir
once=(--max-iterations 1 --)
# refused NAME SENTENCE CMD...
refused() {
	run "${loop[@]}" x "${once[@]}" "${@:3}"
	like "$status $err" "^1 ralph: error: $2" "$1"
}
refused "not in PATH" 'command not found: no-such-agent$' no-such-agent
refused "no such file" 'cannot run \./no-such-agent: No such file or directory$' ./no-such-agent
refused "not executable" 'cannot run \./plain: Permission denied$' ./plain
refused "a directory" 'cannot run \./dir: ' ./dir
refused "an empty word" 'command not found: $' ''
run "${loop[@]}" x --max-iterations 1
exit_is 2 "no command at all is a usage error"
like "$err" '^ralph: error: no command provided \(use -- command\.\.\.\)' "that says how"
not_ok "nothing was made" test -e "$RALPH_HOME/loops/x"

mkdir bin
printf '#!/bin/sh\necho ran\n' >bin/mine
chmod +x bin/mine
run "${loop[@]}" relative --cwd bin "${once[@]}" ./mine
exit_is 0 "a relative command is looked for where the agent works"
run "${loop[@]}" path --env "PATH=$PWD/bin:$PATH" "${once[@]}" mine
exit_is 0 "and one without a directory in the agent's own PATH"
run "$RALPH" logs path
is "$out" ran "there it runs"

printf '#!/bin/sh\nrm fleeting\n' >fleeting
printf '#!/no/such/interpreter\n' >broken
chmod +x fleeting broken
run "${loop[@]}" fleeting --max-iterations 2 -- ./fleeting
exit_is 11 "a command that goes away"
like "$out" 'iteration 2 failed \(exit: 127\)' "fails like one that a shell cannot find"
like "$err" '^ralph: error: fleeting: cannot start the agent: .*fleeting.*No such file' "and is said"
run "${loop[@]}" broken --max-iterations 3 --max-failures 1 -- ./broken
exit_is 1 "one whose interpreter is missing, too"
no_leftovers "nothing goes on"
done_testing
