#!/usr/bin/env bash
# As power-landing.t, in repositories so large that not the whole file system is synced: also where the
# agent packed its objects, and where it changed more files than are synced one by one.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/power.sh"

cat >worker <<'END'
#!/bin/sh
# Of what an agent is about to do nothing was promised.
case $1 in T-1) ;; *) until [ -e "$GO" ]; do sleep 0.02; done ;; esac
mkdir -p src/"$1"
for i in $(seq "$FILES"); do echo "the work on $1, $i" >"src/$1/$i"; done
git add -A && git commit -qm "work on $1"
echo "what is left of $1" >"$1"
[ "$KIND" != packed ] || git gc -q
echo "<promise>TICKET_$1_COMPLETE</promise>"
END
chmod +x worker
export GO=$T/go KIND FILES

project() {
	git init -q "$1"
	cd "$1" || return
	# Git itself syncs nothing of what an agent's git writes.
	git config core.fsync none
	mkdir .tickets many
	for id in T-1 T-2; do
		printf -- '---\nid: %s\nstatus: open\ndeps: []\nlinks: []\n---\n# Do it\n' "$id" >".tickets/$id.md"
	done
	(cd many && printf "$(printf '%0190d' 0)-%d\n" {1..1400} | xargs touch)
	"$RALPH" loop init >/dev/null 2>&1
	echo '{"sleepBetweenTickets": 0}' >.tf/ralph/config.json
	echo .tf >.gitignore
	git add . && git commit -qm tickets
	sync -f .
}

# trial KIND FILES
trial() {
	KIND=$1 FILES=$2
	project "$disk/$KIND"
	rm -f "$GO"
	run_bg "$RALPH" loop --parallel 1 -- "$T/work/worker" '{ticket}'
	wait_for 60 said "$T/bg.$bg.err" 'Merging worktree[.]{3} done'
	cd "$T/work" || exit
	power_cut "$bg"
	cd "$disk/$KIND" || exit
	run git fsck --full --no-dangling
	exit_is 0 "$KIND: the repository is whole"
	is "$(git show "main:src/T-1/$FILES" main:T-1)" "the work on T-1, $FILES
what is left of T-1" "$KIND: the work on T-1 is there"
	is "$(git ls-tree --name-only main src/T-1/ | wc -l)" "$FILES" "$KIND: all of it"
	is "$(git status --short)" "" "$KIND: and in the checkout"
	touch "$GO"
	run timeout 60 "$RALPH" loop --parallel 1 -- "$T/work/worker" '{ticket}'
	exit_is 0 "$KIND: the rest is done"
	is "$(git ls-tree --name-only main src/ | xargs)" "src/T-1 src/T-2" "$KIND: all of it"
	is "$(jq -r '.commits[]' .git/ralph-synced | grep -c "$(git rev-parse main)")" 1 \
		"$KIND: what landed is known to be on the disk"
	cd "$T/work" || exit
	rm -rf "${disk:?}/$KIND"
}

trial loose 3
trial packed 3
trial many 300
no_leftovers "nothing goes on"
done_testing
