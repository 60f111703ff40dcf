#!/usr/bin/env bash
# A ticket's id, or its session's nickname, in the place of a loop's NAME: what shows something takes it for
# the loop that has it; what acts on a whole loop says what to type.
. "$(dirname "$0")/tickets.sh"

new_project
ticket d-1
ticket d-2
for id in d-1 d-2; do
	does "$id" <<'SCRIPT'
echo "here is $id"; note "ready $id"; after go; close_ticket; commit
SCRIPT
done
work_on_bg --parallel 2 --name p
wait_for 20 said "$T/log" '^ready' 2
nick=$(sed -n "s/^Launching dispatch for d-2\\.\\.\\. session=//p" "$T/bg.$bg.err")
like "$nick" '^[a-z]+-[a-z]+$' "a ticket's session has a nickname"

for who in d-2 "$nick"; do
	run "$RALPH" status "$who"
	exit_is 0 "status of $who"
	like "$out" '^Ralph Loop: p'$'\n' "is that of its loop"
	like "$err" "^ralph: $who is a (ticket|session) of p\$" "which is said"
	run "$RALPH" status --json "$who"
	is "$(jq -r .name <<<"$out")" p "also as JSON"
	shows() { [[ $(attached "$who") == *"here is d-2"* ]]; }
	ok "attach shows its agent" wait_for 20 shows
	for command in stop wait resume pause nudge; do
		run "$RALPH" "$command" "$who"
		like "$status $err" "^1 ralph: error: $who is a (ticket|session) of p: ralph $command p\$" "$command says what to type"
	done
done
ok "nothing happened to the loop" field_is p .status running
echo go >>"$T/log"
end_bg 30 "$bg"
run "$RALPH" stop d-2
like "$status $err" "^1 ralph: error: d-2 is a ticket of p: ralph stop p\$" "so it is when it is over"
run "$RALPH" stop d-3
like "$status $err" "^1 ralph: error: no loop named 'd-3'" "what nobody has is said as ever"

# An earlier run, and what an earlier run had.
ticket d-4
does d-4 <<'SCRIPT'
echo "here is d-4"; close_ticket; commit
SCRIPT
work_on --name p
for command in stop wait resume pause; do
	run "$RALPH" "$command" p@2
	is "$status $err" "1 ralph: error: p@2 is an earlier run, which is over; ralph status p@2 shows it" "$command of an earlier run"
	run "$RALPH" "$command" p@9
	like "$status $err" "^1 ralph: error: there is no run 9 of 'p'" "$command of none"
	run "$RALPH" "$command" d-2
	is "$status $err" "1 ralph: error: d-2 is a ticket of p@2, an earlier run, which is over; ralph status p@2 shows it" \
		"$command of a ticket of it"
done
run "$RALPH" logs d-2
exit_is 0 "logs finds it"
like "$out" 'here is d-2' "with its words"
is "$err" "ralph: d-2 is a ticket of p@2, an earlier run" "and says where"
run "$RALPH" status d-2
like "$out" '^Ralph Loop: p@2'$'\n' "status does, too"
is "$err" "ralph: d-2 is a ticket of p@2, an earlier run" "and says so"
ok "and export" "$RALPH" export -o "$T/cast" d-2
run "$RALPH" logs d-4
is "$status $err" "0 " "what the present run has goes before"
run "$RALPH" wait p@1
is "$status $out" "0 p: complete (no_work)" "p@1 is p"
no_leftovers "nothing goes on"
done_testing
