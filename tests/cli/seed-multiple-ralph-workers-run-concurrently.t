#!/usr/bin/env bash
# Edge case: Multiple --ralph workers can run concurrently with different names.
. "$(dirname "$0")/../cli/seed.sh"

names=(one two three)
for name in "${names[@]}"; do
	mkdir "$name"
	echo "task of $name" >"$name/PROMPT.md"
	echo 'count starts; when-iteration 2 wait-file go' >"$name/claude.txt"
	(cd "$name" && exec swarm spawn --name "$name" --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude) >"$name.out" &
	pids+=($!)
done
for name in "${names[@]}"; do
	wait_for 20 said "$name/starts" . 2
done
is "$(swarm ls --format names --status running | sort | xargs)" "one three two" "all run at the same time"
wait_for 20 windows_are "swarm:one swarm:three swarm:two" && pass "each in a window of its own"
is "$(cat one/prompt.2; echo; cat two/prompt.2; echo; cat three/prompt.2)" "task of one
task of two
task of three" "each with its own prompt"
touch two/go
wait "${pids[1]}"
is "$? $(swarm ls --format names --status running | sort | xargs)" "0 one three" "one that is over disturbs no other"
is "$(tail -n 1 two.out)" "[ralph] two: loop complete after 2 iterations" "it says so on its own console"
touch one/go three/go
wait "${pids[0]}" && wait "${pids[2]}" && pass "the others come to their end, too"
no_leftovers "nothing goes on"
done_testing
