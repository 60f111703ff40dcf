/*
 * userfile.h - files of the user's: whoever else writes them loses nothing, and they stay his.
 *
 * State is ours, private, and written by fs_replace.  A ticket, a graph, todo.md or AGENTS.md
 * belongs to others.  All of them are written here, and each writing is the same:
 *
 *   - a symbolic link stays, and the file that it leads to is changed (links.h refuses one that
 *     leads out of the project and was not there when the loop began);
 *   - the directory of that file is locked, which excludes other writers of ours and leaves no
 *     file behind, and what a killed writer left there is swept away;
 *   - the new file is written beside the old one, with its owner, where we may, and its mode; a
 *     new one has the mode that the umask gives it;
 *   - editors take no lock: what they wrote since the old text was read is noticed right before
 *     the new file would take the old one's place, and then the old one stays;
 *   - file and directory are synced.
 *
 * So the file is the old one or the new one, whole, whenever we are killed.
 *
 * A path is seen from dirfd (AT_FDCWD: from the current directory).  The lock is not taken
 * twice: no fn calls this module for a file of the same directory.
 */
#ifndef BASE_USERFILE_H
#define BASE_USERFILE_H

#include "base/buf.h"
#include "base/err.h"
#include <sys/stat.h>

/* A file between reading and writing. */
struct userfile {
	int dir;    /* where the file is when all links have been followed; locked */
	char *name; /* of the file in `dir` */
	bool exists;
	struct stat st;	 /* valid when the file exists */
	struct buf text; /* "" when the file does not exist */
};

/*
 * Makes the new text from f->text.  0: as in `out`; 1: nothing is to be written; -1 + err.
 * Called again when the file was changed by others.
 */
typedef int userfile_fn(struct userfile *f, void *ctx, struct buf *out, struct err *err);

/* Reads at most `max` bytes.  A file that does not exist is one without text (its directory
 * must be there).  Returns what fn did, or -1; EBUSY when others never stop writing. */
int userfile_change(int dirfd, const char *path, size_t max, userfile_fn *fn, void *ctx,
    struct err *err) NODISCARD;
/* For fn: moves the file aside under another name (fs_move_aside); the file exists no more. */
int userfile_aside(struct userfile *f, struct buf *moved, struct err *err) NODISCARD;

/* Replaces the file, which was `old` when the text was made.  EBUSY: the file has changed
 * since, and stays.  `old` NULL: replaces the file whatever it holds, and makes a missing
 * one. */
int userfile_replace(int dirfd, const char *path, const struct buf *old, const struct buf *text,
    struct err *err) NODISCARD;

/* Makes the file; code EEXIST when something has that name, a link that leads nowhere too. */
int userfile_create(
    int dirfd, const char *path, const struct buf *text, struct err *err) NODISCARD;

#endif
