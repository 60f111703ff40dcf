#!/usr/bin/env bash
# The prompt reaches the agent on stdin, as an argument, behind a flag, or typed.
. "$(dirname "$0")/../cli/lib.sh"

printf 'first line\nsecond "line" *\n' >prompt
once=(--max-iterations 1)
run "${loop[@]}" a "${once[@]}" -- "$AGENT" -e 'read-stdin-to got; args args' one
ok "stdin, unless told otherwise" cmp got prompt
is "$(cat args)" "one" "then there is no other argument"
run "${loop[@]}" b "${once[@]}" --prompt-via arg -- "$AGENT" -e 'read-stdin-to got; args args' one
is "$(cat args)" "one
$(cat prompt)" "arg: the last argument"
ok "then stdin is empty" test ! -s got
run "${loop[@]}" c "${once[@]}" --prompt-via flag:append-system-prompt -- "$AGENT" -e 'args args' one
is "$(cat args)" "one
--append-system-prompt
$(cat prompt)" "flag:NAME: behind the flag"
run "${loop[@]}" d "${once[@]}" --prompt-via flag:-s -- "$AGENT" -e 'args args'
is "$(head -n 1 args)" "-s" "a short one, too"

# What a terminal program gets: bracketed paste, then Enter.
cat >typed.txt <<'SCRIPT'
raw
bracketed on
print ready>
read-stdin-to got 39
SCRIPT
run "${loop[@]}" e "${once[@]}" --prompt-via paste --inactivity-timeout 10 -- "$AGENT" typed.txt
exit_is 0 "paste needs no --pty to be said"
is "$(tr '\r\033' 'N^' <got)" '^[200~first lineNsecond "line" *^[201~N' "it is pasted, then entered"

# claude without -p is interactive.
mkdir bin
cat >bin/claude <<SCRIPT
#!/bin/sh
test -t 0 && echo terminal >how || echo pipe >how
exec "$AGENT" "\$AGENT_SCRIPT"
SCRIPT
chmod +x bin/claude
echo 'read-stdin-to got' >piped.txt
PATH=$PWD/bin:$PATH
run "${loop[@]}" f "${once[@]}" --inactivity-timeout 10 --env AGENT_SCRIPT=typed.txt -- claude --model x
is "$(cat how) $(tr '\r\033' 'N^' <got)" 'terminal ^[200~first lineNsecond "line" *^[201~N' \
	"claude gets a terminal, and the prompt typed"
rm got how
run "${loop[@]}" env "${once[@]}" --inactivity-timeout 10 -- env AGENT_SCRIPT=typed.txt "$PWD/bin/claude" --model x
is "$(cat how) $(tr '\r\033' 'N^' <got)" 'terminal ^[200~first lineNsecond "line" *^[201~N' "behind env, too"
run "${loop[@]}" g "${once[@]}" --env AGENT_SCRIPT=piped.txt -- claude -p
is "$(cat how) $(cat got)" "pipe $(cat prompt)" "claude -p gets pipes"
run "${loop[@]}" h "${once[@]}" --env AGENT_SCRIPT=piped.txt --pipe -- "$PWD/bin/claude"
is "$(cat how) $(cat got)" "pipe $(cat prompt)" "and --pipe has the last word"

run "${loop[@]}" i "${once[@]}" --prompt-via post -- "$AGENT" -e 'println x'
exit_is 2 "another way is a usage error"
like "$err" "must be stdin, paste, arg or flag:NAME \(got 'post'\)" "that names those there are"
run "${loop[@]}" j "${once[@]}" --prompt-via paste --pipe -- "$AGENT" -e 'println x'
exit_is 2 "nothing can be typed into a pipe"
no_leftovers "nothing goes on"
done_testing
