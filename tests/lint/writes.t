#!/usr/bin/env bash
# Only base/fs.h changes the file system, since only there a test can let every call fail, or kill the program at it.  The calls that
# could are banned by name everywhere else.
#
# Not meant are descriptors that are no files of anybody's: sockets, pipes, terminals, /dev/null, /proc.  write(2) itself serves
# those, and a file that is open for writing comes from a banned flag, so write is not in the list.
. "$(dirname "$0")/../cli/lib.sh"
plan 4

# Names that mean nothing else are banned wherever they stand (a pointer to unlink unlinks, too), words of every day only as calls.
names='mk[od]?stemps?|mkdtemp|mktemp|unlink(at)?|renameat2?|linkat|symlink(at)?|mkdir(at)?|rmdir|mknod(at)?|mkfifo(at)?|ftruncate'
names+='|fsync|fdatasync|syncfs|posix_fallocate|fallocate|copy_file_range|chmod|fchmod(at)?|chown|[fl]chown|fchownat|utimensat|futimens'
names+='|l?utimes?|[fl]?setxattr|[fl]?removexattr|f(re)?open|tmpfile|openat2|open_by_handle_at|shm_open|mq_open|popen|FICLONE'
calls='creat|rename|remove|link|truncate|sendfile|system'
flags='O_CREAT|O_TRUNC|O_APPEND|O_WRONLY|O_RDWR|O_TMPFILE'

# The toolkit, and what has its reasons.
own=(
	base/fs.c base/fs_copy.c base/fs_tree.c
	git/stage.c                  # gives a copy of the index the time of the first: the time is what git compares
	git/trust/trust_guard.c      # the mode of a copied hook
	base/lock.c                  # what is written into a lock is for people; that it cannot be is no failure
	base/process/sock.c          # removes sockets
	base/log.c                   # RALPH_DEBUG_LOG
	base/fault.c                 # RALPH_FAULT_LOG, while a fault point is passed
	base/process/child.c         # /dev/null
	supervisor/detach.c          # /dev/null
	supervisor/supervisor.c      # opens its own terminal or pipe anew
	session/pty.c                # terminals
)

# The names of those files that have such a call, or open a file with a number as flags; words in sentences and comments are none.
offenders() {
	perl -0777 -ne 's{"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*|^#(?:include|pragma)\N*}{ }gms;
		print "$ARGV\n" if /(?<![\w.>])(?:(?:'"$names"')\b(?!\w)|\(?(?:'"$calls"')\)?\()/ ||
			/\b(?:'"$flags"')\b/ || /\bopen(?:at)?\([^;]*?,\s*\d+\s*[,)]/ ||
			/\bsyscall\((?!SYS_pidfd_)/' "$@"
}

cd "$root/src" || exit 1
mapfile -t files < <(find . -name '*.[ch]' | sed 's|^\./||' | sort)
offenders "${files[@]}" >"$T/found"
is "$(grep -xE 'base/fs(_tree)?\.c' "$T/found")" $'base/fs.c\nbase/fs_tree.c' "the calls of the toolkit are seen"
is "$(printf '%s\n' "${own[@]}" | grep -vxFf - "$T/found")" "" "nobody else changes a file past base/fs.h"

# Each line alone is an offence.
number=0
while IFS= read -r line; do
	number=$((number + 1))
	printf '%s\n' "$line" >"$T/bad$number.h"
done <<'C'
	if (unlink(path) < 0)
	/* the old one */ unlink(path);
	*left = mkdir(path, 0700);
	int (*away)(const char *) = unlink;
	(rename)(from, to);
	fd = open(path, 577, 0600);
	syscall(263, AT_FDCWD, path, 0);
	file = fopen(path, how);
C
cat >"$T/good.c" <<'C'
 * rename(2) would do */
	list->remove(list); /* unlink(it) */
	fs_unlink(dir, "rename(x)", err);
	it.link(it);
	link = rename;
C
sed -i '1s|^|/*|' "$T/good.c"
is "$(offenders "$T"/bad*.h | wc -l)" "$number" "every way to call is seen, also in a header, behind a comment or by a pointer"
is "$(offenders "$T/good.c")" "" "words in comments and strings are no calls"
