#!/usr/bin/env bash
# Weakness 5: prompts of several lines were glued into one, and a text with 'rm -rf /' in it was
# refused.  (todo-long-prompt.t has a hundred thousand bytes of it.)
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Make `rm -rf / --no-preserve-root; dd of=/dev/sda` safe, see notes.md'
printf 'first line\n\n\tindented\n    four\nlast line' >notes.md
worker <<'END'
case $KIND in task) ralph done ;; esac
END
todo --commit off
exit_is 0 "done"
like "$(cat "$led/T001.1.task")" $'\nfirst line\n\n\tindented\n    four\nlast line\n' "every line is a line"
like "$(cat "$led/T001.1.task")" 'Description:\*\* Make `rm -rf / --no-preserve-root; dd of=/dev/sda` safe' "every word is there"
no_leftovers "nothing goes on"
done_testing
