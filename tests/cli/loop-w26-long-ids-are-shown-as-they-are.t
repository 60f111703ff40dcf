#!/usr/bin/env bash
# W26: a long identifier is no secret: it is shown whole, wherever it appears.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
id=Ab3dEf6hIj9lMn2pQr5tUv8xYz1cEf4gHi7kLm0nOp3rSt6v-1
ticket "$id"
work_on
exit_is 0 "it is done"
like "$err" "Launching dispatch for $id\\.\\.\\. session=" "whole on the terminal"
ok "and in progress.md" progress_says "^### $id: COMPLETE$"
ok "and on the branch" has main "out/$id"
