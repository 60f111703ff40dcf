#!/usr/bin/env bash
# --env and --cwd are for the agent; it also learns who it is.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkdir -p 'some where'
run "${loop[@]}" demo --max-iterations 1 --cwd 'some where' --env 'A=1=2 3' --env B= --env LANG=xx -- \
	"$AGENT" -e 'env A a; env B b; env LANG lang; env HOME home; env RALPH_LOOP loop; env RALPH_ITERATION iteration; sh pwd >pwd'
exit_is 0 "the loop goes through"
is "$(cat 'some where/a')" "1=2 3" "a variable is set"
is "$(cat 'some where/b')" "" "an empty one, too"
is "$(cat 'some where/lang')" "xx" "one that was there is replaced"
is "$(cat 'some where/home')" "$HOME" "the others stay"
is "$(cat 'some where/pwd')" "$PWD/some where" "it works in the directory"
is "$(cat 'some where/loop') $(cat 'some where/iteration')" "demo 1" "it knows its loop and iteration"
run "${loop[@]}" x --max-iterations 1 --env A -- "$AGENT" -e 'println x'
exit_is 2 "--env without = is a usage error where there is no such variable"
like "$err" "^ralph: error: --env 'A': there is no such variable here" "it says so"
run "${loop[@]}" x --max-iterations 1 --cwd nowhere -- "$AGENT" -e 'println x'
exit_is 1 "a directory that is not there is an error"
like "$err" "^ralph: error: .*nowhere.*No such file or directory" "that names it"
run "${loop[@]}" x --max-iterations 1 --cwd prompt -- "$AGENT" -e 'println x'
like "$err" "^ralph: error: .*prompt: not a directory" "as is a file"
not_ok "neither left a loop behind" test -e "$RALPH_HOME/loops/x"
no_leftovers "nothing goes on"
done_testing
