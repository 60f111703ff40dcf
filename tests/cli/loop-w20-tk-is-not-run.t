#!/usr/bin/env bash
# W20: tickets are read in this process: with the configuration that `init` writes, tk is never run.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"
plan 3

printf '#!/bin/sh\necho "$@" >>"$T/tk"\nexit 9\n' >"$T/bin/tk"
chmod +x "$T/bin/tk"
new_project
ticket pt-1
ticket pt-2 deps=pt-1
work_on
exit_is 0 "both are done"
is "$(summary Completed)" "2 (pt-1 pt-2)" "in the order of their dependencies"
not_ok "tk was not run" test -e "$T/tk"
