#!/usr/bin/env bash
# Two lists of one project, each with a T001: what is said about the one is not said about the other.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: The first of one'
printf -- '- [ ] T001: The first of the other\n' >ai/other.md

# The first list's waits for its commit when the second's is done.
cat >.git/hooks/pre-commit <<'END'
#!/bin/sh
! git diff --cached --name-only | grep -q one.txt
END
chmod +x .git/hooks/pre-commit
worker <<'END'
case $KIND in task) echo 1 >one.txt; ralph done --summary 'one did it' ;; esac
END
todo
exit_is 14 "the first list waits for its commit"
is "$(jq -r .list ai/ralph/results/T001.done.json)" ai/todo.md "the done file names its list"
worker <<'END'
case $KIND in task) echo 2 >two.txt; ralph done --summary 'the other did it' ;; esac
END
todo ai/other.md
exit_is 0 "the other list is done"
is "$(commits)" "T001: the other did it" "with its own words"
is "$(jq -r .list ai/ralph/results/T001.done.json)" ai/other.md "the file is the other's now"
rm .git/hooks/pre-commit
todo
exit_is 0 "the commit that waited is made"
is "$(commits | paste -sd,)" "T001: one did it,T001: the other did it" "with its own words, too"
unlike "$out" 'marked by others' "and whoever was done through us is not called another's"

# The same where the first list's commit was ready, and HEAD could not be moved to it.
list '- [ ] T002: The second of one'
printf -- '- [ ] T002: The second of the other\n' >ai/other.md
worker <<'END'
case $KIND in task) echo 1 >more.txt; touch .git/HEAD.lock; ralph done --summary 'one went on' ;; esac
END
todo
exit_is 14 "somebody has HEAD locked"
rm .git/HEAD.lock
worker <<'END'
case $KIND in task) echo 2 >>two.txt; ralph done --summary 'the other went on' ;; esac
END
todo ai/other.md
exit_is 0 "the other list goes on"
todo
exit_is 0 "so does the first"
is "$(git log --format=%s -- more.txt)" "T002: one went on" "its commit is its own, and not the other's T002"

# The worker of a run that was killed says done while the other list is worked through.
list '- [ ] T001: Again'
printf -- '- [ ] T001: Another\n' >ai/other.md
rm -rf ai/ralph/results "${led:?}"/*
worker <<'END'
case $KIND in
task)
	: >"$LED/begun"
	until [ -e "$T/go" ]; do sleep 0.05; done
	ralph done --summary 'of the first list' && : >"$T/said"
	;;
esac
END
export T
todo_bg
wait_for 30 test -e "$led/begun"
kill -KILL "$bg"
wait "$bg" 2>/dev/null
mkdir "$T/led2"
cat >"$T/led2/script" <<'END'
tag() { printf '\n<promise>%s</promise>\n' "$1"; }
case $KIND in
task)
	: >"$T/go"
	until [ -e "$T/said" ]; do sleep 0.05; done
	cp ai/ralph/results/T001.done.json "$T/file"
	tag DONE
	;;
reminder) echo 3 >three.txt; command ralph done --turn "$TURN" --summary 'of the second' ;;
esac
END
run timeout 120 "$RALPH" todo ai/other.md --name second -- "$AGENT" -e "led $T/led2"
exit_is 0 "the other list is worked through meanwhile"
is "$(jq -r .summary "$T/file")" "of the first list" "(and had the first one's file before it)"
ok "its worker is told what is missing" test -e "$T/led2/T001.2.reminder"
like "$(cat "$T/led2/T001.2.reminder")" 'another list' "and why"
is "$(git log -1 --format=%s)" "T001: of the second" "it is complete by its own word"
"$RALPH" stop "$name" >/dev/null 2>&1
list '- [x] T001: Ticked by hand'
rm -f ai/ralph/results/T001.done.json.stale.*
printf '{"task_id":"T001","status":"done","summary":"s","files_modified":[],"list":"ai/other.md"}\n' >ai/ralph/results/T001.done.json
run "$RALPH" todo --new-run -- "${lead[@]}"
like "$out" 'marked by others: T001' "what the other list's T001 left does not answer for this one's"
no_leftovers "nothing goes on"
done_testing
