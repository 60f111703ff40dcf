#!/usr/bin/env bash
# kill -9 at every point where something is written, synced, renamed or started: what was
# acknowledged is on disk, the state opens, and the loop goes on without a second agent.
. "$(dirname "$0")/lib.sh"
plan 8

sweep life
sweep keeper
sweep control 4
sweep resume 2
sweep stop
sweep pause
sweep archive
no_leftovers "nothing goes on"
