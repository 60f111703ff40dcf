#!/usr/bin/env bash
# The lists in doc/seeds say of every statement which test checks it, or why it does not hold; each test that they
# name is there, each check's title stands in it, and the sums are right.  A list is a head line
# "N statements: Y hold, D depart, M not yet." and tables whose rows are
#
#	| 1 | Statement | `tests/cli/x.t` "title", `tests/unit/base/test_buf.c` | yes |
#
# where the last cell is "yes", "departs: WHY; ralph(1), SECTION" or "not yet: WHAT": users find every departure in a
# manual.  A "|" within a cell is written "\|".
. "$(dirname "$0")/../cli/lib.sh"

cd "$root" || exit 1
shopt -s nullglob
lists=(doc/seeds/*.md)
ok "there are lists" test "${#lists[@]}" -ge 3

# Prints the rows, a "|" within a cell as \1.
rows() { sed 's/\\|/\x01/g' "$1" | grep -E '^\| *[0-9]+ *\|'; }

# Prints what is no row and looks like one.
strange() {
	grep -nE '^ *\|' "$1" | grep -vE '^[0-9]+:\| (# \| Statement \| Test \| Holds|[0-9]+ \| .* \| .* \| (yes|departs: .+|not yet: .+)) \|$' |
		grep -vE '^[0-9]+:\|( ?:?-+:? ?\|){4}$'
}

# Prints the rows that have too many cells, or another number than their place.
misplaced() { rows "$1" | awk -F'|' 'NF != 6 || $2 + 0 != NR { print NR ": " $0 }'; }

# Prints the rows that hold without a test.
untested() { rows "$1" | awk -F'|' '$5 == " yes " && $4 !~ /tests\/[a-z]/ { print $2 $3 }'; }

# Prints "TEST" or "TEST<tab>TITLE" for everything that the cells name.
named() {
	rows "$1" | cut -d '|' -f 4 | tr '\1' '|' | grep -oE 'tests/[A-Za-z0-9_./-]*[A-Za-z0-9_]`?((,? "[^"]*")*)' |
		awk -F'"' '{ sub(/`? *$/, "", $1); print $1; for (i = 2; i < NF; i += 2) print $1 "\t" $i }' | sort -u
}

# Prints what is named and is not there.
missing() {
	local file title
	while IFS=$'\t' read -r file title; do
		if [[ ! -f $file ]]; then
			echo "$file"
		elif [[ -n $title ]] && ! grep -qF -e "$title" "$file"; then
			echo "$file: $title"
		fi
	done < <(named "$1") | sort -u
}

# Prints the departures that name no section of a manual.
unmanned() {
	local row place
	while IFS= read -r row; do
		place=$(grep -oE '; [a-z]+\(1\), [A-Z ]+$' <<<"$row") &&
			grep -qxF ".Sh ${place#*, }" "doc/man/$(grep -oE '[a-z]+' <<<"${place%%(*}").1.in" || echo "$row"
	done < <(rows "$1" | cut -d '|' -f 5 | sed -n 's/^ \(departs: .*\) $/\1/p')
}

# Prints the head line that the rows ask for.
sums() {
	rows "$1" | awk -F'|' '$5 == " yes " { yes++ } $5 ~ /^ departs: / { departs++ } $5 ~ /^ not yet: / { not_yet++ }
		END { printf "%d statements: %d hold, %d depart, %d not yet.\n", NR, yes, departs, not_yet }'
}

for list in "${lists[@]}"; do
	is "$(strange "$list")" "" "$list: every row has a number, a statement, a test and whether it holds"
	is "$(misplaced "$list")" "" "$list: the numbers count the rows"
	is "$(untested "$list")" "" "$list: what holds has a test"
	is "$(missing "$list")" "" "$list: the tests are there, with the checks that are named"
	is "$(unmanned "$list")" "" "$list: what departs names its place in a manual"
	is "$(grep -E '^[0-9]+ statements: ' "$list")" "$(sums "$list")" "$list: the sums are those of the rows"
done
done_testing
