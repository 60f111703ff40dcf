#!/usr/bin/env bash
# What counts as success: the promise with exit code 0; words that sound like errors are words.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 'echo "Error: fatal exception, FAILED"; work; close_ticket; commit'
does pt-2 'work; promise; exit 3'
does pt-3 'work; promise'
work_on
exit_is 11 "one of three failed"
like "$err" $'\npt-1: COMPLETE \\(exit 0\\)\n' "an agent may speak of errors"
like "$err" $'\npt-2: FAILED \\(exit 3\\)\n' "a promise does not outweigh an exit code"
like "$err" $'\npt-3: COMPLETE \\(exit 0\\)\n' "with exit code 0 it counts"
done_testing
