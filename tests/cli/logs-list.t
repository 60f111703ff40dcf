#!/usr/bin/env bash
# ralph logs --list shows which iterations of a loop are kept; a session is found by its task, too.
. "$(dirname "$0")/tickets.sh"

echo 'do it' >prompt
printf '%s\n' 'when-iteration 2 exit 4' 'sh printf 12345' >agent.txt
run "${loop[@]}" plain --max-iterations 3 -- "$AGENT" agent.txt
run "$RALPH" logs --list plain
exit_is 0 "the iterations of a loop are listed"
like "$(sed -n 1p <<<"$out")" '^ITERATION +TASK +NAME +STARTED +DURATION +VERDICT +BYTES *$' "under headings"
is "$(awk 'NR > 1 { print $1, $2, $3, $7, $8 }' <<<"$out")" "1 - - done 5
2 - - failed 0
3 - - done 5" "with number, verdict and size"
like "$out" "
1 .* [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} +[0-9a-z]+ +done" "and when it began, and how long it took"
run "$RALPH" logs --list --json plain
is "$(jq -c '.[] | [.iteration, .task, .verdict, .exit_code, .bytes, (.seconds >= 0), (.started | fromdateiso8601? // sub("\\.[0-9]+Z$"; "Z") != "")]' <<<"$out" | head -n 2)" \
	'[1,null,"done",0,5,true,true]
[2,null,"failed",4,0,true,true]' "or as JSON"
rm -r "$RALPH_HOME/loops/plain/sessions"/*-1
run "$RALPH" logs --list plain
is "$(awk 'NR > 1 { print $1 }' <<<"$out")" "2
3" "what is not kept any more is not listed"
run "$RALPH" logs -i 1 plain
is "$status $err" "1 ralph: error: there is no recording of iteration 1 of 'plain' (ralph logs --list plain shows those there are)" \
	"who asks for it learns where to look"
run "$RALPH" logs --json plain
exit_is 2 "--json is for the list"
run "$RALPH" logs --list -f plain
exit_is 2 "which cannot be followed"

new_project
for id in pt-1 pt-2; do
	ticket "$id"
	does "$id" <<'SCRIPT'
echo "here is $id, attempt $RALPH_ATTEMPT"; note "ready $id"; after "go $id"
[[ $RALPH_ATTEMPT == 2 || $id == pt-2 ]] || exit 1
work; close_ticket; commit
SCRIPT
done
config maxIterationsPerTicket 2
config retryOn '["exit"]'
work_on_bg --parallel 2
loop_pid=$bg
wait_for 30 said "$T/log" '^ready' 2
for id in pt-1 pt-2; do
	run "$RALPH" logs "$id"
	is "$status $out" "0 here is $id, attempt 1" "$id: its session, while both work"
done
run_bg "$RALPH" logs -f pt-2
follower=$bg
wait_for 30 said "$T/bg.$follower.out" 'here is pt-2'
run "$RALPH" logs --list project-loop
is "$(awk 'NR > 1 { print $2, $7 }' <<<"$out" | sort)" "pt-1 running
pt-2 running" "the list has the tasks, and who works"
name=$(awk '$2 == "pt-2" { print $3 }' <<<"$out")
run "$RALPH" logs "$name"
is "$out" "here is pt-2, attempt 1" "and the names by which sessions are found, too"
echo 'go pt-2' >>"$T/log"
end_bg 30 "$follower"
is "$status $out" "0 here is pt-2, attempt 1" "a task that is followed is followed to its agent's end"
wait_for 30 field_is project-loop .completed 1
run "$RALPH" logs pt-2
is "$out" "here is pt-2, attempt 1" "it is found when it is over"

# The same ids in another project, whose loop is over.
project=$T/work/other
(
	new_project
	ticket pt-1
	commit_tickets
	"$RALPH" loop -- sh -c 'echo "of the other project"; exit 1' >"$T/other.log" 2>&1
)
project=$T/work/project
run "$RALPH" logs pt-1
is "$out" "here is pt-1, attempt 1" "in its project an id means that project's task"
cd "$T/work/other" || exit 1
run "$RALPH" logs pt-1
is "$out" "of the other project" "and in another one that one's"
cd "$T" || exit 1
run "$RALPH" logs pt-1
is "$out" "here is pt-1, attempt 1" "anywhere else the one that works"
cd "$project" || exit 1
echo 'go pt-1' >>"$T/log"
end_bg 60 "$loop_pid"
run "$RALPH" logs pt-1
like "$out" "here is pt-1, attempt [12]" "of several attempts the last one"
cd "$T" || exit 1
run "$RALPH" logs pt-1
exit_is 1 "what several loops have is not guessed"
like "$err" "several loops have a session 'pt-1': other-loop, project-loop;" "they are named"
run "$RALPH" logs pt-99
is "$status $err" "1 ralph: error: no loop named 'pt-99' (ralph ls shows those there are)" "nobody has that one"
no_leftovers "nothing goes on"
done_testing
