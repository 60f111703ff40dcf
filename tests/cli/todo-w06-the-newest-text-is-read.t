#!/usr/bin/env bash
# Weakness 6: of much output the head was kept, and the newest was dropped.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $TASK.$KIND in
T001.task) yes 'the quick brown fox jumps over the lazy dog' | head -c 2000000; file; tag PROGRESS:7; yes again | head -c 1000000; tag DONE; yes more | head -c 300000 ;;
T002.task) awk 'BEGIN { for (i = 0; i < 50000; i++) printf "no end of this line " ; print "" }'; done_by_tag ;;
esac
END
todo --commit off
exit_is 0 "tags within floods"
is "$(facts 'select(.fact == "signalled") | .signal + (.text // "")' | grep -E 'done|progress' | xargs)" "progress7 done done" "are heard"
no_leftovers "nothing goes on"
done_testing
