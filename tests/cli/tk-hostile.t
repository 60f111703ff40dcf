#!/usr/bin/env bash
# No id, name or title of a ticket becomes a path, an option, a line or an escape sequence.
# shellcheck disable=SC2016 # they are meant as they stand
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket ok-1 open
printf -- '---\nid: outside\nstatus: open\n---\n' >outside.md
before=$(<outside.md)
long=$(printf 'a%.0s' {1..300})
for id in ../outside ./ok-1 /etc/passwd .. . '' '*' '?k-1' '$(x)' '`x`' $'ok\n-1' -rf --status "$long" "$T/work/.tickets/ok-1"; do
	tk close -- "$id"
	first=$status$err
	tk close "$id"
	is "$status$err" "$first" "with or without --"
	exit_is 1 "$(printf '%.20q' "$id") is no ticket"
	like "$err" '^Error: ticket .* not found$' "and said to be none"
done
is "$(<outside.md)" "$before" "nothing was reached by a path"
is "$(grep status: .tickets/ok-1.md)" "status: open" "nor by a pattern"

printf -- '---\nid: ../../x\nstatus: open\n---\n# T\n' >.tickets/odd.md
printf -- '---\nid: -rf\nstatus: open\ndeps: [../../x]\n---\n# \033[31mred\033]0;t\007\n' >'.tickets/-rf.md'
printf -- '---\nid: $(touch hit)\nstatus: open\n---\n# a\tb\xff\n' >'.tickets/$(touch hit).md'
printf -- '---\nid: nl\nstatus: open\n---\n# T\n' >$'.tickets/new\nline.md'
tk ready
is "$out" "\$(touch hit) [P2][open] - a"$'\t'"b\\xff
../../x  [P2][open] - T
nl       [P2][open] - T
ok-1     [P2][open] - The ok-1" "all are listed, a line each, made harmless"
tk blocked
is "$out" '-rf      [P2][open] - \x1b[31mred\x1b]0;t\x07 <- [../../x]' "escape sequences are shown"
tk close -- -rf
exit_is 0 "a ticket can be called so"
is "$out" "Updated -rf -> closed" "and be closed"
tk close 'touch hit'
is "$out" 'Updated $(touch hit) -> closed' "this one too"
not_ok "nothing was run" test -e hit
tk dep ok-1 odd
is "$(grep deps: .tickets/ok-1.md)" "deps: [../../x]" "an id is text"
tk ready --json
ok "and JSON stays JSON" jq -e . <<<"$out"

mkfifo .tickets/pipe.md
mkdir .tickets/dir.md
ln -s nowhere .tickets/link.md
ln -s /dev/zero .tickets/zero.md
head -c 5000000 /dev/zero >.tickets/big.md
printf 'no ticket' >.tickets/none.md
tk ready
exit_is 0 "what is no ticket does not keep the others from being listed"
like "$out" 'nl  ' "they are"
like "$err" 'big.md: is larger than a ticket can be' "and is warned about"
like "$err" 'and 1 more like these' "but not without end"
tk show none
exit_is 1 "nor is it shown"
is "$err" "Error: none.md is no ticket: it does not begin with front matter (a line '---')" "but explained"
done_testing
