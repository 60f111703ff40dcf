/*
 * backlog.h - all tickets of a .tickets directory, and which of them are ready.
 *
 * This process reads the tickets, never by running tk, and gives tk's answers: ready is every
 * ticket that is open or in progress and whose dependencies are all closed (a dependency that
 * does not exist blocks for ever), by priority, then id.  backlog_refresh reads again only the
 * files whose inode, times or size changed, and those that changed less than a second before
 * they were read, since a file system's clock may not tell the next change apart.  Files that
 * cannot be read or are no tickets are skipped and reported by backlog_notes, once for every
 * change of the file.  Errors that pass (no descriptors left, an I/O error) fail the refresh: a
 * ticket that is not seen for a moment would look like work that is done.
 *
 * When two files have the same id, the file that is named after the id counts, else the last
 * one by name, as for tk, and a note tells so: no other file can stand in for a ticket.
 *
 * Order: open, then refresh before the first question.  Answers belong to the backlog and are
 * valid until the next refresh.
 */
#ifndef WORK_TICKETS_BACKLOG_H
#define WORK_TICKETS_BACKLOG_H

#include "ticket/ticket.h"

struct backlog;

/* The directory as tk finds it: $TICKETS_DIR, else .tickets in `from` or the nearest directory
 * above it; NULL with code ENOENT when there is none.  The caller frees it. */
char *backlog_find_dir(const char *from, struct err *err) NODISCARD;
struct backlog *backlog_open(const char *dir, struct err *err) NODISCARD;
void backlog_close(struct backlog *b);
/* On failure the backlog is as it was, or partly newer; the questions can be asked. */
int backlog_refresh(struct backlog *b, struct err *err) NODISCARD;

/* Instead of the first refresh, for a caller that needs one ticket.  1: there is a file
 * NAME.md, and only that file is known, read or found to be bad.  0: there is none, and nothing
 * was read. */
int backlog_refresh_only(struct backlog *b, const char *name, struct err *err) NODISCARD;

/* The directory, opened; a refresh opens another one that has taken its place. */
int backlog_dirfd(const struct backlog *b);
/* Every file that is a ticket, by the file's name. */
size_t backlog_all(struct backlog *b, const struct ticket *const **out);
size_t backlog_ready(struct backlog *b, const struct ticket *const **out);
size_t backlog_blocked(struct backlog *b, const struct ticket *const **out);
/* Finds a ticket by its id field; NULL: none. */
const struct ticket *backlog_find(const struct backlog *b, const char *id);
/* Finds a ticket as tk's command line names it: by a file's name or a part of it; code ENOENT,
 * or EEXIST when several match, with tk's sentences; EBADMSG for a file that is no ticket. */
const struct ticket *backlog_match(
    const struct backlog *b, const char *partial, struct err *err) NODISCARD;
/* From now on the ticket counts as closed, whatever its file says: the work has landed, but not
 * in this work tree yet.  The id may be unknown so far. */
void backlog_settle(struct backlog *b, const char *id);
bool backlog_is_settled(const struct backlog *b, const char *id);
/* Is the ticket that this dependency names closed, or settled?  False when no such ticket
 * exists. */
bool backlog_is_closed(const struct backlog *b, const char *id);
/* Explains why tickets that are open or in progress are not ready: cycles as a path ("a -> b ->
 * a"), dependencies that do not exist, cannot be read or have a status that tk does not know;
 * then, for tickets without such a reason, the other open tickets that they wait for. */
void backlog_explain(const struct backlog *b, struct buf *why);
/* Counts files that are meant as tickets and that nobody works on: the file cannot be read as a
 * ticket, tk does not know its status, its front matter has conflict markers, or it is open
 * with the id of another file.  Appends the files and the reasons to `why`.  A file with
 * neither an id nor a status (a README) is no ticket, and neither is a directory. */
size_t backlog_unread(const struct backlog *b, struct buf *why);
/* Calls fn with the members of every cycle among the tickets that are not closed, in the order
 * of the arrows, the smallest id first. */
typedef void cycle_fn(void *ctx, const struct ticket *const *members, size_t n);
void backlog_cycles(const struct backlog *b, cycle_fn *fn, void *ctx);
/* Appends what is to be warned about since the last call, a line each; empties the list. */
void backlog_notes(struct backlog *b, struct buf *out);

#endif
