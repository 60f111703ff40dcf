#!/usr/bin/env bash
# ralph logs -f of a loop with several agents at once shows all of them as they write, each line with its task.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do
	ticket "$id"
	does "$id" <<'SCRIPT'
echo "$id begins"; note "ready $id"; after "go $id"
for i in $(seq 1 50); do echo "$id line $i"; done
printf 'half of %s' "$id"; note "half $id"; after "on $id"; echo ', and the rest'
work; close_ticket; commit
SCRIPT
done
# What of this task was printed, without the headers; and the headers.
lines_of() { sed -n "s/^\\[$1\\] //p" "$T/bg.$follower.out"; }
headers_of() { grep "^==> $1, " "$T/bg.$follower.out"; }
work_on_bg --parallel 2
loop_pid=$bg
wait_for 30 said "$T/log" '^ready' 2
mapfile -t now < <(sed -n 's/^ready //p' "$T/log" | sort)
later=$(printf '%s\n' pt-1 pt-2 pt-3 "${now[@]}" | sort | uniq -u)
run_bg "$RALPH" logs -f project-loop
follower=$bg
for id in "${now[@]}"; do
	wait_for 30 said "$T/bg.$follower.out" "^\\[$id\\] $id begins\$"
done
pass "both that work are shown while they do"
echo "go ${now[1]}" >>"$T/log"
wait_for 30 said "$T/log" "^half ${now[1]}"
wait_for 30 said "$T/bg.$follower.out" "^\\[${now[1]}\\] ${now[1]} line 50\$"
pass "also the second one, while the first one is still at work"
not_ok "a line that is not whole yet waits" said "$T/bg.$follower.out" "half of"
echo "on ${now[1]}" >>"$T/log"
wait_for 30 said "$T/bg.$follower.out" "^\\[$later\\] $later begins\$"
pass "one that begins later joins in"
run "$RALPH" logs -f --raw project-loop
exit_is 1 "the bytes of several agents are not mixed"
like "$err" 'choose one by its task' "it says what to do"
for id in "${now[0]}" "$later"; do
	printf 'go %s\non %s\n' "$id" "$id" >>"$T/log"
done
end_bg 60 "$follower"
exit_is 0 "it ends with the loop"
for id in pt-1 pt-2 pt-3; do
	is "$(lines_of "$id")" "$id begins
$(seq -f "$id line %g" 1 50)
half of $id, and the rest" "$id: all that it wrote, each line once, with its task in front"
	like "$(headers_of "$id" | head -n 1)" \
		"^==> $id, iteration [123], session [a-z]+-[a-z]+: started [0-9-]+ [0-9:]+ <==$" "$id: a header tells when it began"
	like "$(headers_of "$id")" "
==> $id, iteration [123], session [a-z]+-[a-z]+: done, after [0-9a-z ]+ <==
==> $id, iteration [123], session [a-z]+-[a-z]+: landed, merged <==$" "$id: then how it ended, and what became of its work"
	is "$(headers_of "$id" | wc -l)" 3 "$id: once"
done
is "$(grep -cvE '^(\[pt-[123]\] |==> pt-[123], )' "$T/bg.$follower.out")" 0 "every line says whose it is"
unlike "$out" $'\033' "there are no colours without a terminal"
end_bg 60 "$loop_pid"
exit_is 0 "all tickets are done"

run "$RALPH" logs -f project-loop
like "$out" "^pt-[123] begins
pt-[123] line 1
" "of a loop that is over, the last session is shown, alone"
run "$RALPH" logs -i 1 project-loop
like "$out" "^pt-[123] begins
pt-[123] line 1
" "one session alone has neither headers nor tasks"
run "$RALPH" logs -f -i 1 project-loop
like "$out" "^pt-[123] begins
pt-[123] line 1
" "nor when it is followed"
no_leftovers "nothing goes on"
done_testing
