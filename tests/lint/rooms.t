#!/usr/bin/env bash
# The rooms of the house include only what they may; doc/ARCHITECTURE.md tells why.
. "$(dirname "$0")/../cli/lib.sh"

cd "$root/src" || exit 1

# Prints the includes of a room's files that do not match the expression.  A room that is a folder of
# another one ("work/todo") is looked at by itself, with its own folders.
strangers() {
	local apart=()
	case $1 in
	git | work) apart=(-maxdepth 1) ;;
	cmd) apart=(-maxdepth 1) ;;
	esac
	find "$1" "${apart[@]}" -name '*.[ch]' -print0 | sort -z |
		xargs -0 -r grep -nHE '^[[:space:]]*#[[:space:]]*include' | sed -E 's|[[:space:]]*/\*.*||' |
		grep -vE "include \"($2)\"\$|include <($system)>\$"
}

any='[a-z/_]+\.h'
# Headers that are not ours: no brackets lead into a room.
system='(sys|linux|netinet|arpa|sanitizer|xcb|dbus)/[a-z0-9_/-]+\.h|[a-z0-9_-]+\.h'
# What every kind may use of the supervisor: all but its insides.
kind='supervisor/(held|kind|running|source|step|supervisor)\.h'
below="loops/$any|claims/$any|ticket/$any|record/$any|session/$any|loop/$any|base/$any"
toolkit='git/[a-z_]+\.h'
# What the rest of git may use of trust: all but its insides.
guards='git/trust/trust_(guard|place)\.h'
declare -A may=(
	[base]="base/$any"
	[loop]="loop/$any|base/(compiler|when|exit)\.h"
	[term]="term/$any|base/$any"
	[watch]="watch/$any|base/$any"
	[session]="session/$any|term/$any|watch/$any|loop/$any|base/$any"
	[record]="record/$any|loop/$any|base/$any"
	# The toolkit asks trust before every run of git; trust asks git for its settings.
	[git]="$toolkit|$guards|base/$any"
	[git/trust]="git/trust/$any|git/(git|inner|repo)\.h|base/$any"
	[git/landing]="git/landing/$any|$toolkit|$guards|base/$any"
	[git/turn]="git/turn/$any|$toolkit|$guards|base/$any"
	[ticket]="ticket/$any|base/$any"
	[claims]="claims/$any|ticket/$any|loop/$any|base/$any"
	[loops]="loops/$any|record/$any|session/$any|term/term\.h|watch/(lines|pattern)\.h|loop/$any|base/$any"
	[supervisor]="supervisor/$any|loops/$any|git/trust/trust\.h|record/$any|session/$any|loop/$any|base/$any"
	[work]="supervisor/kind\.h|loop/source_row\.h|base/$any"
	[work/shared]="work/shared/$any|$kind|git/landing/astray\.h|$below"
	[work/prompt]="work/prompt/$any|work/shared/$any|$kind|$below"
	[work/tickets]="work/tickets/$any|work/shared/$any|$kind|git/landing/(astray|landing)\.h|git/trust/trust\.h|$below"
	[work/graph]="work/graph/$any|work/shared/$any|$kind|$below"
	[work/todo]="work/todo/$any|work/shared/$any|$kind|git/git\.h|git/(landing/landing|turn/turn)\.h|desktop/helper\.h|$below"
	[desktop]="desktop/$any|loop/$any|base/$any"
	[main.c]="cmd/$any|base/$any"
)
# A folder of commands includes its own headers, those that all commands share, and its kind's.
all="$below|supervisor/(beat|bounds|detach|held|source|supervisor)\.h|cmd/[a-z_]+\.h"
may+=(
	[cmd]="$all|cmd/tk/plugin\.h|git/trust/trust\.h|desktop/(helper|options)\.h"
	[cmd/control]="cmd/control/$any|git/trust/trust\.h|$all"
	[cmd/graph]="cmd/graph/$any|work/graph/$any|git/(git|worktree)\.h|$all"
	[cmd/look]="cmd/look/$any|term/term\.h|$all"
	[cmd/loop]="cmd/loop/$any|cmd/tk/tk\.h|work/tickets/$any|git/landing/landing\.h|$all"
	[cmd/swarm]="cmd/swarm/$any|cmd/look/following\.h|git/worktree\.h|$all"
	[cmd/terminal]="cmd/terminal/$any|term/term\.h|$all"
	[cmd/tk]="cmd/tk/$any|work/tickets/$any|git/git\.h|$all"
	[cmd/todo]="cmd/todo/$any|work/todo/$any|git/turn/turn\.h|$all"
	[cmd/worker]="cmd/worker/$any|work/todo/todo_done\.h|$all"
)
for room in * git/* work/* cmd/*; do
	[[ -d $room || $room == *.[ch] && $room != */* ]] || continue
	if [[ -z ${may[$room]:-} ]]; then
		fail "src/$room is a room we know"
		continue
	fi
	is "$(strangers "$room" "${may[$room]}")" "" "src/$room includes what it may"
done

# Each line alone would lead out of its room.
mkdir "$T/room"
number=0
while IFS= read -r line; do
	number=$((number + 1))
	printf '%s\n' "$line" >"$T/room/bad$number.c"
done <<'C'
#include "session/session.h"
  # include <git/git.h> /* by brackets */
#include OUT_OF_HERE
#include "../session/session.h"
C
printf '%s\n' '#include <sys/types.h>' '#include <stdio.h> /* FILE */' '#include "base/fs.h"' >"$T/room/good.c"
is "$(cd "$T" && strangers room "base/$any" | cut -d: -f1 | xargs)" "$(eval "echo room/bad{1..$number}.c")" \
	"every way out of a room is seen"

# What follows from a source or from a regime is a column of their tables: below the kinds, nobody compares names.
named=$(sed -nE 's/^(#define TEST_SOURCES\(X\))?[[:space:]]*X\(([a-z]+), [01].*/\2/p' loop/source_row.h | paste -sd'|')
is "${named%%|*}" prompt "the names of sources are seen"
is "$(grep -rPzoc 'str(n|case|ncase)?cmp\([^;"]*"('"$named"')"' loop record loops supervisor | grep -v ':0$')" "" \
	"no room below the kinds compares the name of a source"
is "$(grep -rnE '[!=]= REGIME_' . | grep -v '^./loop/regime\.c:')" "" "nobody compares regimes by name"
done_testing
