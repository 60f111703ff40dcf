#!/usr/bin/env bash
# W28: an agent that merely shows certain words is left alone; one that is alive but of no use is not.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; println Compacting conversation; println context: 99%; println Select login method; sleep 2000; println done' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
is "$status $(grep -c 'completed (exit: 0' <<<"$out") $(wc -l <starts)" "0 2 2" "words on its screen while it works"

# A dialog before it takes a prompt is for people: they are told, and the loop does not hang.
cp "$T/bin/claude" "$T/claude"
cat >"$T/bin/claude" <<'SCRIPT'
#!/bin/bash
stty raw -echo
printf 'Select login method:\r\n> 1. Account\r\n'
IFS= read -r -N 1 _ && touch typed
SCRIPT
run timeout -s INT 60 swarm spawn --name login --ralph --prompt-file ./PROMPT.md --max-iterations 2 --max-failures 1 --inactivity-timeout 1 \
	--on-alert 'cat >>alerts' -- claude
like "$status $out" '^1 .*iteration 1 failed' "a login that nobody answers is a failure"
like "$(jq -r .text alerts)" 'asks something before it takes its prompt; attach to answer' "somebody is told"
not_ok "and nothing was typed into it" test -e typed

# What counts as such is the user's to say, for any program.
mkdir agents
cat >tool <<'SCRIPT'
#!/bin/bash
stty raw -echo
printf 'Context is full\r\n> '
IFS= read -r -N 1 _ && touch typed
SCRIPT
chmod +x tool
echo '{"not_ready": ["^Context is full"]}' >agents/tool.json
rm alerts
run env RALPH_AGENTS="$PWD/agents" timeout -s INT 60 swarm spawn --name full --ralph --prompt-via paste --prompt-file ./PROMPT.md \
	--max-iterations 2 --max-failures 1 --inactivity-timeout 1 --on-alert 'cat >>alerts' -- ./tool
like "$status $(jq -r .text alerts)" '^1 .*asks something before it takes its prompt' "a pattern of the user's own"
not_ok "the same" test -e typed

# Alive, and doing nothing but turning its spinner.
cp "$T/claude" "$T/bin/claude"
rm starts
echo 'count starts; println Compacting conversation; when-iteration 1 spinner 600000' >claude.txt
run timeout -s INT 60 swarm spawn --name stuck --ralph --prompt-file ./PROMPT.md --max-iterations 2 --stall-timeout 1s -- claude
is "$status $(wc -l <starts)" "0 2" "one that is stuck is replaced"
like "$out" 'no progress \(stall timeout\), restarting' "which is said"
no_leftovers "nothing goes on"
done_testing
