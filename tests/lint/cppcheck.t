#!/usr/bin/env bash
# cppcheck finds nothing.  It remembers in build/cppcheck what it has seen.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

cache=$root/build/cppcheck
mkdir -p "$cache"
cd "$root" || exit 1
run cppcheck --quiet -j 2 --std=c11 --library=posix,gnu --error-exitcode=1 \
	--enable=warning,performance,portability --inline-suppr --cppcheck-build-dir="$cache" \
	--suppressions-list=tests/lint/cppcheck.suppress \
	-D_GNU_SOURCE -DRALPH_FAULTS=1 -D__linux__ '-DRALPH_VERSION="0"' '-DRALPH_LIBEXECDIR="/"' -I src src tests
exit_is 0 "cppcheck is content"
