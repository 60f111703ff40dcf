#!/usr/bin/env bash
# ralph loop init makes what is missing and touches nothing else.
. "$(dirname "$0")/../cli/lib.sh"

next='
Next steps:'
run "$RALPH" loop init
exit_is 0 "a project is made"
like "$out" "^Created .tf/ralph/AGENTS.md
Created .tf/ralph/progress.md
Created .tf/ralph/config.json
Created .tf/ralph/.gitignore
$next" "and what was made is told"
# The seed's, byte for byte.
cat >want <<'JSON'
{
  "maxIterations": 50,
  "parallelWorkers": 1,
  "useWorktrees": true,
  "ticketQuery": "tk ready | head -1 | awk '{print $1}'",
  "completionCheck": "tk ready | grep -q .",
  "workflow": "/tf",
  "workflowFlags": "--auto",
  "sleepBetweenTickets": 5000,
  "promiseOnComplete": true
}
JSON
ok "config.json is the seed's" cmp want .tf/ralph/config.json
is "$(head -n 5 .tf/ralph/progress.md)" "# Ralph Loop Progress

## Current State

- Status: IDLE" "progress.md waits"
is "$(head -n 1 .tf/ralph/AGENTS.md)" "# Ralph Loop: Lessons Learned" "AGENTS.md has its title"
is "$(grep -c '^## ' .tf/ralph/AGENTS.md) $(grep -cx -- '---' .tf/ralph/AGENTS.md)" "4 1" \
	"and its sections"
not_ok "no git is touched" test -e .gitignore
is "$(stat -c %a .tf/ralph .tf/ralph/config.json | xargs)" "755 644" "as the umask wants it"

echo '{}' >.tf/ralph/config.json
rm .tf/ralph/progress.md
run "$RALPH" loop init
exit_is 0 "again"
like "$out" "^Exists: .tf/ralph/AGENTS.md
Created .tf/ralph/progress.md
Exists: .tf/ralph/config.json
Exists: .tf/ralph/.gitignore
$next" "only what is missing is made"
is "$(cat .tf/ralph/config.json)" "{}" "and nothing is overwritten"
not_ok "no prompt unasked" test -e .pi

run "$RALPH" loop init --pi --claude
exit_is 0 "prompts for agents"
like "$out" "Created .pi/prompts/ralph-loop.md
Created .claude/commands/ralph-loop.md
" "are made when asked for"
for file in .pi/prompts/ralph-loop.md .claude/commands/ralph-loop.md; do
	is "$(head -n 1 "$file")" "---" "$file begins with its front matter"
	ok "which describes it" grep -q '^description: .' "$file"
	ok "and calls us" grep -qxF "ralph loop \$ARGUMENTS" "$file"
done
ok "Claude may run it" grep -q '^allowed-tools: Bash(ralph loop:\*)$' .claude/commands/ralph-loop.md

# Where: the repository's directory, or the tickets', or here.
mkdir -p repo/deep/er home/.pi home/sub
git init -q repo
(cd repo/deep/er && "$RALPH" loop init) >"$T/said"
ok "in a repository it goes to the top" test -d repo/.tf/ralph
is "$(head -n 1 "$T/said")" "In $PWD/repo:" "which is told"
mkdir tickets tickets/.tickets tickets/sub
(cd tickets/sub && "$RALPH" loop init) >"$T/said"
ok "with tickets it goes beside them" test -d tickets/.tf/ralph
is "$(cd repo/deep && "$RALPH" loop status --json | jq -r .root)" "$PWD/repo" \
	"and is found from below"

run "$RALPH" loop init extra
exit_is 2 "an operand is a usage error"
mkdir ro
touch ro/.tf
cd ro || exit 1
run "$RALPH" loop init
exit_is 0 "a file named .tf is no project"
cd ..
mkdir full
touch full/.git
mkdir full/.tf
touch full/.tf/ralph
cd full || exit 1
run "$RALPH" loop init
exit_is 1 "what cannot be made is an error"
like "$err" "^ralph: error: cannot " "that is told"
done_testing
