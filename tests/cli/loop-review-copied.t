#!/usr/bin/env bash
# What a worktree got a copy of, ignored or not, is nobody's work and in nobody's way.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/p"
config '{"copy":[".env","deep/key","cache","plain","tree","odd[1]*"]}'
printf '.env\ndeep/\ncache/\n' >>.gitignore
ticket a && ticket b && commit
mkdir deep cache tree
for file in .env deep/key cache/x plain tree/y 'odd[1]*'; do echo secret >"$file"; done
cat >"$T/agent" <<SCRIPT
#!/bin/sh
cat .env deep/key cache/x plain tree/y odd* >/dev/null || exit 9
[ "\$RALPH_TICKET" = a ] && . "$worker" && exit 0
echo half >half
exit 1
SCRIPT
chmod +x "$T/agent"
looped -- "$T/agent"
like "$err" 'a: COMPLETE' "work beside copies lands"
is "$(git show main:out-a)" "work of a" "all of it"
is "$(git show refs/ralph/failed/b/1:half)" half "what failed is kept"
for rev in main refs/ralph/failed/b/1; do
	is "$(git ls-tree -r --name-only "$rev" | grep -cE 'env|deep|cache|plain|tree|odd')" 0 "no copy is in $rev"
done
is "$(ls .tf/ralph/worktrees)" "" "and no worktree is left"
done_testing
