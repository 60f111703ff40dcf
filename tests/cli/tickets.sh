# tickets.sh - what the tests of `ralph loop` start with.
# shellcheck shell=bash
#
# Besides all of lib.sh:
#
#	new_project [untracked]     a git repository with .tickets and .tf/ralph, which becomes the current
#	                            directory; `untracked`: git does not know .tickets
#	init_project                only .tf/ralph, in the current directory
#	config KEY JSON             sets a key of .tf/ralph/config.json
#	ticket ID [FIELD=VALUE...]  a ticket; besides the fields of tk there are title and file (its name)
#	does ID WORD...             what the worker does with it, as a script: the words, or standard input
#	work_on [OPTION...]         runs `ralph loop` with the worker, after committing the tickets
#	work_on_bg [OPTION...]      the same with run_bg
#	starts ID                   prints how often a worker began with it; without ID: with any
#	at_once                     prints how many workers there were at the same time, at most
#	status_of ID                prints what the ticket's file in the project says
#	has REV FILE                whether the file is there, for ok and not_ok
#	kept TEXT                   whether a commit that some ref leads to has it in a file
#	progress_says REGEX         whether progress.md has a line that matches
#	attached NAME               what `ralph attach NAME` shows, in a terminal
#	summary NAME                prints the value of a line "- NAME: N (ID, ID)" of the last output, as
#	                            "N (ID ID)", sorted
#
# The worker without a script of its own does `work; close_ticket; commit`.  In scripts there are:
#
#	work [TEXT]                 writes the file out/ID
#	close_ticket                as tk does it: in the nearest .tickets
#	commit                      everything in the tree, if there is something
#	promise                     says that the ticket is complete
#	after TEXT [FILE]           waits until the file has the text; the worker's log $T/log, where
#	                            "start ID ATTEMPT" and "end ID STATUS" are written
#	hang                        for longer than any test

# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# shellcheck disable=SC2034 # for the test
sigil='<promise>COMPLETE</promise>'
project=$T/work/project
mkdir "$T/do" "$T/bin"
: >"$T/log"
PATH=$T/bin:$PATH

cat >"$T/worker" <<'SCRIPT'
#!/bin/bash
# worker TICKET FILE
id=$1
file=$2
note() { printf '%s\n' "$*" >>"$T/log"; }
work() { mkdir -p out && printf '%s\n' "${1:-work of $id}" >"out/${id//[^A-Za-z0-9._-]/_}"; }
close_ticket() {
	local dir=$PWD
	until [[ -d $dir/.tickets || $dir == / ]]; do dir=$(dirname "$dir"); done
	sed -i 's/^status: .*/status: closed/' "$dir/.tickets/${file##*/}"
}
commit() { git add -A && { git diff --cached --quiet || git commit -qm "work on $id"; }; }
promise() { echo "<promise>TICKET_${id}_COMPLETE</promise>"; }
after() { until grep -qsF -e "$1" "${2:-$T/log}"; do sleep 0.02; done; }
hang() { sleep 600; }
trap 'note "end $id $?"' EXIT
note "start $id $RALPH_ATTEMPT"
script=$T/do/${id//[^A-Za-z0-9._-]/_}
if [[ -e $script ]]; then
	. "$script"
else
	work && close_ticket && commit
fi
SCRIPT
chmod +x "$T/worker"

new_project() {
	mkdir -p "$project/.tickets" && cd "$project" || exit 1
	git init -q
	echo one >file && git add file && git commit -qm one
	[[ ${1:-} != untracked ]] || echo .tickets >>.git/info/exclude
	init_project
}

# Without the wait that the documented configuration has.
init_project() {
	"$RALPH" loop init >"$T/init.log" 2>&1 || diag "$(cat "$T/init.log")"
	config sleepBetweenTickets 0
}

config() {
	jq --argjson v "$2" ".$1 = \$v" .tf/ralph/config.json >"$T/config" && cp "$T/config" .tf/ralph/config.json
}

ticket() {
	local id=$1 arg
	local -A f=([status]=open [deps]='' [priority]=2 [tags]='' [title]="Do $1" [file]=$1)
	shift
	for arg; do f[${arg%%=*}]=${arg#*=}; done
	printf -- '---\nid: %s\nstatus: %s\ndeps: [%s]\nlinks: []\ncreated: 2026-01-01T00:00:00Z\ntype: task\npriority: %s\ntags: [%s]\n---\n# %s\n\nPlease.\n' \
		"$id" "${f[status]}" "${f[deps]}" "${f[priority]}" "${f[tags]}" "${f[title]}" >".tickets/${f[file]}.md"
}

does() {
	local script=$T/do/${1//[^A-Za-z0-9._-]/_}
	shift
	if [[ $# -gt 0 ]]; then echo "$*" >"$script"; else cat >"$script"; fi
}

commit_tickets() {
	git add .tickets 2>/dev/null
	git diff --cached --quiet || git commit -qm tickets
}

work_on() {
	commit_tickets
	run "$RALPH" loop "$@" -- "$T/worker" '{ticket}' '{file}'
}

work_on_bg() {
	commit_tickets
	run_bg "$RALPH" loop "$@" -- "$T/worker" '{ticket}' '{file}'
}

starts() {
	grep -c "^start ${1:-}${1:+ }" "$T/log"
}

at_once() {
	awk '/^start/ { if (++n > most) most = n } /^end/ { n-- } END { print most + 0 }' "$T/log"
}

status_of() {
	sed -n 's/^status: //p' "$project/.tickets/$1.md"
}

has() {
	git -C "$project" cat-file -e "$1:$2" 2>/dev/null
}

kept() {
	git -C "$project" rev-list --all | xargs git -C "$project" grep -qF -e "$1"
}

progress_says() {
	grep -qE -e "$1" "$project/.tf/ralph/progress.md"
}

attached() {
	tmux -f /dev/null new-session -d -s "$1" -x 100 -y 30 "$(printf '%q attach %q' "$RALPH" "$1")" 2>/dev/null
	tmux capture-pane -p -J -t "$1" 2>/dev/null
}

summary() {
	local value names
	value=$(sed -n "s/^- $1: //p" <<<"$err")
	names=$(sed -n 's/.* (\(.*\))$/\1/p' <<<"$value" | sed 's/, /\n/g' | sort | paste -sd ' ')
	echo "${value%% *}${names:+ ($names)}"
}
