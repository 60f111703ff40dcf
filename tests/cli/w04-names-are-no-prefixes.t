#!/usr/bin/env bash
# W4: a worker is known by its whole name, never by a prefix or an index.
. "$(dirname "$0")/../cli/seed.sh"

for name in w2 w 1; do
	swarm spawn --name $name --tmux -- sleep 600 >said
	names+=("swarm:$name")
	wait_for 20 windows_are "$(printf '%s\n' "${names[@]}" | sort | xargs)"
done
w2=$(agent_of w2)
w=$(agent_of w)
is "$(tmux display-message -p -t =swarm:1 '#{window_name}')" w "(the window with the index 1 is another one's)"
swarm kill 1 >said
is "$(windows) $(swarm ls --format names --status running | sort | xargs)" "swarm:w swarm:w2 w w2" "1 is a name and no index"
not_ok "who has that index lives" gone "$w"
swarm kill w >said
run swarm status w
like "$status $out" '^1 w: stopped' "w does not run because w2 does"
not_ok "and killing it has not killed w2" gone "$w2"
# Now w has no window of its own any more.
run swarm kill w
run swarm attach w
exit_is 1 "w2 is not what is shown for w"
run swarm send w 'echo hello'
exit_is 1 "nor what is typed to"
is "$(windows)" swarm:w2 "nor what a second kill ends"
not_ok "it lives" gone "$w2"
swarm clean w >said
is "$(swarm ls --format names | sort | xargs)" "1 w2" "nor what is cleaned"
swarm kill w2 >said
no_leftovers "nothing goes on"
done_testing
