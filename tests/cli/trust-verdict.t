#!/usr/bin/env bash
# What counts as complete, what lands and where is a person's to say: an agent that rewrites it in config.json changes nothing.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
git branch other
ticket t-1
does t-1 <<'END'
work; close_ticket; commit
cd "$T/work/project" || exit 1
jq '.success = "exit" | .promiseOnComplete = "always" | .drop = ["out"] | .base = "other" | .ticketsDir = "none" | .parallelAutoMerge = false |
	.commitLeftovers = false | .maxIterations = 7' .tf/ralph/config.json >"$T/new" && cp "$T/new" .tf/ralph/config.json
END
export T
work_on
exit_is 0 "an agent rewrites what counts"
like "$err" 'without effect until .ralph trust.: file .*config\.json base, file .*config\.json commitLeftovers' "that is said"
unlike "$("$RALPH" trust --list)" 'maxIterations' "what changes no verdict is not"
like "$("$RALPH" trust --list)" $'config\\.json success\n  - \\(none\\)\n  \\+ exit' "ralph trust shows it"

ticket t-2
ticket t-3
does t-2 'work; close_ticket'
does t-3 :
work_on
exit_is 11 "in the next loop exit status 0 alone is no success"
ok "work lands where it did" has main out/t-2
not_ok "and not elsewhere" has other out/t-2
unlike "$out" "$sigil" "and completion is not promised for it"

# A person's word.
sed -i 's/"drop": *\[[^]]*\]/"drop": ["nothing"]/' .tf/ralph/config.json
ticket t-4
run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
is "$(jq -r .success .tf/ralph/config.json)" exit "to what is there"
config ticketsDir '".tickets"'
does t-4 :
work_on --new-run
exit_is 0 "then it counts"
no_leftovers "nothing goes on"
done_testing
