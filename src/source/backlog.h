/*
 * backlog.h - all tickets of a .tickets directory, and which of them are ready.
 *
 * Read in this process, never by running tk; the answers are tk's: ready is every ticket that
 * is open or in progress and whose dependencies are all closed (one that does not exist blocks
 * for ever), by priority, then id.  backlog_refresh reads again only the files whose inode,
 * mtime or size changed.  Files that cannot be read or are no tickets are skipped and reported
 * by backlog_notes, each once for every change of it.
 *
 * Order: open, then refresh before the first question; what the questions return belongs to
 * the backlog and is valid until the next refresh.
 */
#ifndef SOURCE_BACKLOG_H
#define SOURCE_BACKLOG_H

#include "source/ticket.h"

struct backlog;

/* The directory as tk finds it: $TICKETS_DIR, else .tickets in `from` or the nearest directory
 * above it; NULL with code ENOENT when there is none.  The caller frees it. */
char *backlog_find_dir(const char *from, struct err *err) NODISCARD;
struct backlog *backlog_open(const char *dir, struct err *err) NODISCARD;
void backlog_close(struct backlog *b);
int backlog_refresh(struct backlog *b, struct err *err) NODISCARD;

int backlog_dirfd(const struct backlog *b);
size_t backlog_all(const struct backlog *b, const struct ticket *const **out);
size_t backlog_ready(struct backlog *b, const struct ticket *const **out);
size_t backlog_blocked(struct backlog *b, const struct ticket *const **out);
/* By id field; NULL. */
const struct ticket *backlog_find(const struct backlog *b, const char *id);
/* As on tk's command line: a part of a file's name; code ENOENT, or EEXIST when several match,
 * with tk's sentences. */
const struct ticket *backlog_match(
    const struct backlog *b, const char *partial, struct err *err) NODISCARD;
/* From now on it counts as closed, whatever its file says: its work has landed, but not in this
 * work tree yet.  Also before it is known. */
void backlog_settle(struct backlog *b, const char *id);
/* Tickets that are not closed; when none of them is ready, *why says what they wait for: cycles
 * as a path ("a -> b -> a"), dependencies that do not exist. */
size_t backlog_open_count(const struct backlog *b);
void backlog_explain(const struct backlog *b, struct buf *why);
/* Appends what is to be warned about since the last call, a line each; empties the list. */
void backlog_notes(struct backlog *b, struct buf *out);

#endif
