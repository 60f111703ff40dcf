#!/usr/bin/env bash
# An interrupted run goes on as it began: options that are given now and differ are named, and no others.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $TASK.$KIND in
T001.task) if [ -e "$LED/go" ]; then ralph done; else : >"$LED/at"; sleep 60; fi ;;
esac
END
cut_short() {
	rm -f "$led/at"
	run_bg "$@"
	wait_for 20 test -e "$led/at"
	kill -INT "$bg"
	end_bg 20 "$bg"
}
began=(--grace 1s --verify true --env SOME=thing --max-nudges 5 --commit off)
cut_short "$RALPH" todo "${began[@]}" -- "${lead[@]}"
exit_is 130 "a run is interrupted"
cut_short "$RALPH" todo
like "$err" 'going on with the run that was interrupted, as it began; --new-run begins another' "who says nothing is told that it goes on"
unlike "$err" 'no effect' "and nothing else"
cut_short "$RALPH" todo "${began[@]}" -- "${lead[@]}"
unlike "$err" 'no effect' "nor who says the same"
cut_short "$RALPH" todo --max-iterations 1 --env SOME=other --verify false --pipe --max-nudges 6 --max-interventions 2 \
	--commit auto --session there --json --on-alert : -- "$T/other" worker
like "$err" 'as it began: what is said now of ([^;]*) has no effect; --new-run begins another' "what differs is named"
is "$(sed -n 's/.*said now of \(.*\) has no effect.*/\1/p' <<<"$err" | sed 's/, /\n/g' | sort | xargs)" \
	"commit env max-interventions max-iterations max-nudges on-alert pipe session verify worker" "all of it, as it was said"
: >"$led/go"
todo
exit_is 0 "and it goes on"
is "$(marks | xargs)$(commits)" "x T001" "with its own"
no_leftovers "nothing goes on"
done_testing
