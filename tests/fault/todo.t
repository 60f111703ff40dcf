#!/usr/bin/env bash
# A loop over todo.md that is killed, or cannot write, at any point of a task's life: no task is lost,
# none is committed twice, the list is never half edited, and what the user had changed stays.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"
plan 6

sweep todo 7
sweep todo-again 29
sweep todo-keeper 7
sweep todo-jobs 7
sweep todo-enospc 41
no_leftovers "nothing goes on"
