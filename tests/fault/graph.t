#!/usr/bin/env bash
# kill -9 at every write of a claim, a completion, a reset and a refresh: the graph can be read,
# no task is both free and owned, and the same command does its work the next time.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph 'nodes:
  - id: T-1
    status: ready
  - id: T-2
    status: pending
edges:
  - {from: T-1, to: T-2}
meta: {total_tasks: 2, by_status: {ready: 1, pending: 1, in_progress: 0, complete: 0}}'
ticket T-1
ticket T-3 'depends_on: [T-2]'
mkdir -p "$T/base"

# As it is now, claims included, is where every life begins.
keep() {
	rm -rf "${T:?}/base"
	cp -a . "$T/base"
}

again() {
	cd "$T" || exit 1
	rm -rf "${T:?}/work/repo"
	cp -a "$T/base" "$T/work/repo"
	cd "$T/work/repo" || exit 1
}

stands() {
	"$RALPH" graph status --json 2>&1
}

# killed NAME RESULT COMMAND...: dies at every point in turn.  Afterwards the graph can be read
# and nothing is both free and owned; the same command again leads to RESULT.
killed() {
	local name=$1 result=$2 k wrong='' status
	shift 2
	for ((k = 1; ; k++)); do
		again
		status=0
		(RALPH_FAULT=KILL@$k RALPH_FAULT_ROLE=other "$RALPH" graph "$@" >/dev/null 2>&1 || exit $?) 2>/dev/null || status=$?
		[[ $status -eq 137 ]] || break
		wrong+=$(stands | jq -r '.tasks[] | select(.ready and .claim != null and (.claim.void | not))
			| .id + " is free and owned"' 2>&1)
		"$RALPH" graph "$@" >/dev/null 2>"$T/said" || true
		[[ $(stands | jq -c '[.tasks[].status]') == "$result" ]] ||
			wrong+=" after point $k, $*: $(stands | jq -c '[.tasks[].status]') $(cat "$T/said")"
		[[ -z $(find . -name '.*.tmp.*') ]] || wrong+=" after point $k is left: $(find . -name '.*.tmp.*')"
	done
	is "$wrong" "" "$name: killed at each of $((k - 1)) points"
	[[ $k -gt 3 ]] || fail "$name has points to be killed at"
}

keep
killed "claim" '["in-progress","pending"]' prompt
killed "refresh" '["ready","pending","pending"]' refresh
again
"$RALPH" graph refresh >/dev/null
"$RALPH" graph prompt T-1 >/dev/null 2>&1
keep
killed "complete" '["complete","ready","pending"]' complete T-1
killed "reset" '["ready","pending","pending"]' reset T-1
again
ticket T-4
keep
killed "refresh of what is claimed" '["in-progress","pending","pending","ready"]' refresh
no_leftovers "nothing goes on"
done_testing
