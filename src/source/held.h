/*
 * held.h - a file of the user's between reading and writing.
 *
 * Held by a lock on its directory, which excludes other writers of ours and leaves no file
 * behind.  Editors take no lock: what they wrote in the meantime is noticed right before the
 * new file takes the old one's place, and then all is read and made anew.  The new file has
 * the mode and, where we may, the owner of the old one; a symbolic link stays and leads to it.
 */
#ifndef SOURCE_HELD_H
#define SOURCE_HELD_H

#include "base/buf.h"
#include "base/err.h"
#include <sys/stat.h>

struct held {
	int dir; /* locked */
	char *name;
	bool exists;
	struct stat st;	 /* when it does */
	struct buf text; /* "" when not */
};

/*
 * Makes the new text from h->text.  0: as in `out`; 1: nothing is to be written; -1 + err.
 * It is called again when the file was changed by others.
 */
typedef int held_fn(struct held *h, void *ctx, struct buf *out, struct err *err);

/* Reads at most `max` bytes.  A file that does not exist is one without text (its directory
 * must be there).  Returns what fn did, or -1; EBUSY when others never stop writing. */
int held_change(
    const char *path, size_t max, held_fn *fn, void *ctx, struct err *err) NODISCARD;
/* For fn: keeps the file as it is under another name (fs_move_aside); it exists no more. */
int held_aside(struct held *h, struct buf *moved, struct err *err) NODISCARD;

#endif
