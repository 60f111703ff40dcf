# loop-review.sh - a project with tickets, for the tests beside it.
# shellcheck shell=bash
#
# Besides all of lib.sh:
#
#	project DIR         a git repository with .tickets and .tf/ralph; becomes the current directory
#	config JSON         the project's config.json
#	ticket ID [FILE]    an open ticket, in FILE.md
#	commit              everything but what ralph writes
#	looped ARG...       runs `ralph loop`
#	status_of ID        prints what the ticket's file says
#	worker              a script: does the work of $RALPH_TICKET and closes it

# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

worker=$T/worker
cat >"$worker" <<'SCRIPT'
#!/bin/sh
echo "start $RALPH_TICKET" >>"$T/log"
echo "work of $RALPH_TICKET" >"out-$RALPH_TICKET"
sed -i 's/^status: .*/status: closed/' ".tickets/$RALPH_TICKET.md"
SCRIPT
chmod +x "$worker"
: >"$T/log"

project() {
	mkdir -p "$1" && cd "$1" || exit 1
	git init -q
	printf '.tf/ralph/\n' >.gitignore
	mkdir -p .tickets .tf/ralph
}

config() {
	printf '%s\n' "$1" >.tf/ralph/config.json
}

ticket() {
	printf -- '---\nid: %s\nstatus: open\ndeps: []\nlinks: []\npriority: 2\n---\n# Do %s\n' "$1" "$1" \
		>".tickets/${2:-$1}.md"
}

commit() {
	git add -A && git commit -qm "${1:-tickets}"
}

looped() {
	run timeout -s KILL 60 "$RALPH" loop "$@"
}

status_of() {
	sed -n 's/^status: //p' ".tickets/$1.md"
}
