#!/usr/bin/env bash
# ralph ls: first what runs, then what could go on, whatever its word is, then what is over; of each the newest
# first.  On a terminal no line is longer than it is wide.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
"${loop[@]}" halted --detach --max-iterations 9 -- "$AGENT" -e 'hang' >halted.out
wait_for 20 field_is halted '.sessions[0].pid != null' true
"$RALPH" stop halted >stop.out
"${loop[@]}" runs --detach --max-iterations 9 -- "$AGENT" -e 'hang' >runs.out
wait_for 20 field_is runs '.sessions[0].pid != null' true
"${loop[@]}" gave-up --max-iterations 9 --max-failures 1 -- false >gave-up.out 2>&1
"${loop[@]}" used-up --max-iterations 1 --done-pattern never -- true >used-up.out 2>&1
"${loop[@]}" complete --max-iterations 1 -- true >complete.out
mkdir -p "$T/work/目录目录目录目录目录/目录"
"${loop[@]}" this-name-is-as-long-as-a-name-may-be-for-a-loop-of-somebody1 --cwd "$T/work/目录目录目录目录目录/目录" \
	--max-iterations 1 -- true 目录目录目录目录目录目录目录目录目录目录 >long.out
order="runs
gave-up
halted
this-name-is-as-long-as-a-name-may-be-for-a-loop-of-somebody1
complete
used-up"
run "$RALPH" ls
is "$(awk 'NR > 1 { print $1 }' <<<"$out")" "$order" "the order"
run "$RALPH" ls --json
is "$(jq -r '.[].name' <<<"$out")" "$order" "the same in JSON"

longest() { script -qec "stty cols $1; $RALPH ls" /dev/null | tr -d '\r' >"$T/shown" && LC_ALL=C.UTF-8 wc -L <"$T/shown"; }
for columns in 1 20 40 60 70 79 80 81 100 120 121 140; do
	ok "no line is longer than $columns columns" test "$(longest "$columns")" -le "$columns"
	ok "a line is cut at a character" iconv -f UTF-8 -t UTF-16 "$T/shown" -o /dev/null
	is "$(wc -l <"$T/shown")" 7 "and each loop has its line"
done
"$RALPH" stop runs >stop.out
no_leftovers "nothing goes on"
done_testing
