# scene.sh - a home and a project, as some version of the program left them.
# shellcheck shell=bash
#
# Both stand below /mnt, in a mount of the test's own: homes and repositories name places by their
# whole path, and hash it.  A scene is NAME.tar.xz (what is below /mnt) and NAME.txt (what the version
# that made it showed of it, and how it went on).
#
#	scene_place         makes an empty /mnt/{home,project,bin}, and goes to the project
#	scene_pack NAME     writes NAME.tar.xz
#	scene_unpack NAME   an empty place, and what the scene has of it
#	scene_tell          prints what the program shows of the scene, then of going on with it
#
# /mnt/scene says how to tell: KIND, LOOP (its name) and `go_on`, which goes on with it.  The worker of a
# scene waits wherever it was made to wait, until /mnt/open is there: scene_tell makes it.

# shellcheck disable=SC2154 # lib.sh
scenes=$root/tests/state

scene_env() {
	export HOME=/mnt/home RALPH_HOME=/mnt/home/.swarm PATH=/mnt/bin:$PATH
	cd /mnt/project || exit 1
}

# Programs are links: a scene goes on with those of today.
scene_programs() {
	mkdir -p /mnt/bin
	ln -sfn "$RALPH" /mnt/bin/ralph
	ln -sfn "$RALPH" /mnt/bin/swarm
	ln -sfn "$AGENT" /mnt/bin/agent
}

scene_place() {
	find /mnt -mindepth 1 -maxdepth 1 -exec rm -rf {} +
	mkdir -p /mnt/home /mnt/project
	printf '[user]\n\tname = Test\n\temail = test@localhost\n[init]\n\tdefaultBranch = main\n' >/mnt/home/.gitconfig
	scene_programs
	scene_env
}

scene_pack() {
	find /mnt -type s -delete
	tar -C /mnt --exclude=./bin --exclude='./project/.git/hooks/*.sample' --sort=name --owner=0 --group=0 \
		--numeric-owner -cf - . | xz -9e >"$scenes/$1.tar.xz"
}

scene_unpack() {
	cd / && find /mnt -mindepth 1 -maxdepth 1 -exec rm -rf {} +
	xz -dc "$scenes/$1.tar.xz" | tar -C /mnt --no-same-owner -xpf -
	scene_programs
	scene_env
}

# What is another every time: names of commits (of which 1234567d could be a span), moments, ages and spans, process ids,
# names of runs and sessions.
scene_mask() {
	sed -E -e 's/\b[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]{5,8}(\.[0-9]+)?(Z|[+-][0-9:]{5}| UTC)?)?/DATE/g' \
		-e 's/\b[0-9a-f]{40}\b/COMMIT/g' -e 's/(committed as |"commit_hash": "|Commit:\*\* )[0-9a-f]{7,}/\1COMMIT/' \
		-e 's/\b[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\b/TIME/g' \
		-e 's/\b([0-9]+(\.[0-9]+)?(ms|s|m|h|d) ?)+( ago)?\b/SPAN/g' \
		-e 's/(pid[":= ]+)[0-9]+/\1PID/g' \
		-e 's/\b[0-9a-f]{16}\b/RUN/g' -e 's/(Active sessions: [0-9]+ \().*\)/\1NAMES)/' \
		-e 's/(session=|attach |triggerTurn: |Session: |"session_id": ")[a-z]+-[a-z]+/\1NAME/' \
		-e 's/([^ ]) {2,}/\1  /g' -e 's/ +$//'
}

scene_part() {
	printf '\n== %s\n' "$1"
	shift
	"$@" </dev/null 2>&1 | scene_mask
	printf -- '-- %s\n' "${PIPESTATUS[0]}"
}

scene_refs() {
	git for-each-ref --format='%(refname)' refs/ralph refs/heads
	git log --format=%s --all | sort
}

# The views, and the files that agents made.
scene_files() {
	local file
	while IFS= read -r file; do
		printf -- '--- %s\n' "$file"
		cat "$file"
	done < <(find . "$RALPH_HOME/ralph" -type f -not -path './.git/*' -not -name '*.lock' \
		-not -path './logs/*' | LC_ALL=C sort)
}

scene_json() {
	ralph status --json "$LOOP" | jq -S 'del(.. | .time?, .pid?, .age?, .boot_id?)'
}

scene_tell() {
	local KIND LOOP
	# shellcheck disable=SC1091 # it comes with the scene
	. /mnt/scene
	scene_part 'ralph ls' ralph ls
	scene_part 'ralph status' ralph status "$LOOP"
	scene_part 'ralph status --json' scene_json
	scene_part 'ralph logs' ralph logs "$LOOP"
	scene_part 'ralph logs --list' ralph logs --list "$LOOP"
	[[ $KIND != tickets ]] || scene_part 'ralph loop status' ralph loop status
	[[ $KIND != graph ]] || scene_part 'ralph graph status' ralph graph status
	[[ $KIND != swarm ]] || scene_part 'swarm ls' swarm ls
	: >/mnt/open
	scene_part 'going on' go_on
	scene_part 'ralph ls, then' ralph ls
	scene_part 'ralph status, then' ralph status "$LOOP"
	scene_part 'references and commits' scene_refs
	scene_part 'files' scene_files
}
