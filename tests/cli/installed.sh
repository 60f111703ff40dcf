# installed.sh - a copy of the program that can be replaced; sourced after lib.sh and before others.
# shellcheck shell=bash
#
#	$RALPH, $SWARM and "${loop[@]}" are that copy, in $T/inst.
#
#	replace HOW         what an upgrade does: gone (rm), new (rm, then another file), over (mv
#	                    over it), broken (a file that is no program of ours)

mkdir "$T/inst"
lib_program=$RALPH
lib_install() {
	cp "$lib_program" "$1/ralph"
	[[ ! -e $(dirname "$lib_program")/ralph-desktop ]] || cp "$(dirname "$lib_program")/ralph-desktop" "$1/"
}
lib_install "$T/inst"
RALPH=$T/inst/ralph
ln -sf "$RALPH" "$SWARM"
# shellcheck disable=SC2034
loop=("$RALPH" run --prompt-file prompt --name)

replace() {
	mkdir -p "$T/inst.new"
	case $1 in
	gone) rm -f "$T"/inst/* ;;
	new) rm -f "$T"/inst/* && lib_install "$T/inst" ;;
	over) lib_install "$T/inst.new" && mv "$T"/inst.new/* "$T/inst/" ;;
	broken)
		rm -f "$T"/inst/*
		printf '#!/bin/sh\nexit 99\n' >"$T/inst/ralph"
		cp "$T/inst/ralph" "$T/inst/ralph-desktop"
		chmod +x "$T"/inst/*
		;;
	esac
}
