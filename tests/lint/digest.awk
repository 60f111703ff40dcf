# digest.awk - prints what shellcheck has to know of a library when it looks at a script that
# sources it, and no more: the variables that are set here, and those that are used.

# Notes every name that is matched in the line, without what is around it.
function note_all(set, line, pattern, name) {
	while (match(line, pattern)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		gsub(/[^A-Za-z_0-9]/, "", name)
		set[name] = 1
	}
}

# The names that a command takes as its arguments.
function note_words(set, line, command, name) {
	if (!match(line, command))
		return
	line = substr(line, RSTART + RLENGTH)
	while (match(line, /^[ \t]+(-[A-Za-z]+[ \t]+)*[A-Za-z_][A-Za-z_0-9]*/)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		sub(/.*[ \t]/, "", name)
		set[name] = 1
	}
}

# What is in a here-document is no code of the library.
here != "" {
	sub(/^\t+/, "")
	if ($0 == here)
		here = ""
	next
}

/^# shellcheck (shell|source)=/ || /^\. / { print; next }
/^[ \t]*#/ { next }

{
	note_all(arrays, $0, "(^|[ \t;{(!])[A-Za-z_][A-Za-z_0-9]*\\+?=\\(")
	note_all(assigned, $0, "(^|[ \t;{(!])[A-Za-z_][A-Za-z_0-9]*\\+?=")
	note_words(assigned, $0, "(^|[ \t;{(])(read|mapfile|for|local)")
	note_all(used, $0, "\\$\\{?[#!]?[A-Za-z_][A-Za-z_0-9]*")
	if (match($0, /<<-?'?[A-Z]+'?/)) {
		here = substr($0, RSTART, RLENGTH)
		gsub(/[^A-Z]/, "", here)
	}
}

# As if they were read: nothing is known about their values.
END {
	for (name in assigned)
		if (name in arrays)
			print name "=()"
		else
			reads = reads " " name
	for (name in used)
		uses = uses " \"$" name "\""
	print "read -r" reads "\n:" uses
}
