#!/usr/bin/env bash
# A loop over tickets that is killed, or cannot write, at some point: every ticket's work is in the
# branch once or kept, no checkout is left half-way, nothing and nobody stays behind.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"

sweep tickets/supervisor KILL ENOSPC EIO
sweep tickets/keeper KILL ENOSPC EIO
sweep tickets/other KILL ENOSPC EIO
sweep tickets-again/supervisor KILL
sweep tickets-merge/other KILL
no_leftovers "nothing goes on"
done_testing
