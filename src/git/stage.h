/*
 * stage.h - makes trees in an index of our own.
 *
 * The index is a file of git's format that the caller names. Git locks the file as any other
 * index (FILE.lock). stage_drop removes the lock that a killed git left; call it only when
 * nobody else uses the file.
 */
#ifndef GIT_STAGE_H
#define GIT_STAGE_H

#include "base/buf.h"
#include "base/err.h"

struct stage {
	const char *dir;       /* the top of a work tree */
	const char *index;     /* the file, absolute; NULL: the work tree's own */
	bool within, unsynced; /* as in git.h */
	/* Objects are written to the disk, which need not have them for sure before a later
	 * git, such as the one that makes a commit of them, has synced an object of its own. */
	bool later;
};

/* Entries that an index is to get, in the format of `git update-index -z --index-info`. Removed
 * paths come first: a file may have become a directory. */
struct edits {
	struct buf gone, here;
};

#define EDITS_INIT                                 \
	{                                          \
		.gone = BUF_INIT, .here = BUF_INIT \
	}

void edits_release(struct edits *e);
bool edits_is_empty(const struct edits *e);
/* Mode 000000: the path is removed. */
void edits_add(struct edits *e, const char *mode, const char *object, const char *path);

/* Reads the tree into the index. */
int stage_read(const struct stage *s, const char *tree, struct err *err) NODISCARD;
int stage_edit(const struct stage *s, const struct edits *e, struct err *err) NODISCARD;
/* Sets paths, each with a NUL, to what the work tree has: `git update-index -z OPTIONS
 * --stdin`. */
int stage_paths(const struct stage *s, const char *const *options, const struct buf *paths,
    struct err *err) NODISCARD;
/* The tree of the index; NULL + err.  The caller frees it. */
char *stage_write(const struct stage *s, struct err *err) NODISCARD;
/* The tree with those edits, by way of the index; the tree itself when there are none. */
char *stage_change(
    const struct stage *s, const char *tree, const struct edits *e, struct err *err) NODISCARD;
/* Copies an index to another name in the directory, and keeps its time: by that time git knows
 * which files may have changed since it looked at them.  When there is no index, there is none
 * of the other name afterwards, either. */
int stage_copy(const char *dir, const char *from, const char *to, struct err *err) NODISCARD;
/* Removes an index of ours and its lock. */
void stage_drop(const char *index);

#endif
