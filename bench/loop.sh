# loop.sh - tickets in parallel worktrees, against the same git commands typed by hand (see run).
# shellcheck shell=sh
# shellcheck disable=SC2154 # run sets ralph and place
#
# The floor of the first row is the documented cycle (worktree add, commit, merge --no-ff, worktree
# remove, branch -d) around the same worker, with as many at once as the loop has.  That of the others is
# arithmetic: the same durations, handed in the same order to whichever slot is free first.

LOOP_TICKETS=20
LOOP_PARALLEL=4
LOOP_ROUNDS=3
LOOP_SHORT=0.1
LOOP_LONG=2

loop_worker() {
	cat >"$place/worker" <<-'END'
		#!/bin/sh
		echo "$1" >"$1.txt"
		sed -i 's/^status: .*/status: closed/' ".tickets/$1.md"
		git add -A && git commit -qm "work on $1"
	END
	cat >"$place/uneven" <<-END
		#!/bin/sh
		case \$1 in *[048]) sleep $LOOP_LONG ;; *) sleep $LOOP_SHORT ;; esac
		echo "<promise>TICKET_\$1_COMPLETE</promise>"
	END
	cat >"$place/cycle" <<-'END'
		#!/bin/sh
		# cycle PLACE TICKET
		tree=.tf/ralph/worktrees/$2
		flock .git/by-hand git worktree add -q -b "ralph/$2" "$tree" main
		(cd "$tree" && "$1/worker" "$2")
		git -C "$tree" add -A
		git -C "$tree" commit -qm "Ralph: complete $2" || true
		flock .git/by-hand sh -c "git merge -q --no-ff ralph/$2 -m 'Merge ralph/$2' &&
			git worktree remove $tree && git branch -qd ralph/$2"
	END
	chmod +x "$place/worker" "$place/uneven" "$place/cycle"
}

loop_tickets() {
	seq -f 'pt-%02g' "$LOOP_TICKETS"
}

# A new project of LOOP_TICKETS tickets, which becomes the current directory.
loop_project() {
	cd "$(mktemp -d "$place/project.XXXXXX")" || return
	git init -q -b main
	git config user.name bench && git config user.email bench@localhost
	mkdir .tickets
	loop_tickets | while read -r id; do
		printf -- '---\nid: %s\nstatus: open\ndeps: []\nlinks: []\npriority: 2\n---\n# Do it\n' "$id" >".tickets/$id.md"
	done
	"$ralph" loop init >/dev/null 2>&1
	echo '{"parallelWorkers": 1}' >.tf/ralph/config.json
	echo .tf >.gitignore
	git add . && git commit -qm tickets
}

# took COMMAND...: prints how long it takes, in ms.
took() {
	from=$(date +%s%N)
	"$@" >"$place/log" 2>&1 || { cat "$place/log" >&2 && return 1; }
	echo $((($(date +%s%N) - from) / 1000000))
}

loop_least() {
	sort -g "$1" | head -n 1
}

loop_by_hand() {
	loop_tickets | xargs -P "$LOOP_PARALLEL" -n 1 "$place/cycle" "$place"
}

loop_run() {
	"$ralph" loop --parallel "$LOOP_PARALLEL" "$@"
}

# The earliest that slots which are refilled at once can be through with the uneven tickets, in ms.
loop_bound() {
	loop_tickets | awk -v slots="$LOOP_PARALLEL" -v short="$LOOP_SHORT" -v long="$LOOP_LONG" '
	{
		best = 1
		for (i = 2; i <= slots; i++)
			if (free[i] + 0 < free[best] + 0) best = i
		free[best] += /[048]$/ ? long : short
		if (free[best] > last) last = free[best]
	}
	END { print last * 1000 }'
}

bench_loop() {
	section "$LOOP_TICKETS tickets, $LOOP_PARALLEL at once"
	loop_worker
	round=0
	while [ $((round += 1)) -le "$LOOP_ROUNDS" ]; do
		loop_project
		took loop_by_hand >>"$place/loop.hand"
		loop_project
		took loop_run -- "$place/worker" '{ticket}' >>"$place/loop.ralph"
		[ "$(git ls-tree --name-only HEAD | grep -c '^pt-')" -eq "$LOOP_TICKETS" ] || say 'work is missing'
	done
	row 'worktrees, commits and merges, least' "$(loop_least "$place/loop.ralph")" ms \
		"$(loop_least "$place/loop.hand")" 'ratio 2'
	loop_project
	row 'uneven durations, without worktrees' \
		"$(took loop_run --no-worktree --untagged free -- "$place/uneven" '{ticket}')" ms "$(loop_bound)" 'ratio 1.15'
	loop_project
	row 'uneven durations, with worktrees' "$(took loop_run -- "$place/uneven" '{ticket}')" ms "$(loop_bound)" 'ratio 1.15'
	cd "$place" || return
}
