#!/usr/bin/env bash
# ralph trust: shows what an agent changed, asks on a terminal, and records exactly what it showed.
. "$(dirname "$0")/../cli/lib.sh"
run "$RALPH" trust
exit_is 0 "where nothing is recorded, nothing is untrusted"
git init -q repo && cd repo || exit 1
echo go >prompt
agent() {
	run "$RALPH" run --prompt-file "$PWD/prompt" --name a --max-iterations 1 -- sh -c "$1"
}
agent 'git config gpg.program evil; git config user.email x@y; printf "\\033[31m" >.git/hooks/pre-push'
exit_is 0 "an agent changes something"
like "$err" "without effect until 'ralph trust': hook pre-push, git gpg.program" "what names a command is said"
unlike "$err" 'user.email' "nothing else is"
run "$RALPH" trust
exit_is 1 "without a terminal it only shows"
like "$out" $'git gpg\\.program\n  - \\(none\\)\n  \\+ evil' "what was there, and what is"
unlike "$out" $'\e' "nothing that a terminal would obey"
run "$RALPH" trust --list --yes
exit_is 1 "--list agrees to nothing"
is "$("$RALPH" trust --json | jq -r '."git gpg.program" | .trusted, .now')" $'null\nevil' "as JSON"
# On a terminal.
printf 'n\n' | script -qec "$RALPH trust" /dev/null >"$T/asked" 2>&1
like "$(cat "$T/asked")" 'Trust them\? \[y/N\]' "on a terminal it asks"
not_ok "a no is a no" "$RALPH" trust --list
printf 'y\n' | script -qec "$RALPH trust" /dev/null >/dev/null 2>&1
ok "a yes is a yes" "$RALPH" trust --list
agent :
unlike "$err" 'trust' "and nothing is said any more"
agent 'git config core.pager evil'
run "$RALPH" trust --yes
exit_is 0 "--yes does not ask"
like "$out" 'Trusted from now on' "and says that it is done"
like "$("$RALPH" trust)" 'Nothing is untrusted' "then all is trusted"
run "$RALPH" help trust
like "$out" 'ralph trust --yes' "its help has examples"
no_leftovers "nothing goes on"
done_testing
