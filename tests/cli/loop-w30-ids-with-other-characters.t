#!/usr/bin/env bash
# W30: ids that can be names of files and branches are taken as they are.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
for id in my.app-1a2b A_b-1 7; do ticket "$id"; done
work_on --parallel 3
exit_is 0 "all are done"
ok "one with a dot" has main out/my.app-1a2b
ok "one with an underscore" has main out/A_b-1
ok "one that is a number" has main out/7
