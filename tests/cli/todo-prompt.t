#!/usr/bin/env bash
# The prompt is the seed's for a Claude Code that has /ralph_done, /ralph_stuck and /ralph_progress;
# any other worker is told the commands for a shell in their places, and none that it does not have.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Say hello'
worker <<'END'
case $KIND in
task) if [ -e "$LED/tags" ]; then tag DONE; else ralph done --summary hello; fi ;;
reminder) ralph done --summary hello ;;
esac
END
# The worker under the name of Claude Code, with a screen that says it is ready.
cat >"$T/bin/claude" <<END
#!/bin/sh
echo 'bypass permissions on'
exec "$AGENT" -e "led $led"
END
chmod +x "$T/bin/claude"

prompt() { sed "s/$(token T001)/TOKEN/g" "$led/T001.1.task"; }
again() {
	list '- [ ] T001: Say hello'
	rm -rf "$led"/T001.* "$led/log" ai/ralph/results
}

run "$RALPH" todo init --claude
run "$RALPH" todo -- claude
exit_is 0 "Claude Code with its commands"
is "$(prompt)" "# Ralph Task Assignment

**Task ID:** T001
**Description:** Say hello

## Context Files

## Instructions

Execute this task. When FULLY COMPLETE:
1. Run \`/ralph_done\` to signal completion

**IMPORTANT: Do NOT run \`git commit\` or \`git add\`.**
Ralph handles all commits after verification.
Leave your changes unstaged — Ralph will review and commit them.

If STUCK and need help:
- Run \`/ralph_stuck your question here\`
- Wait for Ralph to inject context

For progress updates:
- Run \`/ralph_progress N\` where N is percentage (0-100)

In a shell, \`ralph done --turn TOKEN\`, \`ralph stuck --turn TOKEN \"question\"\`, \`ralph blocked --turn TOKEN \"reason\"\` and \`ralph progress N\` do the same.

## Working Directory
$PWD" "gets the seed's prompt, and a line with the token"

again
mkdir -p "$HOME/.claude"
mv .claude/commands "$HOME/.claude/"
run "$RALPH" todo -- claude
like "$(prompt)" '/ralph_done. to signal completion' "the user's own commands are as good"

again
touch "$led/tags"
todo
exit_is 0 "another worker beside such commands"
is "$(prompt | sed -n '/^## Instructions/,/^## Working/p')" "## Instructions

Execute this task. When FULLY COMPLETE:
1. Run \`ralph done --turn TOKEN\` in a shell to signal completion

**IMPORTANT: Do NOT run \`git commit\` or \`git add\`.**
Ralph handles all commits after verification.
Leave your changes unstaged — Ralph will review and commit them.

If STUCK and need help:
- Run \`ralph stuck --turn TOKEN \"your question here\"\` in a shell
- Wait for Ralph to inject context

If it cannot be done:
- Run \`ralph blocked --turn TOKEN \"reason\"\` in a shell

For progress updates:
- Run \`ralph progress N\` in a shell, where N is percentage (0-100)

## Working Directory" "is told what it has"
ok "it is reminded" gets reminder T001
not_ok "without a word about others' commands, then, too" grep -q /ralph_ "$led"/T001.*.reminder

again
rm -r "$led/tags" "$HOME/.claude/commands"
run "$RALPH" todo -- claude
exit_is 0 "Claude Code without them"
unlike "$(prompt)" /ralph_ "is told of none"
no_leftovers "nothing goes on"
done_testing
