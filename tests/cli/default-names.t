#!/usr/bin/env bash
# A loop that nobody named is called after its directory; the name belongs to that directory, and
# another one that is called the same gets a number.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkdir -p a/api b/api c/api
# in_dir DIR OPTION... -- CMD...: a loop without a name
in_dir() { (cd "$1" && exec "$RALPH" run --prompt-file "$T/work/prompt" --max-iterations 1 "${@:2}"); }
quick=(-- "$AGENT" -e 'println x')
archived() { find "$RALPH_HOME/archive" -mindepth 1 -maxdepth 1 -name "$1.*" 2>/dev/null | wc -l; }

run in_dir a/api "${quick[@]}"
like "$out" '^\[ralph\] api-run: starting' "the first one has the usual name"
run in_dir b/api "${quick[@]}"
exit_is 0 "another directory of that name"
like "$out" '^\[ralph\] api-run-2: starting' "gets a number"
is "$(archived api-run)" 0 "and the first one is not put away for it"
is "$(jq -r .settings.cwd "$RALPH_HOME/loops/api-run/spec.json")" "$T/work/a/api" "it is there as it was"
run in_dir b/api "${quick[@]}"
like "$out" '^\[ralph\] api-run-2: starting' "the second one gets its own name again"
is "$(archived api-run-2)" 1 "and puts its own history away"
run in_dir a/api "${quick[@]}"
like "$out" '^\[ralph\] api-run: starting' "so does the first one"
is "$(archived api-run)" 1 "which is all that went"

# The name of one that runs.
run_bg bash -c "cd a/api && exec '$RALPH' run --prompt-file '$T/work/prompt' --max-iterations 1 -- '$AGENT' -e 'count ../../starts; wait-file ../../go'"
wait_for 30 test -s starts
run in_dir b/api "${quick[@]}"
exit_is 0 "while the first one runs, the second one can"
run in_dir a/api "${quick[@]}"
exit_is 1 "but not the first one twice"
like "$err" "loop 'api-run' is already running" "which is said"
touch go
end_bg 30 "$bg"
is "$status" 0 "the first one is not disturbed"

# A name is free when its loop is taken away, and nobody changes his for that.
rm -r "$RALPH_HOME/ralph/api-run"
run in_dir b/api "${quick[@]}"
like "$out" '^\[ralph\] api-run-2: starting' "who has a number keeps it"
run in_dir c/api "${quick[@]}"
like "$out" '^\[ralph\] api-run: starting' "a new one gets the name that is free"
run in_dir a/api "${quick[@]}"
like "$out" '^\[ralph\] api-run-3: starting' "and who lost it the next number"

# A name that is given is everybody's.
run in_dir a/api --name api-run "${quick[@]}"
exit_is 0 "--name takes any name"
is "$(jq -r .settings.cwd "$RALPH_HOME/loops/api-run/spec.json")" "$T/work/a/api" "whosever it was"

# Several at once: each has a name of its own, and nobody's history goes.
pids=()
for n in 1 2 3 4 5; do
	mkdir -p "many$n/app"
	run_bg bash -c "cd many$n/app && exec '$RALPH' run --prompt-file '$T/work/prompt' --max-iterations 1 -- '$AGENT' -e 'println x'"
	pids+=("$bg")
done
codes=
for pid in "${pids[@]}"; do
	end_bg 60 "$pid"
	codes+="$status "
done
is "$codes" "0 0 0 0 0 " "five directories of one name begin at once"
is "$(cd "$RALPH_HOME/loops" && echo app-run*)" "app-run app-run-2 app-run-3 app-run-4 app-run-5" "each has its own name"
is "$(archived 'app-run*')" 0 "and none took another's"
is "$(jq -r .settings.cwd "$RALPH_HOME"/loops/app-run*/spec.json | sort -u | wc -l)" 5 "all of them are there"

# Other kinds.
for d in a b; do
	mkdir -p "$d/list/ai"
	printf '## Claude Tasks\n- [ ] T001: do it\n' >"$d/list/ai/todo.md"
	(cd "$d/list" && "$RALPH" todo --pipe --commit off --max-iterations 1 --max-failures 1 -- false >"$T/todo.$d" 2>&1)
done
ok "ralph todo does the same" test -d "$RALPH_HOME/loops/list-todo-2"
is "$(jq -r .settings.root "$RALPH_HOME"/loops/list-todo{,-2}/spec.json | xargs)" "$T/work/a/list $T/work/b/list" "with the project's directory"
no_leftovers "nothing goes on"
done_testing
