#!/usr/bin/env bash
# Help teaches, and what is wrong with a command line is said with the way out of it.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# wrong SENTENCE ARG...: a usage error
wrong() {
	run "$RALPH" "${@:2}"
	like "$status $err" "^2 ralph: error: $1" "${*:2}"
}
cmd=(-- true)
full=(run --name x --prompt-file prompt --max-iterations 1)
wrong "--max-iterations must be at least 1 or 'unlimited' \(got '0'\)" run --max-iterations 0 "${cmd[@]}"
wrong "--max-iterations must be at least 1 or 'unlimited' \(got '-1'\)" run --max-iterations -1 "${cmd[@]}"
wrong "--max-iterations must be a whole number or 'unlimited' \(got '1.5'\)" run --max-iterations 1.5 "${cmd[@]}"
wrong "--max-iterations must be a whole number or 'unlimited' \(got 'infinite'\)" run --max-iterations infinite "${cmd[@]}"
wrong "--max-iterations .*'99999999999999999999'" run --max-iterations 99999999999999999999 "${cmd[@]}"
wrong "--max-failures must be at least 1" "${full[@]}" --max-failures 0 "${cmd[@]}"
for option in inactivity-timeout stall-timeout iteration-timeout max-runtime grace; do
	wrong "--$option must be more than 0 \(got '0'\)" "${full[@]}" --$option 0 "${cmd[@]}"
	wrong "--$option " "${full[@]}" --$option=-5 "${cmd[@]}"
	wrong "--$option: 'soon' is not a duration \(such as 90, 90s, 30m, 1h30m or 2d\)" "${full[@]}" --$option soon "${cmd[@]}"
done
wrong "--delay must be at least 0 \(got '-1'\)" "${full[@]}" --delay -1 "${cmd[@]}"
wrong "--prompt-file is required" run --max-iterations 1 "${cmd[@]}"
wrong "--max-iterations is required" run --prompt-file prompt "${cmd[@]}"
wrong "--pty and --pipe exclude each other" "${full[@]}" --pty --pipe "${cmd[@]}"
wrong "unknown option '--max-iteratoins'; did you mean '--max-iterations'\?" run --max-iteratoins 3 "${cmd[@]}"
wrong "unknown option '--xyzzy'" run --xyzzy "${cmd[@]}"
wrong "put -- before the command to run" "${full[@]}" claude -p
wrong "unknown command 'statsu'; did you mean 'status'\?" statsu
wrong "unknown command 'xyzzy'" xyzzy
wrong "which loop\? a NAME is missing" pause
wrong "which task\? an ID is missing" graph reset
wrong "which task\? an ID is missing" graph complete
wrong "which loop\? a NAME is missing" send
wrong "TEXT is missing" send x
wrong "REASON is missing" blocked
wrong "too many arguments" pause a b
not_ok "none of it made anything" test -e "$RALPH_HOME"

for group in graph loop todo desktop tk; do
	run "$RALPH" help "$group"
	help=$out
	run "$RALPH" "$group" help
	is "$status $out" "0 $help" "$group help is help $group"
done
run "$RALPH" help graph run
help=$out
run "$RALPH" graph help run
is "$status $out" "0 $help" "and graph help run is help graph run"

ln -s "$RALPH" looper
run ./looper xyzzy
like "$err" '^looper: error: ' "errors start with the name the program was called by"
run ./looper status nobody
like "$err" '^looper: error: ' "all of them"

run "$RALPH"
exit_is 0 "the name alone shows the overview"
like "$out" '
  ralph run --prompt-file PROMPT.md --max-iterations 10 -- claude -p
' "with a first example"
for verb in run ls status logs attach send pause resume stop wait export completion; do
	like "$out" "
  $verb +[A-Z]" "the overview has $verb"
	run "$RALPH" help "$verb"
	like "$status $out" "^0 ralph $verb - .*
Examples:
.*
Usage: ralph $verb .*
Options:
.*--help" "help $verb: examples first"
	help=$out
	run "$RALPH" "$verb" --help
	is "$out" "$help" "$verb --help is the same"
	run "$RALPH"
done
run "$RALPH" help run
missing=
for option in prompt-file max-iterations name done-pattern inactivity-timeout stall-timeout iteration-timeout max-runtime \
	max-failures delay grace prompt-via cwd env on-alert pty pipe detach json quiet; do
	[[ $out == *"--$option"* ]] || missing+=" $option"
done
is "$missing" "" "every option of run is explained"
is "$(awk 'length > 80' <<<"$("$RALPH" help run | sed '/^Examples:/,/^$/d')")" "" "in lines that fit a terminal"
run "$RALPH" help xyzzy
exit_is 2 "help for what is not there is a usage error"
no_leftovers "nothing goes on"
done_testing
