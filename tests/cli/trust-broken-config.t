#!/usr/bin/env bash
# A configuration that an agent left unreadable is not agreed to by mending it.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker T
ticket t-1
does t-1 <<'END'
work; close_ticket; commit
cd "$T/work/project" || exit 1
sed -i "1s|.*|{ \"verify\": \"echo verify >>$marker\",,|" .tf/ralph/config.json
END
work_on
exit_is 0 "it is no reason not to land"
like "$err" 'without effect until .ralph trust.: file .*config.json' "but said"
run "$RALPH" trust --yes
exit_is 1 "nobody can agree to what cannot be read"
like "$err" 'cannot be read, so nobody can agree' "which is said"
ticket t-2
work_on
not_ok "no loop starts with it" test "$status" -eq 0
sed -i '1s/,,/,/' .tf/ralph/config.json
like "$("$RALPH" trust --list)" "\\+ echo verify" "what it says when it is mended is still the agent's"
work_on
exit_is 0 "the next loop"
not_ok "does not run it" test -e "$marker"
run "$RALPH" trust --yes
exit_is 0 "somebody agrees to it"
ticket t-3
work_on
ok "then it runs" test -e "$marker"
no_leftovers "nothing goes on"
done_testing
