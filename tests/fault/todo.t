#!/usr/bin/env bash
# A loop over todo.md that is killed, or cannot write, at some point of a task's life: no task is lost,
# none is committed twice, the list is never half edited, and what the user had changed stays.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"

sweep todo/supervisor KILL ENOSPC EIO
sweep todo/keeper KILL ENOSPC EIO
sweep todo/other KILL ENOSPC EIO
sweep todo-again/supervisor KILL
no_leftovers "nothing goes on"
done_testing
