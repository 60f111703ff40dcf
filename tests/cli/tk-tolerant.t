#!/usr/bin/env bash
# Files that tk cannot read are read, and warned about; the text is never taken for fields.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir .tickets
printf -- '---\r\nid: a-crlf\r\nstatus: open\r\n---\r\n# In CRLF\r\n' >.tickets/a-crlf.md
printf -- '---\nid: "b-quoted"\nstatus: "open"\n---\n# Quoted\n' >.tickets/b-quoted.md
printf -- '---\nid: c-block\nstatus: open\ndeps:\n  - a-crlf\n---\n# Block list\n' >.tickets/c-block.md
printf -- '---\nid: d-rule\nstatus: open\n---\n# Rule\n\n---\n\nstatus: closed\n' >.tickets/d-rule.md
printf -- '---\nid: e-bar\nstatus: open\n---\n# Needs | more\n' >.tickets/e-bar.md
tk ready
exit_is 0 "all are read"
is "$out" 'a-crlf   [P2][open] - In CRLF
b-quoted [P2][open] - Quoted
d-rule   [P2][open] - Rule
e-bar    [P2][open] - Needs | more' "as they are meant"
is "$(sort <<<"$err")" "ralph: warning: a-crlf.md: tk does not see it: its lines end in CRLF
ralph: warning: b-quoted.md: tk reads its id as '\"b-quoted\"'; tk reads its status as '\"open\"'
ralph: warning: c-block.md: tk sees no deps
ralph: warning: d-rule.md: tk reads its status as 'closed'
ralph: warning: e-bar.md: tk reads its title as 'Needs '" "and what tk makes of them is said"
tk blocked
is "$out" 'c-block  [P2][open] - Block list <- [a-crlf]' "a list over several lines blocks"
tk close a-crlf
is "$(od -An -c .tickets/a-crlf.md | tr -d ' \n')" \
	'---\r\nid:a-crlf\r\nstatus:closed\r\n---\r\n#InCRLF\r\n' "CRLF stays CRLF"
tk close d-rule
is "$(tail -n 1 .tickets/d-rule.md) $(sed -n 3p .tickets/d-rule.md)" "status: closed status: closed" "closed where it counts"
tk reopen d-rule
is "$(tail -n 1 .tickets/d-rule.md) $(sed -n 3p .tickets/d-rule.md)" "status: closed status: open" "and reopened there only"
tk dep c-block e-bar
is "$(sed -n 4p .tickets/c-block.md)" "deps: [a-crlf, e-bar]" "a changed list is one that tk can read"
tk ready
is "$(grep c-block <<<"$err")" "" "and no longer warned about"
done_testing
