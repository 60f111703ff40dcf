#!/usr/bin/env bash
# W24: bad JSON, wrong types and unknown keys are reported, and keys that did nothing are alive.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
cp .tf/ralph/config.json "$T/good"
refused() {
	work_on
	exit_is 1 "$1"
	like "$err" "$2" "says what is wrong"
	is "$out" "" "and promises nothing"
	cp "$T/good" .tf/ralph/config.json
}
echo '{"maxIterations": 5,' >.tf/ralph/config.json
refused "bad JSON" 'config\.json'
config maxIterations '"many"'
refused "a wrong type" 'maxIterations'
config parallelWorker 2
refused "an unknown key" 'parallelWorker.*parallelWorkers'
is "$(starts)" 0 "nothing was started"

config maxIterationsPerTicket 3
does pt-1 exit 1
work_on
is "$(starts)" 3 "maxIterationsPerTicket is alive"
done_testing
