/*
 * front.h - the front matter of a ticket: where its fields are, byte for byte.
 *
 * Reading and writing share it, so that what is written is what was read.  Everything points
 * into the bytes that were given.
 */
#ifndef TICKET_FRONT_H
#define TICKET_FRONT_H

#include "base/buf.h"
#include "base/err.h"

#define FRONT_KEYS(X)                      \
	X(ID, "id", false)                 \
	X(STATUS, "status", false)         \
	X(DEPS, "deps", true)              \
	X(LINKS, "links", true)            \
	X(CREATED, "created", false)       \
	X(TYPE, "type", false)             \
	X(PRIORITY, "priority", false)     \
	X(ASSIGNEE, "assignee", false)     \
	X(EXTERNAL, "external-ref", false) \
	X(PARENT, "parent", false)         \
	X(TAGS, "tags", true)

enum front_key {
#define X(id, name, list) FRONT_##id,
	FRONT_KEYS(X)
#undef X
	    FRONT_COUNT
};

struct span {
	const char *p;
	size_t len;
};

/* When a field is there twice, the last one counts, as for tk. */
struct front_field {
	struct span lines; /* all of its lines with their ends; p is NULL when it is missing */
	struct span value; /* behind the colon; of a block list, the lines of its items */
	bool block;	   /* a YAML block list */
};

struct front {
	struct front_field fields[FRONT_COUNT];
	const char *first; /* behind the opening line: where a new field goes */
	const char *body;  /* behind the closing line */
	const char *eol;   /* how its lines end: "\n" or "\r\n" */
};

const char *front_key_name(enum front_key key);
int front_key_find(struct span line); /* the key whose field the line begins; -1: none */
/* -1 with code EBADMSG when the bytes do not begin with front matter. */
int front_find(const char *data, size_t len, struct front *out, struct err *err) NODISCARD;

/* Are bytes that are no ticket, or a ticket without a valid status, the rest of a ticket?  Yes
 * when there is an id or a status; without front matter, yes when front matter was begun, when
 * the first line is one of its fields or a conflict marker, and when there are no bytes at
 * all. */
bool front_is_meant(const char *data, size_t len);
/* Did a merge leave its markers in the front matter?  Then no field can be relied on. */
bool front_has_conflict(const char *data, size_t len);

/* Cuts the next line, without its end, off the bytes from *p to end; false when none is
 * left. */
bool front_line(const char **p, const char *end, struct span *line);
struct span span_trim(struct span s); /* without blanks, \r and \n at both ends */

/* Writes the meaning of a scalar, unquoted and without a comment, to out: at most value.len
 * bytes.  Returns how many. */
size_t front_scalar(struct span value, char *out);
/* Takes the next item of a list field off *rest, which begins as the field's value; false at
 * the end.  Writes less than rest->len bytes to out. */
bool front_item(const struct front_field *field, struct span *rest, char *out, size_t *len);

/* ---- writing ------------------------------------------------------------------------- */

/* The name of a ticket's file; code ENOENT: no ticket can have that name. */
int ticket_file(const char *name, struct buf *out, struct err *err) NODISCARD;
/* Now, as tk writes it: 2026-11-15T20:39:18Z */
void tickets_now(struct buf *out);
/* Has the text no line ends or other control characters?  With those it would be more than one
 * field. */
bool front_is_one_line(const char *s);
/* Appends an item to a list that begins with '[', quoted when it has to be. */
void front_list_add(struct buf *out, const char *item);

struct ticket;
/* Appends in a few words how tk would read these bytes otherwise than t says; nothing when tk
 * would not (ticket_tk.c). */
void ticket_tk_compare(const char *data, size_t len, const struct ticket *t, struct buf *why);

#endif
