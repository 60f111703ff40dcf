#!/usr/bin/env bash
# Only base/fs.h changes the file system, since only there a test can let every call fail, or kill the program at it.  The calls that
# could are banned by name everywhere else.
#
# Not meant are descriptors that are no files of anybody's: sockets, pipes, terminals, /dev/null, /proc.  write(2) itself serves
# those, and a file that is open for writing comes from a banned flag, so write is not in the list.
. "$(dirname "$0")/../cli/lib.sh"
plan 3

calls='creat|fopen|freopen|tmpfile|mkstemps?|mkostemps?|mkdtemp|mktemp|rename|renameat2?|unlink(at)?|remove|link(at)?'
calls+='|symlink(at)?|mkdir(at)?|rmdir|mknod(at)?|mkfifo(at)?|f?truncate|fsync|fdatasync|syncfs|posix_fallocate|fallocate|sendfile'
calls+='|copy_file_range|chmod|fchmod(at)?|chown|[fl]chown|fchownat|utimensat|futimens|utimes?|f?setxattr'
flags='O_CREAT|O_TRUNC|O_APPEND|O_WRONLY|O_RDWR|O_TMPFILE'

# The toolkit, and what has its reasons.
own=(
	base/fs.c base/fs_copy.c base/fs_tree.c
	git/stage.c            # gives a copy of the index the time of the first: the time is what git compares
	git/trust/trust_guard.c # the mode of a copied hook
	base/lock.c            # what is written into a lock is for people; that it cannot be is no failure
	base/process/sock.c            # removes sockets
	base/log.c             # RALPH_DEBUG_LOG
	base/fault.c           # RALPH_FAULT_LOG, while a fault point is passed
	base/process/child.c           # /dev/null
	supervisor/detach.c           # /dev/null
	supervisor/supervisor.c       # opens its own terminal or pipe anew
	session/pty.c          # terminals
)

# The names of those files that have such a call; words in sentences and comments are none.
offenders() {
	perl -ne 's/"(?:[^"\\]|\\.)*"//g; s|/\*.*||; next if /^\s*\*/;
		print "$ARGV\n" and close ARGV if /(?<![\w.>])(?:'"$calls"')\(|\b(?:'"$flags"')\b/' "$@"
}

cd "$root/src" || exit 1
mapfile -t files < <(find . -name '*.c' | sed 's|^\./||' | sort)
offenders "${files[@]}" >"$T/found"
is "$(grep -xE 'base/fs(_tree)?\.c' "$T/found")" $'base/fs.c\nbase/fs_tree.c' "the calls of the toolkit are seen"
is "$(printf '%s\n' "${own[@]}" | grep -vxFf - "$T/found")" "" "nobody else changes a file past base/fs.h"

cat >"$T/bad.c" <<'C'
	if (unlink(path) < 0)
C
cat >"$T/good.c" <<'C'
 * rename(2) would do
	list->remove(list); /* unlink(it) */
	fs_unlink(dir, "rename(x)", err);
C
is "$(offenders "$T/bad.c" "$T/good.c")" "$T/bad.c" "words in comments and strings are no calls"
