#!/usr/bin/env bash
# Edge case: Prompt file can be absolute or relative path (resolved at spawn time).
. "$(dirname "$0")/../cli/seed.sh"

mkdir -p prompts place
echo 'in prompts' >prompts/task.md
echo 'another one' >place/task.md
: >place/claude.txt
cd prompts || exit 1
run swarm spawn --name relative --ralph --prompt-file task.md --max-iterations 2 --cwd ../place -- claude
exit_is 0 "a relative path"
cd ..
is "$(cat place/prompt.2)" "in prompts" "is relative to where spawn was called, in every iteration"
is "$(state_of relative .prompt_file)" "$PWD/prompts/task.md" "the state has the absolute one"
run swarm spawn --name absolute --ralph --prompt-file "$PWD/prompts/task.md" --max-iterations 1 --cwd place -- claude
is "$status $(cat place/prompt.1)" "0 in prompts" "an absolute path"
no_leftovers "nothing goes on"
done_testing
