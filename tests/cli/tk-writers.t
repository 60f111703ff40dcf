#!/usr/bin/env bash
# Many who change the same ticket at once lose nothing of each other's.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-all open 'deps: []' 'links: []'
for ((i = 1; i <= 6; i++)); do
	ticket "x-$i" open 'links: []'
done
pids=()
for ((i = 1; i <= 6; i++)); do
	"$RALPH" tk dep mp-all "x-$i" >/dev/null &
	pids+=($!)
	"$RALPH" tk add-note mp-all "note $i" >/dev/null &
	pids+=($!)
	"$RALPH" tk link mp-all "x-$i" >/dev/null &
	pids+=($!)
done
"$RALPH" tk start mp-all >/dev/null
wait "${pids[@]}"
is "$(jq -c '.deps | sort' < <("$RALPH" tk show --json mp-all))" '["x-1","x-2","x-3","x-4","x-5","x-6"]' "all dependencies"
is "$(jq -c '.links | sort' < <("$RALPH" tk show --json mp-all))" '["x-1","x-2","x-3","x-4","x-5","x-6"]' "all links"
is "$(grep '^note ' .tickets/mp-all.md | sort)" "$(printf 'note %s\n' 1 2 3 4 5 6)" "all notes"
is "$(grep -c '^## Notes' .tickets/mp-all.md)" 1 "below one heading"
is "$(sed -n 3p .tickets/mp-all.md)" "status: in_progress" "and the status"
is "$(files | grep -cv '^[a-z]')" 0 "no lock or other file is left"

mkdir new && cd new || exit 1
mkdir .tickets
for ((i = 1; i <= 10; i++)); do
	"$RALPH" tk create "Ticket $i" >>ids &
done
wait
is "$(sort -u ids | wc -l)" 10 "ten new tickets have ten ids"
is "$(cat .tickets/*.md | grep -c '^# Ticket ')" 10 "and ten files"
done_testing
