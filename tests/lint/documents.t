#!/usr/bin/env bash
# Every Markdown document is wrapped at 96 columns, so that a terminal and a comparison side by side show whole lines.
# Exempt are lines that cannot be broken: rows of tables, blocks of code between fences (a command is pasted as it
# stands), and a line that is one word, such as an address.
#
# Every file that a document names as `src/...` or `tests/...` is there.  A capital word in a name (tests/cli/NAME.t)
# stands for any.
. "$(dirname "$0")/../cli/lib.sh"

columns=96

# Prints "FILE:LINE: N columns" for each line of a document that is too wide.
wide() {
	local line text fence="" number=0
	local opening='^ *([-*+] +|[0-9]+[.)] +)?(```+|~~~+)' marker='^ *(([-*+>]|[0-9]+[.)]|#+) +)*'
	while IFS= read -r line || [[ -n $line ]]; do
		number=$((number + 1))
		if [[ -n $fence ]]; then
			[[ $line =~ ^\ *"$fence"[\`~]*\ *$ ]] && fence=""
		elif [[ $line =~ $opening && ${line#*"${BASH_REMATCH[2]}"} != *\`* ]]; then
			fence=${BASH_REMATCH[2]}
		elif [[ ${#line} -gt $columns && ! $line =~ ^\ *\| && $line =~ $marker ]]; then
			text=${line#"${BASH_REMATCH[0]}"}
			[[ $text =~ [^\ ]\ +[^\ ] ]] && echo "$1:$number: ${#line} columns"
		fi
	done <"$1"
}

# Prints "FILE:LINE: NAME" for each file or folder that a document names and that is not there.
missing() {
	local number name
	while IFS=: read -r number name; do
		[[ -e $name || $name =~ (^|/)[A-Z]+(\.[a-z]+)?(/|$) ]] || echo "$1:$number: $name"
	done < <(grep -noP '\x60(src|tests)/[A-Za-z0-9_./-]+\x60' "$1" | tr -d '\140')
}

# The check itself: a word of 100 columns alone, and a row of 105 in all places where a line can stand.
word=$(printf 'x%.0s' {1..100})
row="some $word"
printf '%s\n' "$word" "- $word" "| $row |" '```sh' "$row" '```' '- ```sh' "  $row" '  ```' "$(printf 'é%.0s' {1..92}) two" >passes.md
printf '%s\n' "$row" "- $row" "      $row" "> $row" "\`\`\` \`\` \`\`\` $row" >fails.md
is "$(wide passes.md)" "" "what cannot be broken passes"
is "$(wide fails.md | xargs)" "$(echo fails.md:{"1: 105","2: 107","3: 111","4: 107","5: 116"}" columns")" "everything else is named, with its line"

cd "$root" || exit 1
mapfile -t documents < <(find . \( -path ./build -o -path ./.git \) -prune -o -name '*.md' -type f -print | sort)
ok "there are documents" test "${#documents[@]}" -ge 10
for document in "${documents[@]#./}"; do
	is "$(wide "$document")" "" "$document: no line is wider than $columns columns"
	is "$(missing "$document")" "" "$document: the files that it names are there"
done
done_testing
