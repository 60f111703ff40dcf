#!/usr/bin/env bash
# kill -9 at a point where something is written, synced, renamed or started: what was
# acknowledged is on disk, the state opens, and the loop goes on without a second agent.
. "$(dirname "$0")/lib.sh"

sweep run/supervisor KILL
sweep run/keeper KILL
sweep control/supervisor KILL
sweep resume/supervisor KILL
sweep stop/supervisor KILL
sweep pause/other KILL
sweep archive/supervisor KILL
no_leftovers "nothing goes on"
done_testing
