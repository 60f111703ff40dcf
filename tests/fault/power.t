#!/usr/bin/env bash
# The power fails right after something was acknowledged: it is still there afterwards.
. "$(dirname "$0")/lib.sh"
for tool in losetup mkfs.ext4 perl jq; do
	command -v "$tool" >/dev/null || skip_all "there is no $tool"
done
[[ $EUID -eq 0 ]] || skip_all "needs root"

# A file system in a file; whatever happens, its device is given back.
disk=$T/disk
truncate -s 16M "$T/image"
mkfs.ext4 -q -F "$T/image"
device=$(losetup -f --show "$T/image" 2>/dev/null) || skip_all "no loop device is to be had"
trap 'code=$?; umount -l "$disk" 2>/dev/null; losetup -d "$device"; (exit "$code"); lib_finish' EXIT
mkdir "$disk"
mount "$device" "$disk" 2>/dev/null || skip_all "cannot mount here"
RALPH_HOME=$disk/home
# A process that dies while it is searched for leaks is nothing to report.
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0

# From now on nothing more reaches the disk, also not what the kernel still holds
# (FS_IOC_SHUTDOWN without flushing its log).
power_off() {
	# shellcheck disable=SC2016 # for perl
	perl -e 'open(my $d, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($d, 0x8004587d, $how) or die "$!\n"' "$disk"
}

facts() { jq -c '.facts[].fact' "$RALPH_HOME/loops/$1/journal.jsonl" | wc -l; }

echo work >prompt
trials=10
for ((i = 1; i <= trials; i++)); do
	run_bg "$RALPH" run --name "x$i" --json --prompt-file prompt --max-iterations unlimited -- "$AGENT" -e 'sleep 1'
	wait_for 20 said "$T/bg.$bg.out" '"ended"' "$i"
	# What is told after the cut does not count: nobody would be there to hear it, and a sync
	# that is under way while the file system is shut down may come back as if it had worked.
	told=$(grep -c . "$T/bg.$bg.out")
	power_off || skip_all "this kernel cannot cut the power of a file system"
	crash "$bg" 2>/dev/null
	until lib_none_left; do kill -KILL "${lib_left[@]}" 2>/dev/null; done
	umount "$disk"
	mount "$device" "$disk"
	kept=$(facts "x$i")
	if ((kept >= told)); then
		pass "trial $i: $told facts were told, $kept are on disk"
	else
		fail "trial $i: $told facts were told, $kept are on disk"
	fi
	run "$RALPH" status "x$i"
	exit_is 0 "trial $i: the state opens"
done
run_bg "$RALPH" resume --foreground x1
wait_for 20 said "$T/bg.$bg.out" 'iteration [0-9]+ completed'
run "$RALPH" stop x1
exit_is 0 "and the loop goes on"
wait "$bg"
no_leftovers "nothing goes on"
done_testing
