#!/usr/bin/env bash
# Whenever a run ends or leaves while merges wait, somebody is told; and when it begins beside changes that could make them wait.
. "$(dirname "$0")/tickets.sh"

alerted() { grep -qE 'not on its branch yet: 1 merge waits in refs/ralph/land/main \(pt-1\)' "$T/alerts"; }
# shellcheck disable=SC2016 # for the shell that runs it
loops() { run "$RALPH" loop --name "$1" --on-alert 'cat >>"$T/alerts"' "${@:2}" -- "$T/worker" '{ticket}' '{file}'; }

new_project
ticket pt-1 priority=0
ticket pt-2
does pt-1 'echo by pt-1 >>file; close_ticket; commit'
does pt-2 "echo begun >'$T/begun'; hang"
commit_tickets
echo "the user's" >>file
echo new >untracked
loops l --max-iterations 1
exit_is 10 "a run whose iterations ran out"
ok "tells of the merge that waits" alerted
is "$(grep -c 'merges that touch' <<<"$err")" 1 "it said at its beginning what may be in the way, once"
like "$err" '1 file in .*/project has changes \(file\): merges that touch it wait' "and named it"

: >"$T/alerts"
config maxRuntimeMs 15000
loops l
exit_is 10 "one whose time is over"
ok "does so, too" alerted
config maxRuntimeMs 0

: >"$T/alerts"
rm -f "$T/begun"
# shellcheck disable=SC2016 # for the shell that runs it
run_bg "$RALPH" loop --name l --on-alert 'cat >>"$T/alerts"' -- "$T/worker" '{ticket}' '{file}'
ok "one that works" wait_for 60 test -s "$T/begun"
run "$RALPH" stop l
end_bg 60 "$bg"
ok "one that is stopped does" wait_for 60 alerted

: >"$T/alerts"
rm -f "$T/begun"
loops l --once
exit_is 0 "one that only looks once"
ok "does as well" wait_for 60 alerted
run "$RALPH" stop l

git checkout -q file
rm .tickets/pt-2.md
git add -A .tickets && git commit -qm "without pt-2"
: >"$T/alerts"
loops m
exit_is 0 "when nothing is in the way"
is "$(cat "$T/alerts")" "" "nobody is told"
unlike "$err" 'merges that touch' "and nothing said at the beginning: untracked files are no changes"
done_testing
