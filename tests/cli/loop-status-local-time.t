#!/usr/bin/env bash
# ralph loop status tells people the time as ralph status does: their own.  The files and --json keep UTC.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
does pt-1 'after go; close_ticket; commit'
work_on_bg --name work
wait_for 20 said "$T/log" '^start pt-1'
wait_for 20 progress_says 'Status: RUNNING'
run env TZ=XYZ-9 "$RALPH" loop status
started=$(sed -n 's/^- Started: //p' .tf/ralph/progress.md | head -n 1)
like "$started" 'Z$' "progress.md has UTC"
here=$(TZ=XYZ-9 date -d "$started" '+%Y-%m-%d %H:%M:%S')
like "$out" "- Started: $here" "status has the user's own time"
like "$out" "Active run: .*, since $here\)|Active run: .*, since ${here%:*}" "also of who is at work"
unlike "$out" '[0-9]Z' "and no other"
run env TZ=XYZ-9 "$RALPH" loop status --json
is "$(jq -r .state.Started <<<"$out")" "$started" "as JSON it is UTC"
run env TZ=XYZ-9 "$RALPH" status work
like "$out" "$here" "ralph status says the same"
echo go >>"$T/log"
end_bg 30 "$bg"
is "$status" 0 "it is done"
done_testing
