#!/usr/bin/env bash
# Faults that are met at some points only, also with FULL=1: other errors of a disk, no descriptor, no process, errors that
# last, and a process that stands still for a moment.  A normal run tries a few of them, and another one others.
. "$(dirname "$0")/lib.sh"
command -v git >/dev/null || skip_all "there is no git"

all=()
for kind in run prompt tickets graph todo; do
	for role in supervisor keeper; do
		for fault in EDQUOT EROFS EMFILE FORK STOP ENOSPC+ EIO+ EDQUOT+ EROFS+ EMFILE+; do
			all+=("$kind/$role/$fault")
		done
	done
done

# few N WORD...: prints N of the words, one a line; the same ones for the same seed
few() {
	local n=$1
	shift
	printf '%s\n' "$@" | awk -v seed="$sweep_seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | head -n "$n" | cut -f 2
}

tried=${#all[@]}
[[ -n $full$sweep_only ]] || tried=8
while read -r scenario; do
	sample "${scenario%/*}" "${scenario##*/}"
done < <(few "$tried" "${all[@]}")
diag "$tried of ${#all[@]} kinds of faults, seed $sweep_seed"
no_leftovers "nothing goes on"
done_testing
