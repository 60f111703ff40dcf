#!/usr/bin/env bash
# The commands that are made for Claude Code take the token of the turn from the prompt.
. "$(dirname "$0")/../cli/lib.sh"
mkdir project && cd project || exit 1
run "$RALPH" todo init --claude
exit_is 0 "they are made"
cd .claude/commands || exit 1
ok "/ralph_done has a place for it" grep -q '^ralph done --turn TOKEN --summary' ralph_done.md
ok "/ralph_stuck, too" grep -q '^ralph stuck --turn TOKEN ".ARGUMENTS"$' ralph_stuck.md
ok "progress needs none" grep -q '^ralph progress .ARGUMENTS$' ralph_progress.md
for file in ralph_done.md ralph_stuck.md; do
	ok "$file says where it stands" grep -q '^TOKEN is what stands behind .--turn. in the commands of the last task' "$file"
done
done_testing
