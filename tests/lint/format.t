#!/usr/bin/env bash
# Every C file looks as .clang-format says.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

mapfile -t files < <(find "$root/src" "$root/tests" "$root/bench" -name '*.[ch]' 2>/dev/null | sort)
run clang-format --style=file --dry-run -Werror --ferror-limit=1 "${files[@]}"
exit_is 0 "${#files[@]} files are formatted (else: clang-format -i)"
