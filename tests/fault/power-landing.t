#!/usr/bin/env bash
# The power fails right after a ticket's work was said to have landed: it has, all of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/power.sh"

cat >worker <<'END'
#!/bin/sh
# Of what an agent is about to do nothing was promised.
case $1 in T-1) ;; *) until [ -e "$GO" ]; do sleep 0.02; done ;; esac
mkdir -p src
echo "the work on $1" >"src/$1"
git add -A && git commit -qm "work on $1"
echo "what is left of $1" >"$1"
echo "<promise>TICKET_$1_COMPLETE</promise>"
END
chmod +x worker
export GO=$T/go

project() {
	git init -q "$1"
	cd "$1" || return
	mkdir .tickets
	for id in T-1 T-2 T-3; do
		printf -- '---\nid: %s\nstatus: open\ndeps: []\nlinks: []\n---\n# Do it\n' "$id" >".tickets/$id.md"
	done
	"$RALPH" loop init >/dev/null 2>&1
	echo '{"sleepBetweenTickets": 0}' >.tf/ralph/config.json
	echo .tf >.gitignore
	git add . && git commit -qm tickets
	sync -f .
}

trials=4
for ((i = 1; i <= trials; i++)); do
	project "$disk/p$i"
	rm -f "$GO"
	run_bg "$RALPH" loop --parallel 1 -- "$T/work/worker" '{ticket}'
	wait_for 60 said "$T/bg.$bg.err" 'Merging worktree[.]{3} done'
	cd "$T/work" || exit
	power_cut "$bg"
	cd "$disk/p$i" || exit
	run git fsck --full --no-dangling
	exit_is 0 "trial $i: the repository is whole"
	is "$(git show main:src/T-1 main:T-1)" "the work on T-1
what is left of T-1" "trial $i: the work on T-1 is there"
	is "$(git status --short)" "" "trial $i: and in the checkout"
	touch "$GO"
	run timeout 60 "$RALPH" loop --parallel 1 -- "$T/work/worker" '{ticket}'
	exit_is 0 "trial $i: the rest is done"
	is "$(git ls-tree --name-only main src/ | xargs)" "src/T-1 src/T-2 src/T-3" "trial $i: all of it"
	cd "$T/work" || exit
done
no_leftovers "nothing goes on"
done_testing
