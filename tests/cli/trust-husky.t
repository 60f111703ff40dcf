#!/usr/bin/env bash
# A package manager that sets core.hooksPath in every worktree is in nobody's way.
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker
ticket t-1
ticket t-2
for id in t-1 t-2; do
	does $id <<'END'
mkdir -p .husky/_
for hook in pre-commit post-checkout post-merge reference-transaction post-index-change; do
	printf '#!/bin/sh\necho %s >>"%s"\n' $hook "$marker" >.husky/_/$hook
	chmod +x .husky/_/$hook
done
work; close_ticket
# git refuses while the other agent writes the same file.
until git config core.fsmonitor "sh -c 'echo fsmonitor >>$marker'"; do sleep 0.02; done
until git config core.hooksPath .husky/_; do sleep 0.02; done
END
done
work_on --parallel 2 --on-alert "cat >>$T/alerts"
exit_is 0 "both land"
ok "the first" has main out/t-1
ok "the second" has main out/t-2
not_ok "no hook ran" test -e "$marker"
is "$(grep -c 'without effect until' "$T/alerts")" 1 "the change is said once"
like "$(cat "$T/alerts")" 'git core\.hookspath, git core\.fsmonitor' "by name"
run "$RALPH" trust
exit_is 1 "without a terminal it only shows"
like "$out" '\+ \.husky/_' "what is there now"
is "$(jq -r '."git core.hookspath".now' <<<"$("$RALPH" trust --json)")" .husky/_ "as JSON, too"
no_leftovers "nothing goes on"
done_testing
