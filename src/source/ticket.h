/*
 * ticket.h - one ticket: a file of front matter and text in .tickets, as tk writes it and as
 * people edit it.
 *
 * Reading is strict where tk is loose: the front matter is the first block between two lines
 * "---", the title is the first "# " line behind it, and nothing in the text is ever taken for
 * a field.  It is tolerant where tk is blind: CRLF, quoted values and YAML block lists are
 * read.  Where tk would read the same bytes otherwise (its quirks are known, every one has a
 * test), `differs` says in a few words how; the caller warns once.
 *
 * Writing touches the one line it is about, inside the front matter, and keeps every other
 * byte; new content goes through fs_write (temp file, fsync, rename).  Two writers exclude each
 * other by a lock in the directory.
 */
#ifndef SOURCE_TICKET_H
#define SOURCE_TICKET_H

#include "base/buf.h"
#include "base/err.h"

enum ticket_status { TICKET_OPEN, TICKET_IN_PROGRESS, TICKET_CLOSED, TICKET_UNKNOWN };

struct ticket {
	char *id;   /* the id field; the file's name when it has none */
	char *name; /* the file's name without ".md"; what paths are made of */
	enum ticket_status status;
	char *word; /* the status as it is written */
	int64_t priority;
	char *title; /* without "# "; "" when there is none */
	char *type, *assignee, *created, *external_ref, *parent; /* NULL when missing */
	char **deps, **links, **tags; /* NULL-terminated, never NULL */
	char *differs;		      /* how tk would read it otherwise; NULL: it would not */
};

void ticket_release(struct ticket *t);
/* Any bytes: what is no ticket (no front matter) is an error, code EBADMSG. */
int ticket_parse(const char *name, const char *data, size_t len, struct ticket *out,
    struct err *err) NODISCARD;
/* The file `name`.md in dirfd, at most 4 MiB; code ENOENT when there is none. */
int ticket_load(int dirfd, const char *name, struct ticket *out, struct err *err) NODISCARD;
/* All of the file's bytes: what an agent gets as its prompt. */
int ticket_text(int dirfd, const char *name, struct buf *out, struct err *err) NODISCARD;
int ticket_set_status(
    int dirfd, const char *name, enum ticket_status status, struct err *err) NODISCARD;

const char *ticket_status_name(enum ticket_status s); /* "open", "in_progress", "closed" */
/* The tags that begin with prefix ("component:"), without it, joined by commas; "" for none. */
void ticket_components(const struct ticket *t, const char *prefix, struct buf *out);
/* May it be a part of paths, branches and command lines as it is: [A-Za-z0-9][A-Za-z0-9._-]*,
 * at most 64, no "..", not ending in ".lock" or "."? */
bool ticket_id_is_safe(const char *id);
/* Such a name for any id: itself when it is safe, else "slug-<8 hex digits of its hash>". */
void ticket_slug(const char *id, struct buf *out);

#endif
