#!/usr/bin/env bash
# The state lives in ~/.swarm, or where RALPH_HOME or SWARM_DIR say; a bad one is said.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
quick=(--max-iterations 1 -- "$AGENT" -e 'println x')
run env -u RALPH_HOME "${loop[@]}" a "${quick[@]}"
ok ".swarm below \$HOME, if nothing is said" test -e "$HOME/.swarm/loops/a/journal.jsonl"
is "$(stat -c %a "$HOME/.swarm")" 700 "which is nobody else's business"
run env -u RALPH_HOME SWARM_DIR="$PWD/swarm" "${loop[@]}" b "${quick[@]}"
ok "SWARM_DIR" test -e swarm/loops/b/journal.jsonl
run env RALPH_HOME="$PWD/ralph" SWARM_DIR="$PWD/swarm" "${loop[@]}" c "${quick[@]}"
ok "RALPH_HOME has the last word" test -e ralph/loops/c/journal.jsonl

touch file
run env RALPH_HOME="$PWD/file" "${loop[@]}" x "${quick[@]}"
like "$status $err" "^1 ralph: error: .*$PWD/file.*" "a file cannot be a home"
run env RALPH_HOME="$PWD/no/such/place" "${loop[@]}" x "${quick[@]}"
like "$status $err" "^(0 |1 ralph: error: .*$PWD/no/such/place.*)" "one far away is made or named"
run env RALPH_HOME=/proc/ralph "${loop[@]}" x "${quick[@]}"
like "$status $err" "^1 ralph: error: .*/proc/ralph.*" "nor what cannot be written"
is "$(wc -l <<<"$err")" 1 "in one sentence"
run env RALPH_HOME="$(printf '/x%.0s' {1..3000})" "${loop[@]}" x "${quick[@]}"
like "$status" '^1$' "nor what no path can name"
run env RALPH_HOME="$PWD/file" "$RALPH" ls
like "$status $err" "^1 ralph: error: .*$PWD/file.*" "ls says so, too"
run env RALPH_HOME="$PWD/a/very/deep/$(printf 'directory-%.0s' {1..12})" "${loop[@]}" deep "${quick[@]}"
mkdir -p "$PWD/deep/$(printf 'directory-%.0s' {1..20})"
run env RALPH_HOME="$PWD/deep/$(printf 'directory-%.0s' {1..20})" "${loop[@]}" deep "${quick[@]}"
exit_is 0 "a long path is no problem for the sockets in it"

if [[ $(id -u) -eq 0 ]]; then
	chmod 755 "$T"
	cp "$RALPH" ralph-copy
	mkdir readonly
	run setpriv --reuid 65534 --regid 65534 --clear-groups env RALPH_HOME="$PWD/readonly" \
		./ralph-copy run --prompt-file prompt --name x --max-iterations 1 -- true
	like "$status $err" "^1 ralph-copy: error: $PWD/readonly belongs to another user \(uid 0; this is uid 65534\)" \
		"somebody else's home cannot be used"
fi
no_leftovers "nothing goes on"
done_testing
