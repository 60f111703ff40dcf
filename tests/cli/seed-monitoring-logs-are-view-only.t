#!/usr/bin/env bash
# Human monitoring: swarm logs --follow is non-interactive; what is typed there reaches no agent.
. "$(dirname "$0")/../cli/seed.sh"
cat >listen.sh <<'SH'
exec 3<&0
while IFS= read -r line <&3; do echo "$line" >>heard; done &
until [ -e go ]; do sleep 0.05; done
kill $!
SH
echo 'count starts; println working; sh bash listen.sh' >claude.txt
run swarm spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- claude
wait_for 20 agents 1
mkfifo keys
swarm logs agent --follow <keys >followed 2>&1 &
follow=$!
exec 7>keys
wait_for 20 said followed working && pass "it shows what the agent writes"
echo 'my words' >&7
swarm send agent 'sent words' >sent
wait_for 20 test -s heard
is "$(cat heard)" "sent words" "only what is sent to the agent is heard"
touch go
exec 7>&-
wait "$follow"
is "$?" 0 "it ends with the loop"
is "$(cat heard)" "sent words" "and nothing came later"
no_leftovers "nothing goes on"
done_testing
