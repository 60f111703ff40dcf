#!/usr/bin/env bash
# A loop over a prompt command that is killed, or cannot write, at some point: as a loop over a prompt
# file, and a command that cannot be asked is asked again.
. "$(dirname "$0")/lib.sh"

sweep prompt/supervisor KILL ENOSPC EIO
sweep prompt/keeper KILL ENOSPC EIO
sweep prompt/other KILL ENOSPC EIO
no_leftovers "nothing goes on"
done_testing
