#!/usr/bin/env bash
# Whatever is wrong with the graph and its tickets is told in one round.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
tasks T-0
ticket T-1 'depends_on: [T-0, T-99]'
ticket T-2 'depends_on: [T-1, T-5, T-77]'
sed -i 's/^priority: .*/priority: 9/' docs/active/tickets/T-2.md
ticket T-3 'depends_on: [T-2]'
printf -- '---\n[\n---\n' >docs/active/tickets/T-5.md
for command in refresh validate; do
	g "$command"
	exit_is 13 "$command finds mistakes"
	like "$err" "T-2.md:[0-9]+: a priority is 0 to 5" "the priority"
	like "$err" "T-1.md:[0-9]+: no task has the id 'T-99'" "an id that is not there, in another ticket"
	like "$err" "T-2.md:[0-9]+: no task has the id 'T-77'" "and in the same one"
	like "$err" "T-5.md:" "a ticket that cannot be read"
	unlike "$err" "the id 'T-[0125]'" "and nobody who names that one, or one with a mistake, is wrong"
done
cp task-graph.yaml before
printf '  - id: T-7\n    status: nonsense\n' >>task-graph.yaml
for command in refresh validate; do
	g "$command"
	like "$err" "task-graph.yaml:[0-9]+: no such status: 'nonsense'" "$command: a mistake in the graph"
	like "$err" "no task has the id 'T-99'" "hides none in a ticket"
	unlike "$err" "the id 'T-0'" "and its own tasks are known"
done
mv before task-graph.yaml
rm docs/active/tickets/T-5.md
sed -i 's/^priority: .*/priority: 1/; s/, T-5, T-77//' docs/active/tickets/T-2.md
sed -i 's/, T-99//' docs/active/tickets/T-1.md
g validate
exit_is 0 "when all are mended, nothing is wrong"
g refresh
exit_is 0 "and the tickets are brought in"
is "$(now T-1) $(now T-3)" "pending pending" "as tasks"
done_testing
