/*
 * view.h - files, and lines, that are made from the facts of a loop and can be made again.
 *
 * Every view of every kind of loop is one struct view_ops.  Calls come in this order:
 *
 *   open    once, when the loop's state is known; writes nothing but directories
 *   fact    every fact in order; where the ops say `past`, those of the journal first, each as
 *           a decision of its own, with decided.past set
 *   write   after the facts of some decisions: brings the files up to date
 *   close   once, also after failures
 *
 * A fact is told when it is in the journal, which is synced before any view is written; where
 * that sync fails, views are written all the same, and the journal says so.  A view keeps
 * what it was told until that is written: after a failure `write` is called again, and writes
 * only what is missing.  Facts that are told again after a crash write nothing twice.  Files
 * are replaced whole and atomically, or appended to (base/fs.h, base/userfile.h): a view that
 * is torn by a crash is mended by its next write.
 *
 * Everything in struct view_of belongs to the caller and outlives the view.  A view that `open`
 * made is freed by its `close`; a view without these two (the console) is its owner's, and only
 * the fold knows it (views_add).
 */
#ifndef RECORD_VIEW_H
#define RECORD_VIEW_H

#include "base/buf.h"
#include "base/err.h"
#include "record/words.h"

struct running;

/* The loop that a view shows. */
struct view_of {
	const char *loop;
	const struct settings *settings;
	const struct loop_state *state;
	int home;
	struct running *run; /* for views of a kind; record/ does not look inside */
};

/* The first member of every view. */
struct view {
	const struct view_ops *ops;
	struct view_of of;
};

struct view_ops {
	const char *name; /* for complaints */
	bool past;	  /* folds the facts of earlier lives, too */
	/* NULL + err: the loop cannot be run without the view. */
	struct view *(*open)(const struct view_of *of, struct err *err);
	/* May be NULL: the view depends on the state alone. */
	void (*fact)(struct view *v, const struct decided *d, const struct fact *f);
	/* May be NULL: the view has no file.  -1 + err: something is missing in a file. */
	int (*write)(struct view *v, const struct loop_state *state, struct err *err);
	void (*close)(struct view *v); /* NULL: its owner frees the view */
};

/* ---- the views of a loop --------------------------------------------------------------- */

#define VIEWS_MAX 8

struct views {
	struct view *list[VIEWS_MAX];
	size_t n;
};

/* Opens each of `ops` (up to NULL) and tells those that want the past all facts of the journal.
 * On failure none of them is open, and the views before are as they were.  Code EBADMSG: the
 * journal is damaged, and nothing of what was folded is shown to anybody. */
int views_open(struct views *v, const struct view_ops *const *ops, const struct view_of *of,
    int loop_dirfd, struct err *err) NODISCARD;
/* A view that is its owner's; it must outlive the list. */
void views_add(struct views *v, struct view *view);
/* The one fold: tells the facts of a decision to every view. */
void views_fold(const struct views *v, const struct decided *d);
/* The open view with these ops; NULL. */
struct view *views_find(const struct views *v, const struct view_ops *ops);
void views_close(struct views *v);

/* For `open`: a view of that size, all zero but its first member.  `close` frees it. */
void *view_new(size_t size, const struct view_ops *ops, const struct view_of *of) NODISCARD;

/* ---- what views need ------------------------------------------------------------------- */

/* The largest file that is read before it is written again. */
#define VIEW_MAX ((size_t)64 << 20)

/* Appends a text of others as one harmless line of Markdown; at most `max` bytes of the
 * text. */
void view_line(const char *text, size_t max, struct buf *out);
/* Appends `before`, the text as view_line does, and `after`; nothing for an empty text. */
void view_field(
    const char *before, const char *text, size_t max, const char *after, struct buf *out);
/* Opens a directory of the project.  A missing directory is made again, with those above it,
 * because an agent may remove it at any time.  The project itself is never made. */
int view_dir(const char *root, const char *path, struct err *err) NODISCARD;
/* Reads a file that is the user's, too, and is written by userfile_replace: "" when there is
 * none; a file that is no text is moved aside. */
int view_read(int dir, const char *name, struct buf *out, struct err *err) NODISCARD;
/* Appends the lines to the file and empties the buffer.  Ends half a line of the file, which a
 * crash has left, before.  On failure the lines stay in the buffer for the next time, the
 * newest `max` bytes of them.  dir < 0 fails, with the err that is there. */
int view_append(
    int dir, const char *name, struct buf *lines, size_t max, struct err *err) NODISCARD;

#endif
