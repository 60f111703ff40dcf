/*
 * ticket.h - one ticket: a file of front matter and text in .tickets, as tk writes it and as
 * people edit it.
 *
 * Reading is strict where tk is loose: the front matter is the first block between two lines
 * "---", the title is the first "# " line behind it, and nothing in the text is ever taken for
 * a field. Reading is tolerant where tk is blind: CRLF, quoted values and YAML block lists are
 * read.  Where tk would read the same bytes otherwise (its quirks are known, every one has a
 * test), `differs` says in a few words how; the caller warns once.
 *
 * Writing touches the one field it is about, inside the front matter, and keeps every other
 * byte; new content goes through fs_replace (temp file, fsync, rename).  Writers exclude each
 * other by a lock on the directory itself, which leaves no file behind; tk takes no lock.
 */
#ifndef TICKET_TICKET_H
#define TICKET_TICKET_H

#include "base/buf.h"
#include "base/err.h"

#define TICKET_MAX ((size_t)4 << 20)
#define TICKET_PRIORITY 2 /* of a ticket that names none */

enum ticket_status { TICKET_OPEN, TICKET_IN_PROGRESS, TICKET_CLOSED, TICKET_UNKNOWN };

/* All strings but `differs` are in one block of memory. */
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
	int64_t mtime;		      /* of its file, ns since the epoch; 0 when only parsed */
	void *store;
};

void ticket_release(struct ticket *t);
/* Takes any bytes.  Bytes without front matter are no ticket: an error, code EBADMSG. */
int ticket_parse(const char *name, const char *data, size_t len, struct ticket *out,
    struct err *err) NODISCARD;
/* The file `name`.md in dirfd, at most 4 MiB; code ENOENT when there is none. */
int ticket_load(int dirfd, const char *name, struct ticket *out, struct err *err) NODISCARD;
/* Reads all of the file's bytes, which an agent gets as its prompt. */
int ticket_text(int dirfd, const char *name, struct buf *out, struct err *err) NODISCARD;

/* Sets the status; does not write when the ticket has it already. */
int ticket_set_status(
    int dirfd, const char *name, enum ticket_status status, struct err *err) NODISCARD;
/* Makes the text `after` with the status of the text `before`.  1: *out has another text; 0:
 * `after` may stay.  When `after` is no ticket any more (NULL: it was removed), or has another
 * id, *out is `before`.  When `before` is no ticket, `after` may be anything. */
int ticket_keep_status(const struct buf *before, const struct buf *after, struct buf *out);
enum ticket_list { TICKET_DEPS, TICKET_LINKS };
/* 1 when the list was changed, 0 when it has the item already (add) or not (remove), or -1. */
int ticket_list_add(int dirfd, const char *name, enum ticket_list list, const char *item,
    struct err *err) NODISCARD;
int ticket_list_remove(int dirfd, const char *name, enum ticket_list list, const char *item,
    struct err *err) NODISCARD;
/* Appends a note with the time, below "## Notes", as tk does. */
int ticket_add_note(
    int dirfd, const char *name, const char *text, size_t len, struct err *err) NODISCARD;

/* A ticket to create; NULL members are left out.  Everything but the three texts is one
 * line. */
struct ticket_draft {
	const char *prefix; /* of the id: "mp" */
	const char *title, *type, *assignee, *external_ref, *parent;
	const char *tags; /* separated by commas */
	int64_t priority;
	const char *description, *design, *acceptance;
};
/* Writes the ticket under an id that no file has: prefix-xxxx; the id goes to `id`. */
int ticket_create(
    int dirfd, const struct ticket_draft *draft, struct buf *id, struct err *err) NODISCARD;
/* tk's prefix for tickets made in that directory: "my-project" is "mp", "ralph" is "ral". */
void ticket_prefix(const char *dir, struct buf *out);

const char *ticket_status_name(enum ticket_status s); /* "open", "in_progress", "closed" */
enum ticket_status ticket_status_parse(const char *word);
/* The tags that begin with prefix (NULL: "component:"), without the prefix, joined by commas;
 * "" for none. */
void ticket_components(const struct ticket *t, const char *prefix, struct buf *out);
/* May the id be a part of paths, branches and command lines as it is:
 * [A-Za-z0-9][A-Za-z0-9._-]*, at most 64, no "..", not ending in ".lock" or "."? */
bool ticket_id_is_safe(const char *id);
/* A safe name for any id: the id itself when it is safe, else "slug-<8 hex digits of its
 * hash>". */
void ticket_slug(const char *id, struct buf *out);

#endif
