#!/usr/bin/env bash
# Only a person agrees: an agent that runs 'ralph trust' is shown what is untrusted and refused.
# shellcheck disable=SC2016 # what agents do expands in their shells
. "$(dirname "$0")/tickets.sh"
new_project
export RALPH project marker=$T/marker
ticket pt-1
ticket pt-2
does pt-1 <<'END'
work; close_ticket; commit
cd "$project" || exit 1
jq '.verify = "echo verify >>\($ENV.marker)"' .tf/ralph/config.json >"$T/new" && cp "$T/new" .tf/ralph/config.json
after "start pt-2"
"$RALPH" trust --yes >"$T/said" 2>&1; echo "$?" >>"$T/codes"
env -i PATH="$PATH" HOME="$HOME" RALPH_HOME="$RALPH_HOME" setsid -w "$RALPH" trust --yes >>"$T/said" 2>&1; echo "$?" >>"$T/codes"
END
does pt-2 'after "end pt-1"; work; close_ticket; commit'
config parallelWorkers 2
work_on --parallel 2
exit_is 0 "the tickets are done"
is "$(paste -sd ' ' "$T/codes")" "1 1" "an agent cannot agree, with or without its environment"
is "$(grep -c 'is for a person to agree to' "$T/said")" 2 "it is told so"
not_ok "what it planted has not run" test -e "$marker"
not_ok "and is not trusted" "$RALPH" trust --list
run "$RALPH" trust --yes
exit_is 0 "a person can agree"
no_leftovers "nothing goes on"
done_testing
