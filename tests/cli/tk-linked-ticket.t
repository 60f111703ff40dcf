#!/usr/bin/env bash
# A ticket that is a link stays one, and the file that it leads to is changed: by a person's commands, by a loop and its
# agents.  A link that an agent makes, and that leads out of the project, is refused.
. "$(dirname "$0")/tickets.sh"

new_project untracked
mkdir "$T/shared"
for id in pt-1 pt-2; do
	ticket "$id"
	mv ".tickets/$id.md" "$T/shared/$id.md"
	ln -s "$T/shared/$id.md" ".tickets/$id.md"
done
chmod 640 "$T/shared/pt-1.md"

run "$RALPH" tk start pt-1
exit_is 0 "a linked ticket is started"
like "$(cat "$T/shared/pt-1.md")" 'status: in_progress' "where it is"
ok "the link stays" test -L .tickets/pt-1.md
is "$(stat -c %a "$T/shared/pt-1.md")" 640 "and the mode"
run "$RALPH" tk add-note pt-1 "a word"
like "$(cat "$T/shared/pt-1.md")" 'a word' "a note goes there, too"
run "$RALPH" tk dep pt-1 pt-2
like "$(cat "$T/shared/pt-1.md")" 'deps: \[pt-2\]' "and a dependency"
run "$RALPH" tk undep pt-1 pt-2
run "$RALPH" tk reopen pt-1
is "$(ls -A "$T/shared")" $'pt-1.md\npt-2.md' "nothing else is left there"

does pt-1 'work; promise'
does pt-2 <<'SCRIPT'
work; "$RALPH" tk close pt-2; promise
SCRIPT
work_on --no-worktree
exit_is 0 "a loop does them"
like "$(cat "$T/shared/pt-1.md")" 'status: closed' "and closes one where it is"
like "$(cat "$T/shared/pt-2.md")" 'status: closed' "as the agent does with its own"
ok "both stay links" test -L .tickets/pt-1.md -a -L .tickets/pt-2.md

# An agent's own link.
rm -rf "$project"
new_project untracked
ticket pt-3
does pt-3 <<'SCRIPT'
cd "$T/work/project"
mv .tickets/pt-3.md "$T/theirs.md" && ln -s "$T/theirs.md" .tickets/pt-3.md
"$RALPH" tk close pt-3 >"$T/said" 2>&1; echo "$?" >>"$T/said"
cp "$T/theirs.md" "$T/then.md"
rm .tickets/pt-3.md && mv "$T/theirs.md" .tickets/pt-3.md
work; promise
SCRIPT
work_on --no-worktree
exit_is 0 "a loop whose agent makes a link"
like "$(cat "$T/said")" "\\.tickets/pt-3\\.md leads out of the project, to $T/theirs\\.md, by a link" "which is refused"
is "$(tail -n 1 "$T/said")" 1 "by the agent's command"
unlike "$(cat "$T/then.md")" 'status: closed' "nothing is written through it"
done_testing
