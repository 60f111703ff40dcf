#!/usr/bin/env bash
# Command line over environment over file over default.
. "$(dirname "$0")/tickets.sh"
plan 12

new_project
ticket pt-1
ticket pt-2
begins() {
	sed -n 's/^Starting Ralph loop with //p' <<<"$err"
}
planned() {
	work_on --dry-run --json "$@"
	jq -c '[.parallel, .max_iterations]' <<<"$out"
}
jq 'del(.maxIterations, .parallelWorkers)' .tf/ralph/config.json >"$T/c" && cp "$T/c" .tf/ralph/config.json
is "$(planned)" '[1,50]' "the defaults"
config maxIterations 7
config parallelWorkers 3
is "$(planned)" '[3,7]' "the file"
is "$(planned --parallel 2 --max 9)" '[2,9]' "the command line wins"

config attemptTimeoutMs 600000
does pt-1 hang
RALPH_ATTEMPT_TIMEOUT_MS=500 work_on --max 1
like "$err" 'pt-1: FAILED \(timeout\)' "the environment wins over the file"
does pt-1 "sleep 0.7; close_ticket; commit"
RALPH_ATTEMPT_TIMEOUT_MS=500 work_on --max 1 --timeout 60s
like "$err" 'pt-1: COMPLETE' "the command line wins over the environment"
ticket pt-1
config failFast true
config graceMs 300
config parallelWorkers 1
does pt-1 'trap "" TERM; while :; do sleep 60; done'
begin=$EPOCHREALTIME
work_on --timeout 1s
ok "graceMs in the file counts" took_less 8 "$begin"
is "$(starts pt-2)" 0 "so does failFast, without the option"
like "$(begins)" "^parallel=1, max=7$" "what counts is said first"

# So many sessions there are: each waits until the other has begun.
config failFast false
rm .tickets/*
together() {
	ticket "$1" && ticket "$2"
	does "$1" "after 'start $2'; work; close_ticket; commit"
	does "$2" "after 'start $1'; work; close_ticket; commit"
	work_on --max 9 "${@:3}"
}
config parallelWorkers 2
together pt-5 pt-6
exit_is 0 "two sessions at once, by the file"
config parallelWorkers 1
together pt-7 pt-8 --parallel 2
exit_is 0 "two, by the command line"
config parallelWorkers 3
ticket pt-10 && ticket pt-11
: >"$T/log"
work_on --max 9 --parallel 1
exit_is 0 "one, though the file has three"
is "$(at_once)" 1 "and never more"
