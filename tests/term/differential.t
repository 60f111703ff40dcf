#!/usr/bin/env bash
# The emulator shows what tmux shows: recordings of real programs are played into a tmux
# of our own and into term_render; screen, lines out and cursor are the same, byte for byte.
#
# recordings/NAME.COLSxROWS.rec are the bytes programs wrote to a terminal of that size;
# resizes has those that are played while the size changes.  tmux keeps the rows that
# left and fetches them back, so after a resize only the screen is compared, and so it is
# when the program had them forgotten (ED 3).
. "$(dirname "$0")/../cli/lib.sh"

here=$root/tests/term
render=${AGENT%/tests/agent/agent}/tests/term/term_render
[[ -x $render ]] || skip_all "term_render is not built"
[[ $(tmux -V 2>&1) == "tmux 3.3a" ]] || skip_all "tmux 3.3a is what we compare with"

server=ralph-test-$$
session=0

tm() {
	timeout 20 tmux -L "$server" -f /dev/null "$@"
}

# differs NAME.COLSxROWS [OFFSET:ROWSxCOLS...]: prints what differs, if anything does
differs() {
	local file=$here/recordings/$1.rec size=${1##*.} step offsets=() resized
	local history=-H all=(-S -)
	shift
	if [[ $# -gt 0 ]] || grep -q $'\e\\[3J' "$file"; then
		history='' all=()
	fi
	for step in "$@"; do
		offsets+=("${step%%:*}")
	done
	tm set -g status off \; new-session -d -s "s$session" -x "${size%x*}" -y "${size#*x}" \
		"bash '$here/play.sh' s$session '$file' ${offsets[*]}"
	for step in "$@"; do
		resized=${step#*:}
		tm wait-for "s$session-fed"
		tm resize-window -t "s$session" -x "${resized#*x}" -y "${resized%x*}"
		tm wait-for -S "s$session-go"
	done
	tm wait-for "s$session-fed"
	tm capture-pane -p -t "s$session" "${all[@]}" >"$T/want"
	tm display-message -p -t "s$session" '#{cursor_x},#{cursor_y}' >>"$T/want"
	# shellcheck disable=SC2086 # no history is no argument
	"$render" $history "${size#*x}" "${size%x*}" "$@" <"$file" >"$T/got"
	diff "$T/want" "$T/got"
}

for file in "$here"/recordings/*.rec; do
	name=$(basename "$file" .rec)
	session=$((session + 1))
	if remark=$(differs "$name"); then pass "$name"; else fail "$name" "$remark"; fi
done

while read -r name steps; do
	[[ $name != '#' ]] || continue
	session=$((session + 1))
	# shellcheck disable=SC2086 # one word a step
	if remark=$(differs "$name" $steps); then
		pass "$name resized $steps"
	else
		fail "$name resized $steps" "$remark"
	fi
done <"$here/resizes"

tm kill-server
no_leftovers "the server is gone"
done_testing
