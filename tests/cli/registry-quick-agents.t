#!/usr/bin/env bash
# Agents that follow each other quickly do not wait for the file that all workers share: it is
# rewritten some times a second, and right at the end.
. "$(dirname "$0")/../cli/lib.sh"
command -v perl >/dev/null || skip_all "there is no perl"

echo 'do it' >prompt
state=$RALPH_HOME/state.json
n=60
# Every new file is another inode, or at least has another time.
# shellcheck disable=SC2016 # for perl
perl -MTime::HiRes=stat,usleep -e '
	my (%seen, $last);
	until (-e "over") {
		my @st = stat($ARGV[0]);
		$seen{"$st[1] $st[9]"} = 1 if @st;
		usleep(500);
	}
	print scalar(keys %seen), "\n"' "$state" >rewritten &
watcher=$!
from=$(date +%s%3N)
run "${loop[@]}" quick --max-iterations "$n" -- /bin/true
took=$(($(date +%s%3N) - from))
touch over
wait "$watcher"
exit_is 0 "$n agents, one after the other"
most=$((took / 250 + 4))
ok "in $took ms the shared file was written $(cat rewritten) times, at most $most" [ "$(cat rewritten)" -le "$most" ]
is "$(jq -c '.workers[0] | [.name, .status, .metadata.ralph_iteration]' "$state")" "[\"quick\",\"stopped\",$n]" "in the end it is right"
no_leftovers "nothing goes on"
done_testing
