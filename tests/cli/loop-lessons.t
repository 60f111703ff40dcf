#!/usr/bin/env bash
# ralph loop lessons: shown, and pruned whoever wrote them.
. "$(dirname "$0")/../cli/lib.sh"

run "$RALPH" loop lessons
exit_is 1 "without a project it fails"
"$RALPH" loop init >/dev/null
run "$RALPH" loop lessons
is "$out" "$(cat .tf/ralph/AGENTS.md)" "they are shown"
run "$RALPH" loop lessons show
is "$out" "$(cat .tf/ralph/AGENTS.md)" "also by name"

# As other programs write the file: no rule between its parts.
{
	printf '# Lessons\n\n## Gotchas\n\nmine\n'
	for i in $(seq 25); do
		printf '\n## Lesson from t-%s (2024-01-01T00:00:00Z)\n\nlesson %s.\n' "$i" "$i"
	done
	printf '\n## Notes\n\nalso mine\n'
} >.tf/ralph/AGENTS.md
run "$RALPH" loop lessons prune
exit_is 0 "pruned"
is "$out" "Removed 5 lessons; at most 20 are kept." "to twenty"
is "$(grep -c '^## Lesson from' .tf/ralph/AGENTS.md)" 20 "which are left"
not_ok "the oldest is gone" grep -q 'lesson 5\.' .tf/ralph/AGENTS.md
ok "the newest is not" grep -q 'lesson 25\.' .tf/ralph/AGENTS.md
is "$(grep -c mine .tf/ralph/AGENTS.md)" 2 "what is no lesson stays"
run "$RALPH" loop lessons prune 1
is "$(grep '^## ' .tf/ralph/AGENTS.md)" "## Gotchas
## Lesson from t-25 (2024-01-01T00:00:00Z)
## Notes" "any number can be kept"
run "$RALPH" loop lessons prune 1
is "$out" "Removed 0 lessons; at most 1 are kept." "again: nothing to do"
run "$RALPH" loop lessons prune 0
is "$(grep -c '^## Lesson' .tf/ralph/AGENTS.md)" 0 "none, too"

for words in 'prune -1' 'prune x' 'prune 5 6' 'forget' 'show it'; do
	# shellcheck disable=SC2086 # words
	run "$RALPH" loop lessons $words
	exit_is 2 "'$words' is a usage error"
done
rm .tf/ralph/AGENTS.md
run "$RALPH" loop lessons
is "$status$out" "0" "no file, no lessons"
printf 'a\033]0;x\007b\n' >.tf/ralph/AGENTS.md
run script -qec "$RALPH loop lessons" /dev/null
unlike "$out" $'\033' "a terminal gets no escape sequences"
no_leftovers "nothing goes on"
done_testing
