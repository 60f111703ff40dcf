# tk.sh - for the tests of `ralph tk`: tickets.
# shellcheck shell=bash
#
#	ticket ID STATUS [LINE...]     writes .tickets/ID.md with these further lines of front
#	                               matter and the title "The ID"
#	tk ARG...                      run "$RALPH" tk ARG...
#	files                          prints the names in .tickets, hidden ones too

ticket() {
	local id=$1 status=$2
	shift 2
	mkdir -p .tickets
	{
		printf -- '---\nid: %s\nstatus: %s\n' "$id" "$status"
		[[ $# -eq 0 ]] || printf '%s\n' "$@"
		printf -- '---\n# The %s\n\nText.\n' "$id"
	} >".tickets/$id.md"
}

tk() {
	run "$RALPH" tk "$@"
}

files() {
	find .tickets -mindepth 1 -printf '%f\n' | sort
}
