#!/usr/bin/env bash
# What the original program left is shown and kept.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkdir -p "$RALPH_HOME"/{logs,ralph/old,ralph/gone}
sleep 60 &
sleeper=$!
cat >"$RALPH_HOME/state.json" <<END
{
  "workers": [
    {"name": "server", "status": "running", "cmd": ["sleep", "60"], "started": "$(date +%Y-%m-%dT%H:%M:%S.%6N)", "cwd": "/",
     "env": {}, "tags": ["backend", "slow"], "tmux": null, "worktree": null, "pid": $sleeper, "metadata": {}},
    {"name": "old", "status": "running", "cmd": ["claude"], "started": "2024-01-15T10:30:00.000000", "cwd": "/",
     "env": {"A": "b"}, "tags": [], "tmux": {"session": "swarm-12345678", "window": "old", "socket": null},
     "worktree": {"path": "/repo-worktrees/old", "branch": "old", "base_repo": "/repo"}, "pid": null,
     "metadata": {"ralph": true, "ralph_iteration": 7}},
    {"name": "a b/c", "status": "stopped", "cmd": ["true"], "started": "2024-01-15T10:30:00.000000", "cwd": "/",
     "env": {}, "tags": [], "tmux": null, "worktree": null, "pid": null, "metadata": {}},
    {"name": "reused", "status": "running", "cmd": ["sleep", "60"], "started": "2020-01-15T10:30:00.123456", "cwd": "/",
     "env": {}, "tags": [], "tmux": null, "worktree": null, "pid": $sleeper, "metadata": {}}
  ]
}
END
cat >"$RALPH_HOME/ralph/old/state.json" <<'END'
{"worker_name": "old", "prompt_file": "/repo/PROMPT.md", "max_iterations": 100, "current_iteration": 7, "status": "running",
 "started": "2024-01-15T10:30:00.000000", "last_iteration_started": "2024-01-15T12:45:00.000000", "consecutive_failures": 0,
 "total_failures": 2, "done_pattern": "All tasks complete", "inactivity_timeout": 60, "monitor_pid": 12}
END
sed 's/"old"/"gone"/; s/"status": "running"/"status": "stopped"/; s/"All tasks complete"/null/' \
	"$RALPH_HOME/ralph/old/state.json" >"$RALPH_HOME/ralph/gone/state.json"
echo '2024-01-15T10:30:00 [START] iteration 1/100' >"$RALPH_HOME/ralph/gone/iterations.log"
echo 'listening' >"$RALPH_HOME/logs/server.stdout.log"
cp -r "$RALPH_HOME" before

run "$SWARM" ls
exit_is 0 "the workers are listed"
is "$(sed -E 's/ +$//; s/ [0-9]+[smd] / D /' "$T/out" | tr -s ' ')" "NAME STATUS PID/WINDOW STARTED WORKTREE TAG
server running $sleeper D - backend,slow
old stopped swarm-12345678:old D /repo-worktrees/old -
a b/c stopped - D - -
reused stopped $sleeper D - -" "with their process, window, worktree and tags"
run "$SWARM" ls --tag slow --format names
is "$out" "server" "a tag finds them"
run "$SWARM" ls --tag back --format names
is "$out" "" "but not a part of one"
run "$SWARM" ls --format json
is "$(jq -c '.[1] | [.status, .env, .tmux, .worktree, .metadata]' <<<"$out")" \
	'["stopped",{"A":"b"},{"session":"swarm-12345678","window":"old","socket":null},{"path":"/repo-worktrees/old","branch":"old","base_repo":"/repo"},{"ralph":true,"ralph_iteration":7}]' \
	"the whole records"
run "$SWARM" status server
exit_is 0 "one that runs"
like "$out" "^server: running \\(pid $sleeper, uptime [0-9]+s\\)\$" "is told"
run "$SWARM" status reused
exit_is 1 "one whose number another process has now"
like "$out" "^reused: stopped " "does not run"
run "$SWARM" wait reused
is "$status $out" "0 reused: exited" "and nobody waits for that process"
run "$SWARM" status old
exit_is 1 "one whose window is gone"
like "$out" '^old: stopped \(tmux window swarm-12345678:old, worktree /repo-worktrees/old, uptime [0-9]+d\)$' "too"
run "$SWARM" status 'a b/c'
exit_is 1 "a name that we would not give is known"
run "$SWARM" logs server
is "$status $out" "0 listening" "its log is read"
run "$SWARM" logs 'a b/c'
is "$status $err" "1 swarm: no logs found for a b/c" "where there is one"

run "$SWARM" ralph status old
exit_is 0 "its loop"
is "$out" "Ralph Loop: old
Status: running (but nothing of it runs; it was started by another program)
Iteration: 7/100
Started: 2024-01-15 10:30:00
Current iteration started: 2024-01-15 12:45:00
Consecutive failures: 0
Total failures: 2
Inactivity timeout: 60s
Done pattern: All tasks complete" "as its state.json has it"
run "$SWARM" ralph status server
is "$status $err" "1 swarm: error: worker 'server' is not a ralph worker" "a plain worker has none"
run "$SWARM" ralph list
is "$(sed 's/  *$//' "$T/out")" "NAME  RALPH_STATUS  WORKER_STATUS  ITERATION  FAILURES
old   running       stopped        7/100      0/2
gone  stopped       removed        7/100      0/2" "loops, also of workers that were removed"
run "$SWARM" ralph logs gone
is "$status $out" "0 2024-01-15T10:30:00 [START] iteration 1/100" "and their events"
run "$SWARM" send old hello
is "$status $err" "1 swarm: error: worker 'old' is not running" "nobody types to what is gone"
ok "looking changes nothing" diff -r before "$RALPH_HOME"

# New workers beside the old ones, and in their place.
"${loop[@]}" old --max-iterations 1 -- "$AGENT" -e 'println new' >old.out
is "$(jq -c '[.workers[] | [.name, .pid == '$sleeper']]' "$RALPH_HOME/state.json")" '[["server",true],["old",false],["a b/c",false],["reused",true]]' \
	"a worker of that name takes its place, the others stay"
is "$(jq -c '[.monitor_pid, .current_iteration]' "$RALPH_HOME/ralph/old/state.json")" '[12,1]' "keys of others stay in its state"
run "$SWARM" logs old
is "$out" "new" "and it is ours now"
run_bg "$SWARM" wait server
kill "$sleeper"
wait "$sleeper" 2>/dev/null
end_bg 20 "$bg"
is "$status $out" "0 server: exited" "the end of a process of others is waited for"
no_leftovers "nothing goes on"
done_testing
