#!/usr/bin/env bash
# Nothing in the tree speaks of the machine it was written on.
. "$(dirname "$0")/../cli/lib.sh"
plan 3

cd "$root" || exit 1
# Prints the matches of an extended regular expression in text files of ours.
found() {
	find . \( -path ./build -o -path ./.git -o -name corpus \) -prune -o -type f -print0 |
		xargs -0 grep -nIE "$1"
}
users='(user|you|me|alice|bob)'
is "$(found "(^|[^[:alnum:]_.$}>~-])/(wor[k]|roo[t]|User[s])/" | head -n 5)" "" \
	"no path of somebody's machine"
is "$(found '/hom[e]/[a-z]+' | grep -vE "/home/$users\b" | head -n 5)" "" \
	"no home of a real user"
is "$(found '(registr[y]|mirro[r]|prox[y])\.[a-z0-9.-]+\.[a-z]{2,}' | head -n 5)" "" \
	"no host that only some networks have"
