#!/usr/bin/env bash
# Weakness 12: the count of nudges was never reset, the echo of a nudge passed for activity, and
# config.json was read by nobody.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
mkdir -p ai/ralph
echo '{"inactivity_timeout_ms": '"$(patience 1)"'000, "max_nudges_before_alert": 1, "max_interventions_per_task": 1, "poll_intervall_ms": 3}' >ai/ralph/config.json
: >"$led/echo"
worker <<'END'
case $KIND in
task) once silent || ralph stuck 'What?' ;;
help) ralph stuck 'what' ;;
esac
END
todo --commit off --on-alert "cat >>$T/alerts"
exit_is 11 "by its numbers"
is "$(texts | xargs)" "task T001 probe T001 task T001 help T001" \
	"one nudge, whose echo is no sign of life; then another worker, and one answer"
like "$(jq -r .text "$T/alerts")" 'T001: the agent is silent after 1 nudge.*T001 is blocked: stuck after 1 intervention:' "somebody is told"
like "$err" 'poll_intervall_ms.* is not known; did you mean poll_interval_ms\?' "a mistake in it is said"
no_leftovers "nothing goes on"
done_testing
