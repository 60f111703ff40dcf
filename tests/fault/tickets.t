#!/usr/bin/env bash
# A loop over tickets that is killed, or cannot write, at any point: every ticket's work is in the
# branch once or kept, no checkout is left half-way, nothing and nobody stays behind.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"
plan 9

sweep tickets 37
sweep tickets-again 61
sweep tickets-keeper 7
sweep tickets-landing 13
sweep tickets-shots 3
sweep tickets-enospc 71
sweep tickets-eio 79
sweep landing-enospc 17
no_leftovers "nothing goes on"
