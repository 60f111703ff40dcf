#!/usr/bin/env bash
# An agent removes the directory of its project that the loop writes to (rm -rf logs, git clean -fdx): the loop makes it
# again and goes on writing, in every kind of loop.  One that became a link out of the project is refused, and told.
. "$(dirname "$0")/tickets.sh"

# a graph: each agent asks for itself how the loop stands
mkdir graph && cd graph || exit 1
git init -q .
cat >agent <<'X'
#!/bin/sh
cat >/dev/null
# The line about a start follows the start.
until jq -e "select(.action == \"started\" and .task_id == \"$RALPH_TASK\")" logs/ralph.jsonl >/dev/null 2>&1; do sleep 0.02; done
case $RALPH_TASK in
T-1) rm -rf logs ;;
T-2) ralph graph status --stale-after 1h >"$T/T-2.status"; echo "exit $?" >>"$T/T-2.status"; git clean -fdxq ;;
T-3) until ln -sT "$T/away" logs; do rm -rf logs; done ;; # the loop makes logs again, too
esac
ralph graph complete "$RALPH_TASK"
X
chmod +x agent
printf 'nodes:\n  - {id: T-1}\n  - {id: T-2, dependencies: [T-1]}\n' >task-graph.yaml
git add . && git commit -qm graph
ln -s "$RALPH" "$T/bin/ralph"
mkdir "$T/away"
run "$RALPH" graph run -- ./agent
exit_is 0 "a loop over a graph goes on without its logs"
unlike "$err" 'log: |heartbeat: ' "and need not complain"
is "$(jq -r .action logs/ralph.jsonl | xargs)" "completed finished" "which are made again"
ok "with the heartbeat" test -s logs/ralph.heartbeat
like "$(cat "$T/T-2.status")" 'exit 0' "while it runs, status knows of it"

printf 'nodes:\n  - {id: T-3}\n' >task-graph.yaml
run "$RALPH" graph run -- ./agent
like "$err" "log: .*/graph/logs leads out of the project, to $T/away, by a link" "a link out of the project is refused and named"
is "$(find "$T/away" -name 'ralph*')" "" "and the loop writes nothing through it"
cd ..

# tasks that a command gives out
mkdir given && cd given || exit 1
# shellcheck disable=SC2016 # for the command
printf '#!/bin/sh\necho x >>"$T/calls"\nn=$(wc -l <"$T/calls")\n[ "$n" -le 2 ] || { echo "all complete" >&2; exit 1; }\necho "Your task: T-$n"\n' >"$T/next"
chmod +x "$T/next"
# shellcheck disable=SC2016 # for the agent
run "$RALPH" run --name given --prompt-command "$T/next" --delay 0 -- \
	sh -c '[ "$RALPH_ITERATION" -gt 1 ] || { until grep -q started logs/ralph.jsonl; do sleep 0.02; done; rm -rf logs; }'
exit_is 0 "so does one over what a command gives out"
unlike "$err" 'log: |heartbeat: ' "without a complaint"
is "$(jq -r .action logs/ralph.jsonl | xargs)" "completed started completed finished" "with all lines from then on"
ok "and the heartbeat" test -s logs/ralph.heartbeat
cd ..

# tickets whose agents work in the project itself
new_project
ticket pt-1
ticket pt-2
does pt-1 'rm -rf .tf/ralph; work; close_ticket'
work_on --no-worktree
exit_is 0 "so does one over tickets"
unlike "$err" 'cannot open the directory' "without a complaint"
like "$(cat .tf/ralph/progress.md)" 'pt-2' "its progress is there"
cd ..

# and a list
# shellcheck source=tests/cli/todo.sh
mkdir list && cd list && . "$root/tests/cli/todo.sh"
project '- [ ] T001: one' '- [ ] T002: two'
worker <<'END'
[ "$TASK" != T001 ] || rm -rf ai/ralph
done_by_tag
END
todo
exit_is 0 "so does one over a list"
like "$(cat ai/ralph/activity.md)" 'T002' "its activity is there"
ok "and its state" test -s ai/ralph/state.json
no_leftovers "nothing goes on"
done_testing
