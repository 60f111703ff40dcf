#!/usr/bin/env bash
# clang has nothing to warn about, and clang-tidy, which does both at once, finds nothing.  What
# a file expands to is remembered by its hash in build/tidy, so that only what changed is looked
# at again.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
build_strict_clang -n || exit 1 # configures it; compiles nothing
export build=$root/build/clang cache=$root/build/tidy
# Only what is generated has to be there.
mapfile -t generated < <(jq -r '.[].file | select(startswith("../") | not)' "$build/compile_commands.json")
[[ ${#generated[@]} -eq 0 ]] || build_strict_clang "${generated[@]}" || exit 1
config=$(cat "$root/.clang-tidy" <(clang-tidy --version) | sha256sum)
export config
mkdir -p "$cache"

# tidy FILE COMMAND: the command is the one that compiles it, in the build directory.
tidy() {
	local file=$1 command key
	command=$(sed -E 's/ -M[QF] [^ ]+| -MD| -o [^ ]+| -c / /g' <<<"$2")
	key=$( (echo "$config" && cd "$build" && eval "$command -E -CC -w") | sha256sum | cut -c 1-40)
	[[ ! -e $cache/$key ]] || return 0
	if clang-tidy --quiet -p "$build" "$build/$file" 2>/dev/null; then
		touch "$cache/$key"
	else
		echo "in $file"
		return 1
	fi
}
export -f tidy

tidy_all() {
	# shellcheck disable=SC2016
	jq -j '.[] | .file, "\u0000", .command, "\u0000"' "$build/compile_commands.json" |
		xargs -0 -n 2 -P 2 bash -c 'tidy "$@"' bash
}
run tidy_all
find "$cache" -type f -mtime +30 -delete
exit_is 0 "clang and clang-tidy are content"
