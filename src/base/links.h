/*
 * links.h - links of a project that lead out of it.
 *
 * Links that were there when a loop began are the user's: .tickets or ai may be anywhere.  A
 * link that an agent makes later would lead our writes to wherever the agent likes.  So a
 * process that writes for a project says once where the project's links lead (links_bound).
 * From then on a directory that is named by a path below the project's root, and lies neither
 * in the project nor in one of those places, is refused with a sentence that names both.
 * fs_open_dir and fs_mkdir refuse such a directory themselves; links_check refuses it for a
 * caller that opens a file's directory where a link led.  Only the place of the descriptor
 * counts, so nobody can change the path in between.
 *
 * This module does not concern paths that do not lie below the root, as the state home's
 * usually do not.
 */
#ifndef BASE_LINKS_H
#define BASE_LINKS_H

#include "base/err.h"

/* Follows all links of the paths (NULL-terminated; below root, or absolute), and returns the
 * places that lie out of root.  A path that leads nowhere is left out.  Never NULL; free with
 * strlist_free. */
char **links_find(const char *root, const char *const *paths) NODISCARD;
/* The links directly in a directory (below root, or absolute): their paths, absolute where root
 * is.  Never NULL; free with strlist_free. */
char **links_in(const char *root, const char *dir) NODISCARD;
/* Sets the bounds from now on, in this process and its forks.  Copies the strings; root NULL:
 * lifts the bounds.  `own` is our state home, where every link may lead and which may be
 * anywhere, or NULL.  `watched` (below root, or absolute) are the paths that were looked at
 * when the loop began: only paths at or below one of them are refused; NULL: everything below
 * the root was looked at. */
void links_bound(
    const char *root, char *const *outside, const char *own, const char *const *watched);
/* Checks the directory fd, which was opened for `path`, seen from dirfd; with a name, for that
 * file in the directory (then a path in one of the places outside counts as one of the
 * project's).  -1, code and errno ELOOP: the path leads out of the project, and that is new. */
int links_check(
    int fd, const char *name, int dirfd, const char *path, struct err *err) NODISCARD;
/* Finds, for a caller that makes something at that path, the directory of the path and the name
 * in that directory.  *parent stays -1 where nothing is bound, or where the directory does not
 * exist, which the caller then finds out. */
int links_parent(
    int dirfd, const char *path, int *parent, const char **name, struct err *err) NODISCARD;
/* Like links_check, for a path that is only read, by the place where the path leads now.  A
 * path that leads nowhere passes. */
int links_check_path(int dirfd, const char *path, struct err *err) NODISCARD;

#endif
