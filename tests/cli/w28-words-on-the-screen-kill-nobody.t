#!/usr/bin/env bash
# W28: an agent that merely speaks of compaction, or of percentages, is left alone.
. "$(dirname "$0")/../cli/seed.sh"

echo 'println Compacting conversation; println context: 99%; println Select login method; println done' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
is "$status $(grep -c 'completed (exit: 0' <<<"$out")" "0 2" "it completes"
no_leftovers "nothing goes on"
done_testing
