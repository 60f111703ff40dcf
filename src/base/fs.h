/*
 * fs.h - files, and the only place that writes them.
 *
 * Every byte of state goes through fs_replace (whole files) or fs_append
 * (journals, recordings), every byte of a user's file through userfile.h, which is made of
 * fs_draft and fs_place.  Each step of theirs, every other call here that changes anything,
 * and child_start pass one numbered fault point, and fs_remove_tree two per directory, so that
 * a test can fail or kill the program at every such point.  (fs_reserve alone has none: nobody
 * learns whether it worked.)  In a build with -Dfaults=true the environment drives it:
 *
 *   RALPH_FAULT=ENOSPC@7     the 7th point returns -1 with that errno
 *   RALPH_FAULT=EIO@7+       the 7th and every later one
 *   RALPH_FAULT=KILL@7       SIGKILL to ourselves instead of the 7th
 *   RALPH_FAULT=STOP@7       SIGSTOP to ourselves before the 7th
 *   RALPH_FAULT=SHORT@7      the 7th, if a write, writes half and is continued
 *   RALPH_FAULT=FORK@7       the 7th start of a process fails; no other point counts
 *   RALPH_FAULT_ROLE=keeper  counts only in processes of that role
 *                            ("supervisor" is the default)
 *   RALPH_FAULT_LOG=FILE     appends "N what path" for every point passed
 *
 * The variables are taken out of the environment at start, so no agent sees them.
 *
 * Paths: state is reached by a directory descriptor and a plain name.  All
 * descriptors are O_CLOEXEC.  Files are 0600, directories 0700.
 */
#ifndef BASE_FS_H
#define BASE_FS_H

#include "base/buf.h"
#include "base/err.h"
#include <limits.h>
#include <sys/stat.h>

enum fs_role { FS_SUPERVISOR, FS_KEEPER, FS_OTHER };
void fs_fault_init(void); /* reads and removes the environment variables */
void fs_fault_role(enum fs_role role);
/* Passes one fault point: 0, or -1 with errno set when the plan says so. */
int fs_fault(const char *what, const char *path) NODISCARD;
/* As fs_fault, for a write of *len bytes: SHORT leaves half of them to be tried. */
int fs_fault_write(const char *what, const char *path, size_t *len) NODISCARD;
/* Appends the fault plan to env as "K=V" strings, for a process of the other role (a
 * keeper). */
char **fs_fault_env(char **env) NODISCARD;

enum fs_sync { FS_NOSYNC, FS_SYNC };

/*
 * Replaces dirfd/name by the given bytes: temporary file in the same
 * directory, write, fsync, rename, fsync of the directory.  On failure the old
 * file is untouched and no temporary stays; when only the last step failed, the
 * new file is there, but may not survive the power.  FS_NOSYNC leaves both fsyncs out,
 * for files whose loss with the power costs nothing.  fsync is never retried
 * on the same descriptor.  A symbolic link at name is replaced, never followed.
 */
int fs_replace(int dirfd, const char *name, const void *data, size_t len, enum fs_sync sync,
    struct err *err) NODISCARD;

/*
 * The two halves of fs_replace, for a caller that has to look in between (userfile.h).
 * fs_draft writes and syncs a temporary file, whose name it puts into `draft`, with the owner
 * and mode of `like`; NULL: like a new file, for which the umask decides who may look.
 * fs_place gives the draft its name, and syncs the directory; `fresh`: never over an existing
 * file (EEXIST).  On failure no draft stays; a caller that decides against the draft calls
 * fs_unlink.
 */
int fs_draft(int dirfd, const char *name, const struct stat *like, const void *data, size_t len,
    char draft[NAME_MAX + 1], struct err *err) NODISCARD;
int fs_place(
    int dirfd, const char *draft, const char *name, bool fresh, struct err *err) NODISCARD;

/* Removes the temporary files of killed processes; the caller holds the directory's lock. */
int fs_sweep(int dirfd, struct err *err) NODISCARD;

/* Opens dirfd/name for appending, creating it; refuses anything but a regular
 * file, and links.  Returns the descriptor. */
int fs_open_append(int dirfd, const char *name, struct err *err) NODISCARD;
/* Writes all of it (EINTR and short writes continued), then fdatasync if asked.
 * `name` is for the message.  On failure the caller must assume a torn tail. */
int fs_append(int fd, const char *name, const void *data, size_t len, enum fs_sync sync,
    struct err *err) NODISCARD;
/* Cuts the file to that length; FS_SYNC: then fdatasync. */
int fs_cut(
    int fd, const char *name, int64_t length, enum fs_sync sync, struct err *err) NODISCARD;
/* Makes a hole, and the size stays; not every file system can (EOPNOTSUPP). */
int fs_punch(int fd, const char *name, int64_t from, int64_t len, struct err *err) NODISCARD;
/* Asks for room behind the end, which may not be given. */
void fs_reserve(int fd, int64_t from, int64_t len);

/*
 * Reads a regular file of at most max bytes (EFBIG past it) into out.  Opens
 * without blocking on a FIFO; a directory, FIFO or device is refused with
 * EISDIR or EINVAL.  `dirfd` may be AT_FDCWD.
 */
int fs_read(
    int dirfd, const char *name, size_t max, struct buf *out, struct err *err) NODISCARD;
/* Like fs_read, for a file that is open (O_NONBLOCK) and stands at its beginning; `name` is for
 * the message. */
int fs_read_fd(
    int fd, const char *name, size_t max, struct buf *out, struct err *err) NODISCARD;
/* Like fs_read, for a file that an agent may have put there: refuses a symbolic link
 * (ELOOP). */
int fs_read_own(
    int dirfd, const char *name, size_t max, struct buf *out, struct err *err) NODISCARD;

/* The directories of a project that a loop works for are not made or opened through a link that
 * leads out of it and is new (links.h). */
int fs_mkdir(int dirfd, const char *name, struct err *err) NODISCARD; /* EEXIST is success */
int fs_mkdirs(const char *path, struct err *err) NODISCARD;	      /* and its parents */
/* Like fs_mkdir and fs_mkdirs, for directories of the user's project: the umask decides who may
 * look. */
int fs_mkdir_shared(int dirfd, const char *name, struct err *err) NODISCARD;
int fs_mkdirs_shared(const char *path, struct err *err) NODISCARD;
int fs_open_dir(int dirfd, const char *name, struct err *err) NODISCARD;
/* Syncs the names in a directory.  The message speaks of `name`, the entry that matters. */
int fs_sync_dir(int dirfd, const char *name, struct err *err) NODISCARD;
/* Syncs the whole file system that `path` is on, so also files that others wrote. */
int fs_sync_all(const char *path, struct err *err) NODISCARD;
/* Syncs a file that others wrote; ENOENT is success. */
int fs_sync_file(int dirfd, const char *name, struct err *err) NODISCARD;
/* Renames a file; FS_SYNC: and syncs the directory. */
int fs_rename(
    int dirfd, const char *from, const char *to, enum fs_sync sync, struct err *err) NODISCARD;
/* Makes an empty file; EEXIST when the name is taken. */
int fs_create(int dirfd, const char *name, struct err *err) NODISCARD;
/* Gives the file another name; EEXIST when that name is taken. */
int fs_link(int dirfd, const char *from, const char *to, struct err *err) NODISCARD;
int fs_unlink(int dirfd, const char *name, struct err *err) NODISCARD; /* ENOENT is success */
/* A directory that is empty; ENOENT is success. */
int fs_rmdir(int dirfd, const char *name, struct err *err) NODISCARD;
/* Removes a tree below dirfd by descriptor walk; never follows links. */
int fs_remove_tree(int dirfd, const char *name, struct err *err) NODISCARD;

/*
 * Copy files of a user or an agent into a tree of theirs (fs_copy.c), with the usual modes
 * instead of ours.  An existing file is not touched (EEXIST).  Links are never followed.
 */
int fs_copy_file(int from, int to, const char *name, struct err *err) NODISCARD;
int fs_copy_link(int from, int to, const char *name, struct err *err) NODISCARD;
/* Makes an empty directory; an existing one will do. */
int fs_copy_dir(int to, const char *name, struct err *err) NODISCARD;

/* Adds up the bytes that the files of a tree take on disk, as far as it can be read; links
 * count as themselves. */
int64_t fs_tree_bytes(int dirfd, const char *name);

/*
 * Keeps what cannot be read: renames name to <stem>.corrupt.<UTC stamp><ext>
 * (state.json -> state.corrupt.20240115T103000Z.json; a number is added when taken).
 * The new name is written to moved (may be NULL).
 */
int fs_move_aside(int dirfd, const char *name, struct buf *moved, struct err *err) NODISCARD;
/* Keeps a copy of some of the file's bytes under such a name; the file itself stays as it
 * is. */
int fs_keep_aside(int dirfd, const char *name, const void *data, size_t len, struct buf *kept,
    struct err *err) NODISCARD;

/* Names in a directory, sorted, without "." and "..", hidden ones left out;
 * free with strlist_free.  A directory that does not exist is an empty list. */
int fs_list(int dirfd, const char *name, char ***out, struct err *err) NODISCARD;

/* Absolute path of `path` as seen from the current directory, without
 * resolving links (the file need not exist). */
char *fs_absolute(const char *path) NODISCARD;
/* The part of a path before its last name, by its letters alone: "." for a single name, "/" for
 * "/a".  The name itself is basename(path).  The caller frees the result. */
char *fs_parent(const char *path) NODISCARD;
/* The part of path behind dir and its slash, by their letters alone; NULL when path does not
 * lie below dir, or when dir is NULL or empty. */
const char *fs_below(const char *dir, const char *path) NODISCARD;

#endif
