#!/usr/bin/env bash
# A sparse checkout: what an agent writes outside of its cone lands like all else, and what the checkout leaves out is
# not taken for deleted.
. "$(dirname "$0")/tickets.sh"

new_project
mkdir -p inside outside
echo in >inside/file
echo out >outside/file
git add inside outside && git commit -qm both
git sparse-checkout set --cone inside .tickets .tf
ok "the checkout is sparse" test ! -e outside/file
ticket pt-1
ticket pt-2
ticket pt-3
does pt-1 'mkdir -p outside; echo new >outside/new; echo more >>inside/file; close_ticket'
does pt-2 'mkdir -p outside; echo other >outside/file; close_ticket'
does pt-3 'mkdir -p outside; echo failed >outside/third; exit 1'
work_on
exit_is 11 "two are done, the third failed"
is "$(summary Completed)" "2 (pt-1 pt-2)" "those that wrote outside of the cone are done"
is "$(git show main:outside/new)" "new" "a new file outside of it has landed"
is "$(git show main:outside/file)" "other" "so has one that was changed there"
is "$(git show main:inside/file)" "in
more" "with what was done inside"
is "$(git ls-tree -r --name-only main | sort | xargs)" \
	".tickets/pt-1.md .tickets/pt-2.md .tickets/pt-3.md file inside/file outside/file outside/new" "nothing was removed"
is "$(git show refs/ralph/failed/pt-3/1:outside/third)" "failed" "what failed is kept as well"
is "$(git sparse-checkout list | sort | xargs)" ".tf .tickets inside" "the user's cone is as it was"
done_testing
