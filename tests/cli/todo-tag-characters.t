#!/usr/bin/env bash
# Tag characters (U+E0000 to U+E007F), which nobody sees, in what a worker says: neither facts nor views,
# list, commits or the next worker have them; the recording has all that came.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
tag=$'\U000E0041'
bytes=$'\xf3\xa0'
project "- [ ] T001: By the com${tag}mand" '- [ ] T002: By a tag' '- [ ] T003: Asks' '- [ ] T004: Summary' \
	'- [ ] T005: A file of its own' "- [ ] T006: Its li${tag}ne" "- [ ] T007: Was **BLOCKED** - some${tag}thing"
worker <<END
case \$TASK.\$KIND in
T001.task) ralph blocked 'be${tag}cause' ;;
T002.task) tag 'BLOCKED:no${tag} key' ;;
T003.task) ralph stuck 'which${tag} file?' ;;
T003.help) echo three >three.txt; ralph done --summary 'th${tag}ree' ;;
T004.task) echo four >four.txt; ralph done --summary 'fo${tag}ur
and${tag} more' ;;
T005.task)
	echo five >five.txt
	mkdir -p ai/ralph/results
	echo '{"task_id":"T005","completed_at":"x","status":"done","summary":"fi${tag}ve","files_modified":[]}' >ai/ralph/results/T005.done.json
	tag DONE
	;;
T006.task) echo six >six.txt; ralph done ;;
esac
END
todo --help-command "cat >$T/asked; echo here" --on-alert "cat >>$T/alerts" --json
exit_is 11 "some are blocked"
clean() { # NAME TEXT WORDS
	like "$2" "$3" "$1 has the words"
	unlike "$2" "$bytes|\\\\u[{]?[EeDd][0Bb][04]" "and not what nobody sees"
}
clean "what is said" "$out$err" 'T001 is blocked \(because\), T002 is blocked \(no key\)'
clean "the end of it" "$out$err" 'T007 is blocked \(something\)'
clean "an alert" "$(cat "$T/alerts")" 'T001 is blocked: because'
clean "a question" "$(cat "$T/asked")" '"which file\?"'
clean "the journal" "$(cat "$journal")" 'because'
clean "state.json" "$(cat ai/ralph/state.json)" 'which file\?'
clean "activity.md" "$(cat ai/ralph/activity.md)" 'By the command'
clean "a commit" "$(git log --format=%B)" 'T004: four.*and more.*T003: three'
clean "one by a file" "$(git log --format=%B)" 'T005: five'
clean "one of a title" "$(git log --format=%B)" 'T006: Its line'
clean "the done file" "$(cat ai/ralph/results/T004.done.json)" 'four'
clean "ls" "$("$RALPH" ls 2>&1)" "$name"
clean "status" "$("$RALPH" status "$name" && "$RALPH" status --json "$name")" "$name"
like "$(grep -a T001 ai/todo.md)" '\*\*BLOCKED\*\* - because$' "the list has the reason"
like "$(grep -a T002 ai/todo.md)" '\*\*BLOCKED\*\* - no key$' "of a tag, too"
is "$(grep -ac "$bytes" ai/todo.md)" 3 "what somebody else wrote there stays as it is"
for view in ai/ralph/*.json ai/task-meta.json "$RALPH_HOME"/state.json "$RALPH_HOME/ralph/$name"/*; do
	[[ ! -f $view ]] || not_ok "${view##*/} has none" grep -qaE "$bytes|\\\\u[Dd][Bb]40" "$view"
done
ok "the recording has what came" grep -rqaF -e "no$bytes" "$RALPH_HOME/loops/$name/sessions"
no_leftovers "nothing goes on"
done_testing
