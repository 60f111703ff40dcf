#!/usr/bin/env bash
# Tag characters (U+E0000 to U+E007F) can be read by programs and seen by nobody: no view has them.
. "$(dirname "$0")/tickets.sh"

tag=$'\U000E0001\U000E0049\U000E007F'
new_project
ticket pt-1 "title=One$tag title"
ticket pt-2 "title=Two$tag title"
does pt-1 "work; echo 'a lesson$tag' >\"\$RALPH_LESSON_FILE\"; close_ticket; commit"
does pt-2 "echo 'no$tag way' >&2; exit 3"

clean() { # NAME TEXT WORDS
	like "$2" "$3" "$1 has the words"
	unlike "$2" $'\xf3\xa0' "and not what nobody sees"
}
run "$RALPH" tk ls
clean "tk ls" "$out" 'One title'
run script -qec "$(printf '%q tk show pt-1' "$RALPH")" /dev/null
clean "tk show in a terminal" "$out" 'One title'
work_on --name tags
run "$RALPH" logs tags
clean "logs" "$out" 'no way'
run "$RALPH" loop status
clean "loop status" "$out" 'pt-2'
clean "progress.md" "$(cat .tf/ralph/progress.md)" 'pt-1'
clean "AGENTS.md" "$(cat .tf/ralph/AGENTS.md)" 'a lesson'
clean "the journal" "$(cat "$RALPH_HOME/loops/tags/journal.jsonl")" 'One title'
for view in .tf/ralph/*.json .tf/ralph/*.jsonl "$RALPH_HOME"/state.json; do
	[[ ! -f $view ]] || not_ok "${view##*/} has none" grep -qaE $'\xf3\xa0'"|\\\\u[Dd][Bb]40" "$view"
done
ok "the recording has what came" grep -rqaF -e $'no\xf3\xa0' "$RALPH_HOME/loops/tags/sessions"

# An agent with a terminal.
cd "$T/work" || exit 1
printf 'do it\n' >prompt
ln -s "$AGENT" agent
run_bg "${loop[@]}" screen --pty --prompt-via arg --inactivity-timeout 1000 --max-iterations 1 -- \
	./agent -e "println on${tag} screen; hang"
peeked() {
	run "$RALPH" peek screen
	[[ $out == *screen* ]]
}
wait_for 20 peeked
clean "peek" "$out" 'on screen'
run "$RALPH" stop screen
end_bg 20 "$bg"
run "$RALPH" ls
clean "ls" "$out" 'println on screen'
run "$RALPH" logs screen
clean "logs of a terminal" "$out" 'on screen'
no_leftovers "nothing goes on"
done_testing
