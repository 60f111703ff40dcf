#!/usr/bin/env bash
# A loop over tickets that is killed, or cannot write, at any point: every ticket's work is in the
# branch once or kept, no checkout is left half-way, nothing and nobody stays behind.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"
plan 9

sweep tickets 29
sweep tickets-again 41
sweep tickets-keeper 5
sweep tickets-landing 11
sweep tickets-shots 2
sweep tickets-enospc 47
sweep tickets-eio 53
sweep landing-enospc 13
no_leftovers "nothing goes on"
