#!/usr/bin/env bash
# A spec.json that is whole JSON and lacks a setting (somebody edited it, or a disk ate a part) never makes the
# program crash, nor makes a loop go on as another one: what a loop cannot do without is named by every command,
# nothing is touched, and `ralph repair` knows it as damage; without any other setting the loop goes on.  For every
# kind of loop, every text and list, and some flags and numbers (tests/unit/record/test_codec.c has them all).
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "nothing may be mounted here"
# shellcheck source=tests/state/scene.sh
. "$root/tests/state/scene.sh"
mount -t tmpfs none /mnt

texts='.settings | to_entries[] | select(.value | type == "string" or type == "array") | .key'

# of_kind SCENE NEEDED...: with each text and list of the scene's loop removed
of_kind() {
	local scene=$1 setting crashes='' KIND LOOP spec
	shift
	scene_unpack "$scene"
	# shellcheck disable=SC1091 # it comes with the scene
	. /mnt/scene
	spec=$RALPH_HOME/loops/$LOOP/spec.json
	for setting in $({ jq -r "$texts" "$spec" && printf '%s\n' "$@"; } | sort -u); do
		scene_unpack "$scene"
		jq -c "del(.settings.$setting)" "$spec" >/mnt/without
		cp /mnt/without "$spec"
		: >/mnt/open
		if [[ " $* " == *" $setting "* ]]; then
			is_said "$scene" "$setting"
			continue
		fi
		for command in resume stop; do
			run timeout -s KILL 60 ralph "$command" "$LOOP"
			((status < 128)) || crashes+=" $setting ($command: $status)"
		done
	done
	is "$crashes" "" "$scene: without any other setting nothing crashes"
	for setting; do
		ok "$scene: ($setting is in its spec.json)" grep -qF "\"$setting\"" <(scene_unpack "$scene" && cat "$spec")
	done
}

# is_said SCENE SETTING: that it is missing
is_said() {
	local before command sentence="spec.json: the setting '$2' is missing"
	before=$(find "$RALPH_HOME/loops/$LOOP" -type f ! -name lock -exec sha256sum {} + | sort)
	for command in status resume stop; do
		run timeout -s KILL 60 ralph "$command" "$LOOP"
		like "$status $err" "^1 ralph: error: .*$sentence.*ralph repair $LOOP" "$1 without $2: $command says so"
	done
	run ralph ls
	like "$status $out" "^1 .*$LOOP +damaged" "$1 without $2: it is listed as damaged"
	run ralph repair "$LOOP"
	like "$status $out" "^3 $LOOP: $sentence" "$1 without $2: repair, too, and how to mend it"
	is "$(find "$RALPH_HOME/loops/$LOOP" -type f ! -name lock -exec sha256sum {} + | sort)" "$before" \
		"$1 without $2: nothing was touched"
}

of_kind run-crashed source cwd command prompt_file max_iterations
of_kind command-crashed source cwd command prompt_command
of_kind tickets-crashed source cwd command root tickets worktrees_dir top branch lands worktrees
of_kind graph-crashed source cwd command root
of_kind todo-crashed source cwd command root todo_file leads
no_leftovers "nothing goes on"
done_testing
