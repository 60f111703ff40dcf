#!/usr/bin/env bash
# A query, a check or a plugin of the project says what is ready; it is run in the project.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
commit_tickets
config ticketQuery '"pwd >>$T/where; grep -l \"^status: open\" .tickets/*.md | sed \"s|.*/||; s|.md||\" | grep -v pt-2 | sort -r"'
mkdir -p sub && cd sub || exit 1
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
cd ..
exit_is 0 "what the query names is done"
is "$(grep '^start' "$T/log" | xargs)" "start pt-3 1 start pt-1 1" "in its order, and nothing else"
is "$(sort -u "$T/where")" "$project" "it ran in the project"

config ticketQuery '"tk ready | head -1 | awk '"'{print \$1}'"'"'
config completionCheck '"false"'
work_on
exit_is 0 "a check that says there is no work"
is "$(starts pt-2)" 0 "is believed"
config completionCheck '"true"'
work_on
is "$(starts pt-2)" 1 "so is one that says there is"

# A plugin of tk changes what `tk ready` means.
config completionCheck '"tk ready | grep -q ."'
ticket pt-4
ticket pt-5
cat >"$T/bin/tk-ready" <<'SCRIPT'
#!/bin/sh
grep -q 'status: open' .tickets/pt-5.md && echo 'pt-5     [P2][open] - Do pt-5'
exit 0
SCRIPT
chmod +x "$T/bin/tk-ready"
work_on
exit_is 0 "with a tk-ready in PATH"
is "$(starts pt-4) $(starts pt-5)" "0 1" "it is asked"

rm "$T/bin/tk-ready"
config ticketQuery '"echo pt-4; echo pt-nowhere; echo pt-4; echo; echo \"  \""'
work_on --max 5
is "$(starts pt-4)" 1 "duplicates and empty lines are nothing"
like "$err" 'pt-nowhere' "an id without a ticket is said"
done_testing
