#!/usr/bin/env bash
# A limit that is reached when tickets have failed, too: the failures decide the exit code, and that there are more is
# said with them, by every place that tells how the run ended.
. "$(dirname "$0")/tickets.sh"

new_project
config onAlert "\"cat >>$T/alerts\""
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
for id in pt-1 pt-2 pt-3; do does "$id" exit 1; done
more='As many tickets as allowed were started; there are more\.'
work_on --name work --max 1
exit_is 11 "one failed, and two were not started"
is "$(starts)" 1 "as many as allowed"
like "$err" 'Some tickets failed; what they left is kept\.' "the failure is said"
like "$err" "$more" "and that there are more"
like "$("$RALPH" status work)" "Outcome: Some tickets failed; what they left is kept\. $more \(exit code 11\)" "by status, too"
ok "by progress.md" progress_says "^- Reason: some_failed\. Some tickets failed; what they left is kept\. $more\$"
like "$(jq -r .text "$T/alerts")" "1 of 1 tickets failed\. $more" "and by the alert"

work_on --name work --fail-fast
exit_is 11 "--fail-fast is a limit, too"
like "$err" 'No ticket is started after a failure \(--fail-fast\); there may be more\.' "which is said"

# What was not started is only what could have been.
rm .tickets/pt-[23].md
work_on --name work --max 1
exit_is 11 "one failed, and there is no other"
like "$err" 'Some tickets failed' "which is said"
unlike "$err" 'there are more' "but nothing of more"
no_leftovers "nothing goes on"
done_testing
