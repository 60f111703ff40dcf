#!/usr/bin/env bash
# Closed tickets are listed newest first, however many there are.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-old closed 'tags: [x]'
ticket mp-done 'done'
ticket mp-new closed
ticket mp-open open
touch -d '2024-01-01 00:00' .tickets/mp-old.md
touch -d '2024-01-02 00:00' .tickets/mp-done.md
touch -d '2024-01-03 00:00' .tickets/mp-new.md
tk closed
exit_is 0 "it succeeds"
is "$out" 'mp-new   [closed] - The mp-new
mp-done  [done] - The mp-done
mp-old   [closed] - The mp-old' "as tk prints them"
tk closed --limit=1
is "$out" 'mp-new   [closed] - The mp-new' "as many as are wanted"
tk closed --limit=0
is "$status $out" "0 " "none, when none is wanted"
tk closed --limit=0 --json
is "$out" "[]" "in JSON, too"
for limit in -1 1k '' x; do
	tk closed --limit="$limit"
	is "$status $out" "1 " "--limit='$limit' is no number of tickets"
done
tk closed -T x
is "$out" 'mp-old   [closed] - The mp-old' "by tag"
for ((i = 0; i < 120; i++)); do
	ticket "mp-$i" open
done
tk closed --json
is "$(jq -r '.[].id' <<<"$out")" $'mp-new\nmp-done\nmp-old' "also behind a hundred newer files"
for ((i = 0; i < 25; i++)); do
	ticket "mq-$i" closed
done
tk closed
is "$(wc -l <<<"$out")" 20 "twenty when nobody says how many"
done_testing
