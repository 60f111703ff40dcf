#!/usr/bin/env bash
# A project below the top of its repository: its paths are meant as it has them.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/p"
mkdir pkg && mv .tickets .tf pkg/ && printf '.env\n' >.gitignore && cd pkg || exit 1
config '{"copy":[".env"],"verify":"test -e .env"}'
echo SECRET=1 >.env
echo 'one' >.tf/ralph/AGENTS.md
ticket a && git -C .. add -A && commit
cat >"$T/agent" <<SCRIPT
#!/bin/sh
cp .env got
echo mine >.tf/ralph/AGENTS.md
mkdir -p .tf/knowledge/tickets/a
printf 'Summary: it is done\n' >.tf/knowledge/tickets/a/close-summary.md
. "$worker"
SCRIPT
chmod +x "$T/agent"
looped -- "$T/agent"
exit_is 0 "it lands"
is "$(git show main:pkg/got)" SECRET=1 "with the copied file"
is "$(git show main:pkg/.tf/ralph/AGENTS.md)" one "without what never lands"
like "$(cat .tf/ralph/progress.md)" 'Summary: it is done' "and the agent's summary was found"
done_testing
