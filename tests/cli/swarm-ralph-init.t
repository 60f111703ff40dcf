#!/usr/bin/env bash
# swarm ralph init makes a PROMPT.md to begin with; swarm ralph template prints it.
. "$(dirname "$0")/../cli/lib.sh"

want='study specs/README.md
study CLAUDE.md and pick the most important incomplete task

IMPORTANT:

- do not assume anything is implemented - verify by reading code
- update IMPLEMENTATION_PLAN.md when the task is done
- if tests are missing, add them (choose unit/integration/property as appropriate, follow existing patterns)
- run tests after changes
- commit and push when you are done'

# Scenario: Output template to stdout
run "$SWARM" ralph template
exit_is 0 "the template can be printed"
is "$out" "$want" "to the letter"
is "$(ls)" "" "no files are created"
# Scenario: Pipe template to custom file
"$SWARM" ralph template >BUILD_PROMPT.md
is "$(cat BUILD_PROMPT.md; echo .)" "$want
." "it ends with one newline"
run "$RALPH" run --prompt-file BUILD_PROMPT.md --max-iterations 1 --name piped -- "$AGENT" -e 'read-stdin-to got'
exit_is 0 "and can be used as a prompt"
ok "which arrives" cmp got BUILD_PROMPT.md

# Scenario: Initialize prompt file
run "$SWARM" ralph init
is "$status $out$err" "0 created PROMPT.md" "the file is created"
ok "with the template" cmp PROMPT.md BUILD_PROMPT.md
is "$(stat -c %a PROMPT.md)" 644 "and the user's umask"

# Scenario: Init refuses to overwrite
echo mine >PROMPT.md
run "$SWARM" ralph init
exit_is 1 "a file that is there is not overwritten"
is "$err" "swarm: error: PROMPT.md already exists (use --force to overwrite)" "it says what to do"
is "$(cat PROMPT.md)" mine "and the file stays"

# Scenario: Init with force flag
run "$SWARM" ralph init --force
is "$status $out$err" "0 created PROMPT.md (overwritten)" "--force overwrites it"
ok "with the template" cmp PROMPT.md BUILD_PROMPT.md
rm PROMPT.md
run "$SWARM" ralph init --force
is "$status $out" "0 created PROMPT.md" "what was not there was not overwritten"
rm PROMPT.md
mkdir PROMPT.md
run "$SWARM" ralph init --force
exit_is 1 "a directory cannot be overwritten"
is "$err" "swarm: error: PROMPT.md is not a regular file" "which is said"
run "$SWARM" ralph init more
exit_is 2 "there are no operands"
done_testing
