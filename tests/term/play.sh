#!/usr/bin/env bash
# play.sh NAME FILE [OFFSET...] - plays a recording inside of a tmux pane.
#
# Stops at every offset and at the end: once tmux has read all bytes so far (it answers
# a status report only then) the channel NAME-fed is signalled; before going on,
# NAME-go is awaited.
name=$1 file=$2
shift 2
stty raw -echo

fed() {
	printf '\033[5n'
	# shellcheck disable=SC2034 # the answer itself does not matter
	IFS= read -r -s -d n answer
	tmux wait-for -S "$name-fed"
	tmux wait-for "$name-go"
}

at=0
for offset in "$@"; do
	tail -c +$((at + 1)) "$file" | head -c $((offset - at))
	at=$offset
	fed
done
tail -c +$((at + 1)) "$file"
fed
