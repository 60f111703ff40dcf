#!/usr/bin/env bash
# A graph or list that stays broken in mid-run is asked for again, but not in silence: there is
# one alert with the words of the problem, status and ls show it, and it is no sign of life.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1 T-2
does T-1 'ralph graph complete T-1' "printf 'nodes:\n  - id: [\n' >task-graph.yaml"
cp task-graph.yaml whole
# shellcheck disable=SC2016
run_bg "$RALPH" graph run --name night --delay 0 --on-alert 'jq -r .text >>alerts' -- ./agent
wait_for 120 test -s alerts
like "$(cat alerts)" '^what to do next cannot be read \(5 times in a row\): task-graph.yaml:' "an alert says what is wrong"
run "$RALPH" status night
like "$out" $'\nCannot be read: since .*, [0-9]+ times in a row: task-graph.yaml:' "status shows it"
run "$RALPH" ls
is "$(awk '$1 == "night" { print $2 }' <<<"$out")" unreadable "and ls"
g status --stale-after 5s
exit_is 1 "the attempts are no sign of life"
wait_for 120 said "$T/bg.$bg.out" 'asking again' 6
is "$(wc -l <alerts)" 1 "it is told once"
cp whole task-graph.yaml
rm do/T-1
g complete T-1
"$RALPH" pause night >paused
"$RALPH" resume night >resumed
end_bg 60 "$bg"
exit_is 0 "once it can be read the work goes on"
is "$(field night .exit_reason)" no_work "to the end"
no_leftovers "nothing goes on"
done_testing
