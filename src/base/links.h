/*
 * links.h - links of a project that lead out of it.
 *
 * Links that were there when a loop began are the user's: .tickets or ai may be anywhere.  One
 * that an agent makes later would lead whatever we write to wherever it likes.  So a process
 * that writes for a project says once where the project's links lead (links_bound).  From then
 * on a directory that is named by a path below the project's root, and lies neither in the
 * project nor in one of those places, is refused with a sentence that names both: by
 * fs_open_dir and fs_mkdir themselves, and by links_check for who opens a file's directory
 * where a link led. What counts is where the descriptor is, so nobody can change the path in
 * between.
 *
 * Paths that do not lie below the root, as the state home's usually do not, are nothing to
 * this.
 */
#ifndef BASE_LINKS_H
#define BASE_LINKS_H

#include "base/err.h"

/* Where those of the paths (NULL-terminated; below root, or absolute) are that lie out of root,
 * all links followed.  What is not there is left out.  Never NULL; free with strlist_free. */
char **links_find(const char *root, const char *const *paths) NODISCARD;
/* The links directly in a directory (below root, or absolute): their paths, absolute where root
 * is.  Never NULL; free with strlist_free. */
char **links_in(const char *root, const char *dir) NODISCARD;
/* From now on, in this process and its forks.  Copies; root NULL: no more.  `own`: our state
 * home, where every link may lead and which may be anywhere; NULL.  `watched` (below
 * root, or absolute) are the paths that were looked at when the loop began: only what lies at
 * or below one of them is refused; NULL: everything below the root was. */
void links_bound(
    const char *root, char *const *outside, const char *own, const char *const *watched);
/* The directory fd was opened for `path`, seen from dirfd; with a name, for that file in it
 * (then a path in one of the places outside counts as one of the project's).  -1, code and
 * errno ELOOP: it leads out of the project, and that is new. */
int links_check(
    int fd, const char *name, int dirfd, const char *path, struct err *err) NODISCARD;
/* For who makes something of that path: its directory and its name in it.  *parent stays -1
 * where nothing is bound, or where there is no such directory, which whoever makes it will find
 * out. */
int links_parent(
    int dirfd, const char *path, int *parent, const char **name, struct err *err) NODISCARD;
/* The same for a path that is only read: where it is now.  What is not there is no link. */
int links_check_path(int dirfd, const char *path, struct err *err) NODISCARD;

#endif
