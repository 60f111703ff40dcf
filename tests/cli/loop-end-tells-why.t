#!/usr/bin/env bash
# The end of a run says of every ticket that failed why, how to see what its agent wrote, and how to get its work back.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 'work; echo "I give up"; exit 3'
does pt-2 'exit 4'
does pt-3 <<'SCRIPT'
echo "by the agent" >file; close_ticket; commit
cd "$T/work/project" && echo "by the user" >file && git commit -qam user
SCRIPT
work_on --name work
exit_is 11 "three have failed"
told=$(sed -n '/^- Failed: 3/,$p' <<<"$err")
like "$told" $'\n  pt-1: failed \(exit 3\)' "the first with its reason"
log=$(sed -n '/^  pt-1: /,$p' <<<"$told" | sed -n 's/^    what its agent wrote: //p' | head -n 1)
is "$log" "ralph logs --iteration 1 work" "and with the command that shows its log"
run "$RALPH" logs --iteration 1 work
like "$out" 'I give up' "which does"
back=$(sed -n '/^  pt-1: /,$p' <<<"$told" | sed -n 's/^    its work: //p' | head -n 1)
like "$back" '^git merge refs/ralph/failed/pt-1/1$' "and the one that gets its work back"
like "$told" $'\n  pt-2: failed \(exit 4\): there was nothing to keep' "one that left nothing says so"
like "$told" $'\n  pt-3: conflict: conflict in file .*; kept in .*/worktrees/pt-3 on ralph/pt-3' \
	"what is kept elsewhere has its place named"
like "$told" 'Still open: pt-1, pt-2, pt-3; another run tries again' "and that they are open is said"
run git merge -q refs/ralph/failed/pt-1/1
is "$(cat out/pt-1)" "work of pt-1" "the command gets it back"

# A run that was interrupted knows them, too.
rm -rf "$project"
new_project
ticket pt-4
ticket pt-5
does pt-4 'exit 7'
does pt-5 'note begun; after go; work; close_ticket; commit'
work_on_bg --name work
wait_for 30 said "$T/log" '^begun'
kill -INT "$bg"
end_bg 60 "$bg"
echo go >>"$T/log"
work_on --name work
exit_is 11 "the run goes on, and one had failed"
is "$(summary Failed)" "1 (pt-4)" "which is named"
like "$err" $'\n  pt-4: failed \\(exit 7\\)' "with its reason"
done_testing
