#!/usr/bin/env bash
# A crash does not make an agent's change look like a person's.
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker
ticket t-1
does t-1 <<'END'
work
git config filter.evil.clean "sh -c 'echo clean >>$marker; cat'"
note planted
after go "$T/go"
END
work_on_bg --name crashed
wait_for 30 grep -q planted "$T/log"
keeper=$(keeper_of crashed)
crash "$(supervisor_of crashed)"
end_bg 20 "$bg"
echo go >"$T/go"
wait_for 30 gone "$keeper"

ticket t-2
for id in t-1 t-2 t-3; do does $id 'work; close_ticket'; done
work_on --name other --new-run
ok "the next loop lands" has main out/t-2
not_ok "but what the agent of a killed loop planted is not agreed to" "$RALPH" trust --list
like "$err" 'git filter\.evil\.clean' "and that is said"
ticket t-3
# Before the attribute is there: the git of this test would run it.
commit_tickets
echo '* filter=evil' >.git/info/attributes
run "$RALPH" loop --name third --new-run -- "$T/worker" '{ticket}' '{file}'
like "$err" "filter 'evil' was changed" "a loop that would need it refuses"
not_ok "it never runs" test -e "$marker"
no_leftovers "nothing goes on"
done_testing
