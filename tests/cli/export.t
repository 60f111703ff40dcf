#!/usr/bin/env bash
# ralph export --cast writes a recording that asciinema can play.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "iteration $RALPH_ITERATION"
colour green
printf \xe4\xbd\xa0 \xff "quoted" \\ back\n
spinner 300
println end
SCRIPT
"${loop[@]}" agent --pty --max-iterations 2 -- "$AGENT" agent.txt >agent.out
run "$RALPH" export agent --cast
exit_is 0 "it succeeds"
is "$(jq -c 'if type == "object" then [.version, .width, .height] else empty end' <<<"$out")" '[2,120,40]' "the head is asciicast 2"
is "$(jq -r 'if type == "array" then [(.[0] | type), .[1], (.[2] | type)] | join(" ") else empty end' <<<"$out" | sort -u)" \
	"number o string" "every line after it is an event"
is "$(jq -s '[.[] | select(type == "array") | .[0]] | . == sort' <<<"$out")" true "in the order of time"
text=$(jq -rj 'if type == "array" then .[2] else empty end' <<<"$out")
like "$text" "iteration 2" "it is the latest session"
like "$text" "$(printf '\344\275\240') .*\"quoted\" .* back" "with everything it wrote"
run "$RALPH" export agent -i 1 -o first.cast
exit_is 0 "another one, to a file"
is "$out" "" "prints nothing"
like "$(cat first.cast)" 'iteration 1' "and is in the file"
if type asciinema >/dev/null 2>&1; then
	run script -qec 'asciinema cat first.cast' /dev/null # it wants a terminal
	exit_is 0 "asciinema understands it"
	like "$out" 'iteration 1' "and shows the same"
fi
run "$RALPH" export agent -i 9
exit_is 1 "an iteration that was not is an error"
run "$RALPH" export agent -o nowhere/x.cast
exit_is 1 "as is a directory that is not there"
like "$err" '^ralph: error: .*nowhere' "which is named"
no_leftovers "nothing goes on"
done_testing
