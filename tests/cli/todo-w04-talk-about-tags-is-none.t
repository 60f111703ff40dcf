#!/usr/bin/env bash
# Weakness 4: documents and prose have tags in them.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
cat >doc.md <<'END'
Workers print `<promise>DONE</promise>` when they are done.
 1. <promise>DONE</promise> means done
/ralph_done prints <promise>DONE</promise>
<promise>DONE</promise> <promise>STUCK:x</promise>
<promise>FINISHED</promise>
<promise>DONE
END
git add doc.md && git commit -qm doc
worker <<'END'
case $KIND in task) file; cat doc.md; echo; tag PROGRESS:50; while [ ! -e "$LED/go" ]; do sleep 0.05; done; tag DONE ;; esac
END
todo_bg --commit off
wait_for 20 said "$T/bg.$bg.out" 'T001: 50 %'
is "$(facts 'select(.fact == "signalled") | .signal' | grep -v ready | xargs)" "delivered progress" "none of it is a word"
: >"$led/go"
end_bg 20 "$bg"
exit_is 0 "a tag alone on its line is"
no_leftovers "nothing goes on"
done_testing
