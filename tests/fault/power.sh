# power.sh - a disk whose power can be cut.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # lib.sh sets and uses them
#
#	$disk            where it is mounted; our state is on it
#	power_cut PID    cuts it, kills that process and all others, and mounts it again

for tool in losetup mkfs.ext4 perl jq; do
	command -v "$tool" >/dev/null || skip_all "there is no $tool"
done
[[ $EUID -eq 0 ]] || skip_all "needs root"

# Where no other test sees what is mounted: whoever has a copy of a mount keeps the file system, and
# then it is not mounted anew after the cut, but stays without power.
if [[ -z ${POWER_ALONE:-} ]]; then
	unshare -m true 2>/dev/null || skip_all "cannot mount here"
	POWER_ALONE=yes exec unshare -m bash "$(realpath "$0")" "$@"
fi

# A file system in a file; whatever happens, its device is given back.
disk=$T/disk
truncate -s 32M "$T/image"
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

power_cut() {
	power_off || skip_all "this kernel cannot cut the power of a file system"
	crash "$1" 2>/dev/null
	until lib_none_left; do kill -KILL "${lib_left[@]}" 2>/dev/null; done
	# One that is dying has no environment any more, but may still hold its files.
	wait_for 60 umount "$disk" 2>/dev/null
	mount "$device" "$disk"
}
