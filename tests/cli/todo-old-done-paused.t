#!/usr/bin/env bash
# A done file from before a task began is set aside, also when the loop was paused and resumed between giving the task
# out and its worker's start: that is no other supervisor, whose worker could have written it.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
# A git that waits while there is a file `hold`, when the work tree is remembered before the task.
git=$(command -v git)
cat >"$T/bin/git" <<END
#!/bin/sh
case "\$*" in
*'Ralph: before T001'*)
	: >"$T/held"
	while [ -e "$T/hold" ]; do sleep 0.05; done
	;;
esac
exec $git "\$@"
END
chmod +x "$T/bin/git"
worker <<'END'
case $KIND in task) cat ai/ralph/results/T001.done.json >"$LED/old" 2>/dev/null; echo x >x.txt; ralph done --summary new ;; esac
END
mkdir -p ai/ralph/results
printf '{"task_id":"T001","status":"done","summary":"old","files_modified":[]}\n' >ai/ralph/results/T001.done.json
: >"$T/hold"
todo_bg
wait_for 60 test -e "$T/held"
run "$RALPH" pause "$name"
exit_is 0 "it is paused while the task is given out"
run "$RALPH" resume "$name"
exit_is 0 "and resumed"
rm "$T/hold"
end_bg 60 "$bg"
exit_is 0 "the task is done"
not_ok "the worker did not find the older done file" test -s "$led/old"
like "$err" 'T001: an older done file was set aside' "which was set aside"
is "$(commits)" "T001: new" "the commit has the worker's own words"
no_leftovers "nothing goes on"
done_testing
