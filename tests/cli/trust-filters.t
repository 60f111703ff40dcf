#!/usr/bin/env bash
# Filters that an agent plants never run in our git, and nothing lands unfiltered because of them.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
marker=$T/marker
export marker

# What an agent adds at its end: its own git must not run them either.
cat >"$T/plant" <<'END'
git config filter.evil.clean "sh -c 'echo clean >>$marker; cat'"
git config filter.evil.smudge "sh -c 'echo smudge >>$marker; cat'"
git config filter.evil.process "sh -c 'echo process >>$marker'"
git config merge.evil.driver "sh -c 'echo merge >>$marker'"
git config diff.evil.textconv "sh -c 'echo textconv >>$marker'"
END
export T

ticket t-1
ticket t-2 deps=t-1
does t-1 'work; close_ticket; echo left >left.txt; . "$T/plant"'
work_on --on-alert "cat >>$T/alerts"
exit_is 0 "settings that nothing uses are in nobody's way"
ok "the work is there" has main out/t-1
ok "what was left uncommitted, too" has main left.txt
ok "and the next ticket's" has main out/t-2
not_ok "none of the commands has run" test -e "$marker"
is "$(grep -c 'without effect until' "$T/alerts")" 1 "it is said once"
like "$(cat "$T/alerts")" 'git filter\.evil\.clean' "by name"
not_ok "ralph trust --list says so by its exit" "$RALPH" trust --list
like "$("$RALPH" trust --list)" '\+ sh -c .echo clean' "and shows it"

# Attributes beside the repository: every file would be filtered.
ticket t-3
does t-3 'work; close_ticket; echo "* filter=evil" >"$(git rev-parse --git-common-dir)/info/attributes"'
work_on
exit_is 11 "an attribute that names such a filter stops the landing"
like "$err" "filter 'evil' was changed while an agent worked.*ralph trust" "with a sentence"
unlike "$err" 'not trusted.*not trusted.*not trusted since' "not a second one for the same change"
not_ok "nothing has run" test -e "$marker"
not_ok "nothing landed" has main out/t-3
ok "the work is kept" grep -rqs 'work of t-3' .tf/ralph/worktrees
rm .git/info/attributes

# Attributes in the tree itself.
ticket t-4
does t-4 'work; close_ticket; echo "* filter=evil" >.gitattributes'
work_on --new-run
like "$err" "filter 'evil' was changed while an agent worked" "the same for attributes that the work brings along"
not_ok "nothing has run then, either" test -e "$marker"
not_ok "and nothing landed" has main out/t-4

# Taken away again: all is as it was.
rm .git/info/attributes # of t-3, which was tried again
git config --remove-section filter.evil
git config --remove-section merge.evil
git config --remove-section diff.evil
ok "what is as it was before needs no trust" "$RALPH" trust --list
no_leftovers "nothing goes on"
done_testing
