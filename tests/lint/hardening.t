#!/usr/bin/env bash
# The optimised program is built so that a mistake is hard to exploit.
. "$(dirname "$0")/../cli/lib.sh"

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
ok "the optimised programs build" build_release
for program in ralph src/ralph-desktop; do
	[[ -e $root/build/$program ]] || continue # there may be no helper here
	name=$(basename "$program")
	program=$root/build/$program
	like "$(readelf -hW "$program")" 'Type:[[:space:]]+DYN' "$name is position-independent"
	segments=$(readelf -lW "$program")
	like "$segments" 'GNU_RELRO' "its tables become read-only"
	like "$(readelf -dW "$program")" '(BIND_NOW|FLAGS.*NOW)' "before it starts"
	like "$segments" 'GNU_STACK[ 0-9a-fx]+ RW ' "its stack is not executable"
	symbols=$(nm -D --undefined-only "$program")
	like "$symbols" '__stack_chk_fail' "stacks are guarded"
	like "$symbols" '__[a-z]+_chk' "library calls are checked"
done
unlike "$(readelf -dW "$root/build/ralph")" 'lib(xcb|dbus|png)' "ralph itself needs no X"
done_testing
