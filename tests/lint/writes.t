#!/usr/bin/env bash
# Files are made by base/fs.h, where a test can let every write fail.  What copies trees, takes locks that are never
# unlinked or keeps a format of others makes its own, and is named here.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

cd "$root" || exit 1
own='land/copy.c land/snapshot.c record/registry.c cmd/swarm/textfile.c cmd/swarm/heartbeat_record.c'
found=$(cd src && grep -rlE '\bO_CREAT\b|\bcreat\(|\bfopen\(|\bmkstemp\(' --include='*.c' . | sed 's|^\./||' | grep -v '^base/')
for file in $own; do found=$(grep -vxF "$file" <<<"$found"); done
is "$found" "" "nobody else makes a file past base/fs.h"
