#!/usr/bin/env bash
# An id is never a path, an option or a command.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"

new_project
long=$(printf 'y%.0s' {1..300})
ticket '../x' file=a
ticket '-rf' file=b
ticket '$(touch hacked)' file=c
ticket '`touch hacked`;x' file=d
ticket 'HEAD' file=e
ticket '@{-1}' file=f
ticket 'x.lock' file=g
ticket $'esc\e[31m' file=h
ticket "$long" file=i
printf -- '---\nid: two\n  lines\nstatus: open\ndeps: []\npriority: 2\n---\n# T\n' >.tickets/j.md
ticket "$(printf 'n\tl')" file=k
ls .. >"$T/before"
work_on --parallel 3
diag "exit status $status"
unlike "$status" '^(1|2|13)$' "the run is not stopped by them"
is "$(find "$T" -name hacked)" "" "nothing was run"
is "$(ls ..)" "$(cat "$T/before")" "nothing was written beside the project"
is "$(git for-each-ref --format='%(refname)' | grep -vE '^refs/(heads/main|(heads/ralph|ralph/[a-z]+)/[A-Za-z0-9][A-Za-z0-9._/-]*)$')" "" \
	"every ref has a harmless name"
unlike "$err" $'\e' "no escape sequence reaches the terminal"
for name in a b c d e f g h; do
	is "$(sed -n 's/^status: //p' ".tickets/$name.md")" closed "the ticket in $name.md is done"
done
if [[ $(sed -n 's/^status: //p' .tickets/i.md) == closed ]]; then
	pass "one with 300 characters is done"
else
	ok "one with 300 characters is refused, and said" grep -q 'id is too long' <<<"$err"
	not_ok "and not called a success" test "$status" -eq 0
fi
done_testing
