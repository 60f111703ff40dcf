#!/usr/bin/env bash
# A name that could lead elsewhere is refused; without --name the directory gives one.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
quick=(--prompt-file prompt --max-iterations 1 -- "$AGENT" -e 'println x')
for name in '' . .. ../x a/b /etc 'a b' $'a\nb' $'a\e[31m' '-a' '.a' 'ä' 'a*' "$(printf 'x%.0s' {1..65})"; do
	run "$RALPH" run --name="$name" "${quick[@]}"
	shown=${name//[$'\n\e']/^}
	like "$status $err" '^2 ralph: error: .* cannot be a name' "run refuses '$shown'"
	run "$RALPH" status -- "$name"
	like "$status $err" '^1 ralph: error: .* is not a loop.s name' "status, too"
	unlike "$err" $'[\e]|^[^r]' "and does not repeat it to the terminal"
done
not_ok "no state was made" test -e "$RALPH_HOME"
for name in a A.b_c-1 "$(printf 'x%.0s' {1..64})"; do
	run "$RALPH" run --name "$name" "${quick[@]}"
	exit_is 0 "$name is fine"
done

mkdir 'My Project!' 
cd 'My Project!' || exit 1
run "$RALPH" run --prompt-file ../prompt --max-iterations 1 -- "$AGENT" -e 'println x'
like "$out" '^\[ralph\] My-Project--run: starting' "the directory gives the name"
cd / || exit 1
run "$RALPH" run --prompt-file "$T/work/prompt" --max-iterations 1 -- "$AGENT" -e 'println x'
like "$out" '^\[ralph\] run: starting' "also where it has none"
no_leftovers "nothing goes on"
done_testing
