#!/usr/bin/env bash
# --prompt-command: each iteration's prompt is what a command prints; its exit code and its words
# say when there is nothing left, and what it cannot tell is asked again, never taken for the end.
. "$(dirname "$0")/lib.sh"

# The n-th call does what line n of ./plan says: "STATUS TEXT..." (text on stderr unless 0).
cat >next <<'X'
#!/bin/sh
echo x >>calls
set -- $(sed -n "$(wc -l <calls)p" plan)
status=$1
shift
if [ "$status" = 0 ]; then echo "$@"; else echo "$@" >&2; fi
exit "$status"
X
chmod +x next
command_loop=("$RALPH" run --name x --prompt-command ./next --delay 0)

calls_are() {
	rm -f calls seen
	printf '%s\n' "$@" >plan
}

calls_are '0 Your task: T-1 - first' '0 Your task: T-2 - second' '1 All tasks complete'
run "${command_loop[@]}" --json -- "$AGENT" -e 'read-stdin-to seen'
exit_is 0 "all complete"
is "$(jq -r 'select(.event == "started") | .task' <<<"$out" | xargs)" "T-1 T-2" "the prompts name the tasks"
is "$(jq -r 'select(.event == "finished") | .reason' <<<"$out")" no_work "that is the end"

calls_are '0 Your task: T-1' '1 remaining tasks are blocked: T-9 is not complete'
run "${command_loop[@]}" -- "$AGENT" -e "read-stdin-to seen"
exit_is 0 "blocked is no failure"
like "$out" 'what is left is blocked \(remaining tasks are blocked: T-9 is not complete\)' "but it is said, before \"complete\""

calls_are '2 yaml: bad indent' '0 Your task: T-1' '1 nothing to do'
run "${command_loop[@]}" -- "$AGENT" -e "read-stdin-to seen"
exit_is 0 "an error is not the end"
like "$out" 'error: the prompt command ended with 2: yaml: bad indent; asking again in 1s' "it is said, and asked again"
like "$out" 'iteration 1: T-1 ended' "and the work goes on"

calls_are '1 You are already working on T-1. Complete it or reset it.' '1 all complete'
run "${command_loop[@]}" -- "$AGENT" -e "read-stdin-to seen"
like "$out" 'has nothing to do, but does not say why' "words that only look like success are none"

cat >slow <<'X'
#!/bin/sh
[ ! -e once ] || { echo "all complete" >&2; exit 1; }
touch once
sleep 1000 & echo $! >child
wait
X
chmod +x slow
run "$RALPH" run --name y --prompt-command ./slow --prompt-timeout 1s -- "$AGENT" -e "read-stdin-to seen"
exit_is 0 "a command that hangs"
like "$out" 'error: the prompt command.*asking again' "has a deadline"
ok "and leaves nothing behind" gone "$(cat child)"

run "$RALPH" run --prompt-command ./next --prompt-file plan -- "$AGENT" -e "read-stdin-to seen"
exit_is 2 "not with a prompt file"
mkdir bin
printf '#!/bin/sh\necho "$@" >args\ncat >prompt.seen\n' >bin/claude
chmod +x bin/claude
calls_are '0 Your task: T-7' '1 all complete'
PATH=$PWD/bin:$PATH run "${command_loop[@]}"
exit_is 0 "without a command"
is "$(cat args)" --dangerously-skip-permissions "it is claude"
like "$(cat prompt.seen)" 'T-7' "with the prompt on stdin"
no_leftovers "nothing goes on"
done_testing
