#!/usr/bin/env bash
# An agent that changes many settings cannot push the hook that it planted out of the alert: the worst kinds are named
# first, and how many more there are, of which kind, is said within the alert's length.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
alert() { jq -r 'select(.text | contains("ralph trust")) | .text' "$T/alerts"; }

project '- [ ] T001: Plant'
worker <<'END'
for i in 1 2 3 4 5 6 7 8 9; do git config "alias.a-name-that-takes-a-lot-of-room-$i" '!evil'; done
git config core.autocrlf true
git config filter.mine.clean evil
git config "filter.$(printf %0300d 0).smudge" evil
printf '#!/bin/sh\n' >.git/hooks/pre-push
printf '#!/bin/sh\n' >.git/hooks/post-merge
echo 1 >one
case $KIND in task) done_by_tag ;; esac
END
todo --on-alert "cat >>$T/alerts"
said=$(alert)
diag "$said"
like "$said" "until 'ralph trust': hook post-merge, hook pre-push, git filter\.[^ ]*, git filter\.mine\.clean, " "hooks come first, then filters"
like "$said" 'git filter\.000*\.\.\.0*\.smudge' "a long name keeps its beginning and its end"
like "$said" ' and 9 more \(8 commands, 1 setting\)$' "how many more there are is said to the end, and what they are"
ok "it is not longer than an alert may be" test "${#said}" -lt 320
run "$RALPH" trust --list
is "$(grep -cE '^(git|hook) ' <<<"$out")" 14 "'ralph trust' shows all of them"

# Of so many hooks not all are named, but a filter among them is counted.
cd "$T/work" || exit 1
run "$RALPH" trust --yes
echo go >prompt
git init -q repo && cd repo || exit 1
# shellcheck disable=SC2016 # for the agent
run "$RALPH" run --prompt-file ../prompt --name many --max-iterations 1 -- sh -c \
	'for i in 1 2 3 4 5 6 7 8 9; do echo >.git/hooks/h$i; done; git config filter.one.process evil'
like "$err" "hook h1, hook h2, .* and 4 more \(3 hooks, 1 filter\)" "kinds that are not named are counted"
no_leftovers "nothing goes on"
done_testing
