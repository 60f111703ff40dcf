#!/usr/bin/env bash
# A loop over a graph that is killed, or cannot write, at some point: every task is completed, by one agent
# where nobody but the supervisor died, none before what it waits for, and nothing stays behind.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"

sweep graph/supervisor KILL ENOSPC EIO
sweep graph/keeper KILL ENOSPC EIO
no_leftovers "nothing goes on"
done_testing
