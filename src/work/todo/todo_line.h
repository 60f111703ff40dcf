/*
 * todo_line.h - one line of todo.md: what it is, and where its parts are, byte for byte.
 *
 *     - [ ] T001: title **BLOCKED** - reason @assignee #tag
 *     - [ ] T001: title @agent [worklog: pending] [checkpoint: ref] (created: 2026-01-27 10:00)
 *
 * Many programs write such lines, and no two read them alike.  This is the one reader here, and
 * it is tolerant: any list mark, any indent, the id in bold, a colon, a dash or nothing behind
 * it, suffixes in any order, none of them needed.  Everything points into the bytes that were
 * given, so that whoever writes changes exactly the bytes that mean something.
 *
 * An id is T and 1 to 18 digits; it becomes a part of file names.  T7 and T007 are one task.
 */
#ifndef WORK_TODO_TODO_LINE_H
#define WORK_TODO_TODO_LINE_H

#include "base/buf.h"
#include "ticket/front.h"

#define TODO_ID_MAX 20 /* with its NUL */

/* The state of a task, by its line.  ODD: a mark that ralph does not know, such as [-] or
 * [?]. */
#define TODO_STATES(X)           \
	X(OPEN, "open")          \
	X(ACTIVE, "in progress") \
	X(DONE, "done")          \
	X(BLOCKED, "blocked")    \
	X(DEFERRED, "deferred")  \
	X(SKIPPED, "skipped")    \
	X(ODD, "of an unknown mark")

enum todo_state {
#define X(id, name) TODO_##id,
	TODO_STATES(X)
#undef X
	    TODO_STATE_COUNT
};

const char *todo_state_name(enum todo_state s);

enum todo_line_kind {
	TODO_LINE_OTHER,  /* no box */
	TODO_LINE_NO_BOX, /* meant as an open one, but its box is none: "[]" */
	TODO_LINE_NO_ID,  /* a box, but no id: not ours */
	TODO_LINE_BAD_ID, /* the word in place of an id cannot be one: "T1/../x", 300 digits */
	TODO_LINE_TASK,
};

struct todo_line {
	const char *mark; /* the byte between the brackets; of NO_BOX " ", elsewhere */
	struct span id;	  /* of BAD_ID: what stands in its place */
	uint64_t number;  /* of the id */
	struct span text; /* trimmed, behind id and separator; NO_ID, NO_BOX: behind the box */
};

/* `line` is without its end; a \r there is not looked at.  Fills in `out` unless OTHER. */
enum todo_line_kind todo_line_parse(struct span line, struct todo_line *out);
/* The state by mark and word; a word counts where the box is not ticked. */
enum todo_state todo_line_state(const struct todo_line *l);

/* The parts of its text; p is NULL for what is missing. */
struct todo_parts {
	struct span title;     /* never NULL: may be empty, and then is where the text begins */
	struct span status;    /* "**BLOCKED** - reason" */
	struct span reason;    /* of it */
	enum todo_state state; /* by its word; OPEN where there is none */
	struct span completed; /* "(completed: ...)" */
	const char *suffixes;  /* where they begin, or the end of the text: behind the status */
};

void todo_line_parts(const struct todo_line *l, struct todo_parts *out);

/* Is it T and 1 to 18 digits?  Fills in the number. */
bool todo_id_parse(const char *id, uint64_t *number);
/* -1 with code EINVAL when that is no id. */
int todo_id_check(const char *id, struct err *err) NODISCARD;
/* The length of a byte order mark that the file begins with. */
size_t todo_bom(const char *data, size_t len);
/* Appends a text of the file as one line of valid UTF-8 without control or tag characters, in
 * at most `max` bytes; a cut is shown by "...", which is among them. */
void todo_text(struct span s, size_t max, struct buf *out);

#endif
