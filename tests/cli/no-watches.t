#!/usr/bin/env bash
# All of a user's inotify instances may be taken, by desktops and editors: loops then look by the clock.  A loop that waits
# for a ticket of another one goes on, and a list and a graph are worked through.
# The limit is that of a user namespace of our own, so that no other test has to do without.
none='echo 0 >/proc/sys/user/max_inotify_instances'
if [[ -z ${WATCHES:-} ]] && unshare -Ur sh -c "$none" 2>/dev/null; then
	WATCHES=none exec unshare -Ur sh -c "$none && exec bash \"\$0\"" "$0"
fi
. "$(dirname "$0")/tickets.sh"
[[ ${WATCHES:-} == none ]] || skip_all "the limit cannot be set here"

new_project
git add . && git commit -qm project
git worktree add -q -b other "$T/work/other"
ticket pt-1
does pt-1 <<'SCRIPT'
after "go $RALPH_WORKTREE"; work; close_ticket; commit
SCRIPT
commit_tickets
git -C "$T/work/other" merge -q --ff-only main
work_on_bg
first=$bg
wait_for 30 said "$T/log" "^start pt-1"
cd "$T/work/other" || exit 1
run_bg "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
second=$bg
wait_for 30 said "$T/bg.$second.err" "pt-1 is claimed by another loop"
echo "go $project/.tf/ralph/worktrees/pt-1" >>"$T/log"
end_bg 60 "$first"
exit_is 0 "the loop that has a ticket does it"
echo "go $T/work/other/.tf/ralph/worktrees/pt-1" >>"$T/log"
end_bg 60 "$second"
exit_is 0 "the loop that waited for that ticket goes on"
is "$(git show main:out/pt-1) $(git show other:out/pt-1)" "work of pt-1 work of pt-1" "each on its own branch"
cd ..

# shellcheck source=tests/cli/todo.sh
mkdir list && cd list && . "$root/tests/cli/todo.sh"
project '- [ ] T001: one' '- [ ] T002: two'
worker <<'END'
done_by_tag
END
todo
exit_is 0 "a list is worked through"
cd ..

# shellcheck source=tests/cli/graph.sh
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks a b
g run -- ./agent
exit_is 0 "and so is a graph"
no_leftovers "nothing goes on"
done_testing
