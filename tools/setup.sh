# setup.sh - what ./run and ./test share: packages, and quiet builds.
# shellcheck shell=sh
#
# Sourced, after $root was set to the top of the source tree.  Nothing here
# writes to standard output; it belongs to the program that is run.

: "${root:?must be set before tools/setup.sh is sourced}"
setup_me=$(basename -- "$0")

# One need per line: how to see that it is there, and the package that brings it.
# shellcheck disable=SC2034 # for those who source this
BUILD_NEEDS='
tool gcc gcc
file /usr/include/stdio.h libc6-dev
tool meson meson
tool ninja ninja-build
tool pkg-config pkg-config
tool git git
lib jansson libjansson-dev
lib libpcre2-8 libpcre2-dev
lib libutf8proc libutf8proc-dev
lib libxxhash libxxhash-dev
lib yaml-0.1 libyaml-dev
'

# What ralph-desktop is built of.  Without it there is no `ralph desktop`, and all else works.
# shellcheck disable=SC2034
DESKTOP_NEEDS='
lib xcb libxcb1-dev
lib xcb-xtest libxcb-xtest0-dev
lib dbus-1 libdbus-1-dev
lib zlib zlib1g-dev
'

say() {
	printf '%s: %s\n' "$setup_me" "$*" >&2
}

# Prints the packages of those needs (on standard input) that are not met.
missing_packages() {
	while read -r kind probe package; do
		# shellcheck disable=SC2086 # a file may be a pattern
		case $kind in
		tool) command -v "$probe" ;;
		lib) pkg-config --exists "$probe" ;;
		file) ls -d $probe ;;
		*) continue ;;
		esac >/dev/null 2>&1 || printf '%s\n' "$package"
	done
}

# The same on one line.
missing_list() {
	printf '%s\n' "$1" | missing_packages | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# Installs what is missing of those needs; fails when it cannot.
install_missing() {
	wanted=$(missing_list "$1")
	[ -n "$wanted" ] || return 0

	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		as_root=sudo
		[ -t 0 ] || as_root='sudo -n'
		command -v sudo >/dev/null 2>&1 || return 1
	fi
	command -v apt-get >/dev/null 2>&1 || return 1
	say "installing $wanted"
	apt_get update || true # an index that is there may still do
	# shellcheck disable=SC2086 # a list of packages
	apt_get install --no-install-recommends $wanted || true
	wanted=$(missing_list "$1")
	[ -z "$wanted" ]
}

# Installs what is missing, or says in one sentence what to install, and exits.
need_packages() {
	install_missing "$1" && return 0
	say "cannot go on without these packages, please install them: $wanted"
	exit 1
}

# Installs what is missing if that can be done, and goes on without it otherwise.  What could
# not be had is remembered, so that it is not tried again every time.
want_packages() {
	remembered=$root/build/.without
	wanted=$(missing_list "$1")
	[ -n "$wanted" ] || return 0
	! grep -qsxF -e "$wanted" "$remembered" || return 0
	install_missing "$1" && return 0
	say "going on without these packages: $wanted"
	mkdir -p "$root/build"
	printf '%s\n' "$wanted" >>"$remembered"
}

apt_get() {
	# shellcheck disable=SC2086 # "sudo -n" is two words
	$as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
		apt-get -qq -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" >/dev/null 2>&1 </dev/null
}

# build_in COMPILER DIR [MESON OPTION...] [-- NINJA TARGET...]
# Configures DIR when it is new or wanted otherwise, and brings it up to date.
# The tools' output is shown only when they fail; warnings are kept in DIR/.warnings.
build_in() (
	export CC="$1"
	dir=$2
	shift 2
	options=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	[ $# -eq 0 ] || shift

	mkdir -p "$dir"
	exec 9>"$dir/.lock"
	flock 9
	log=$(mktemp "${TMPDIR:-/tmp}/ralph-build.XXXXXX")
	trap 'rm -f "$log"' EXIT

	# A tree that was moved or copied has another path inside its build.
	wanted="$root $CC $options"
	have=$(cat "$dir/.wanted" 2>/dev/null || true)
	if [ "$have" != "$wanted" ] || [ ! -f "$dir/build.ninja" ]; then
		say "configuring and building ${dir#"$root"/}"
		case $have in
		'' | "$root $CC "*) ;;
		*) rm -rf "${dir:?}"/* ;;
		esac
		again=
		[ ! -f "$dir/meson-private/coredata.dat" ] || again=--reconfigure
		# shellcheck disable=SC2086 # options hold no blanks
		if ! meson setup $again $options "$dir" "$root" >"$log" 2>&1 9>&-; then
			rm -f "$dir/.wanted"
			cat "$log" >&2
			return 1
		fi
		printf '%s\n' "$wanted" >"$dir/.wanted"
	fi
	built=yes
	ninja --quiet -C "$dir" "$@" >"$log" 2>&1 || built=no
	# What compiled is not compiled again, and would not warn again.
	! grep -q 'warning:' "$log" || cat "$log" >>"$dir/.warnings"
	if [ "$built" = no ]; then
		cat "$log" >&2
		return 1
	fi
)

# Named in the options, so that a build is configured anew when the libraries come or go.
desktop_option() {
	if [ -z "$(missing_list "$DESKTOP_NEEDS")" ]; then
		printf '%s\n' -Ddesktop=enabled
	else
		printf '%s\n' -Ddesktop=disabled
	fi
}

# The builds, each in a directory of its own.  Arguments are ninja's targets.

# The optimised one: build/ralph, and build/swarm, which is the same program.
build_release() {
	build_in gcc "$root/build" --buildtype=release "$(desktop_option)" -- || return 1
	[ -L "$root/build/ralph" ] || ln -sfn src/ralph "$root/build/ralph"
	[ -L "$root/build/swarm" ] || ln -sfn ralph "$root/build/swarm"
}

# What the tests run.  No warning is let pass here either: this is where gcc sees the tests.
build_sanitized() {
	build_in gcc "$root/build/asan" --buildtype=debug -Doptimization=1 -Dtests=true \
		-Dfaults=true -Db_sanitize=address,undefined -Db_lundef=false \
		-Db_pie=false -Db_staticpic=false --werror \
		"$(desktop_option)" -- "$@"
}

# Optimised, with the tests.
build_strict_gcc() {
	build_in gcc "$root/build/gcc" --buildtype=release --werror -Dtests=true \
		"$(desktop_option)" -- "$@"
}

build_strict_clang() {
	build_in clang "$root/build/clang" --buildtype=debugoptimized --werror -Dtests=true \
		-Dfaults=true "$(desktop_option)" -- "$@"
}

build_fuzzers() {
	build_in clang "$root/build/fuzz" --buildtype=debug -Doptimization=1 -Dtests=true -Dfuzz=true \
		-Ddesktop=disabled -Db_sanitize=address,undefined -Db_lundef=false \
		-Dc_args=-fsanitize=fuzzer-no-link -- "$@"
}
