#!/usr/bin/env bash
# A prompt file that cannot be one is told at once, and nothing is started or made.
. "$(dirname "$0")/../cli/lib.sh"

# refused NAME FILE SENTENCE
refused() {
	run timeout 90 "$RALPH" run --name x --prompt-file "$2" --max-iterations 1 -- "$AGENT" -e 'touch started'
	is "$status $err" "1 ralph: error: $3" "$1"
}

mkdir dir
mkfifo fifo
truncate -s 200M huge
ln -s nowhere dangling
refused "missing" ./missing.md "prompt file not found: ./missing.md"
refused "a link to nothing" dangling "prompt file not found: dangling"
refused "below a file" fifo/x "prompt file not found: fifo/x"
refused "a directory" dir "cannot read prompt file: dir (it is a directory)"
refused "a FIFO" fifo "cannot read prompt file: fifo (not a regular file)"
refused "a device" /dev/zero "cannot read prompt file: /dev/zero (not a regular file)"
refused "huge" huge "cannot read prompt file: huge (larger than 64 MiB)"
refused "an empty name" '' "prompt file not found: "
not_ok "no agent was started" test -e started
not_ok "and no loop made" test -e "$RALPH_HOME/loops/x"

# Root can read everything, so it takes somebody else to see what is unreadable.
echo secret >secret
chmod 000 secret
as=()
if [[ $(id -u) -eq 0 ]]; then
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod 755 "$T"
	cp "$RALPH" "$T/work/ralph"
	mkdir "$T/nobody"
	chown 65534:65534 "$T/nobody"
else
	ln -s "$RALPH" ralph
	mkdir "$T/nobody"
fi
run "${as[@]}" env RALPH_HOME="$T/nobody/.swarm" "$T/work/ralph" run --name x --prompt-file secret --max-iterations 1 -- true
is "$status $err" "1 ralph: error: cannot read prompt file: secret" "unreadable"

# A link to a good one is good.
echo 'do it' >good
ln -s good link
run "$RALPH" run --name x --prompt-file link --max-iterations 1 -- "$AGENT" -e 'read-stdin-to got'
is "$status $(cat got)" "0 do it" "but a link to a file is fine"
no_leftovers "nothing goes on"
done_testing
