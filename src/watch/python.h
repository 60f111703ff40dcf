/*
 * python.h - Python's regular expressions, read as Python 3.11 reads them and
 * written down for PCRE2.  Private to pattern.c: python.c knows sequences and
 * repeats, python_group.c groups and flags, python_atom.c characters, escapes and sets.
 *
 * The reader refuses what re.compile refuses, in its words and at its position
 * (in characters).  Names of groups become numbers, verbose layout and comments
 * vanish, so PCRE2 never has to interpret any of them.
 */
#ifndef WATCH_PYTHON_H
#define WATCH_PYTHON_H

#include "base/buf.h"
#include "base/err.h"

#define PYTHON_DEPTH_MAX 100	/* groups inside groups */
#define PYTHON_GROUPS_MAX 1000	/* capturing groups */
#define PYTHON_REPEAT_MAX 65535 /* PCRE2's limit; Python has 2^32 - 2 */
#define PYTHON_PATTERN_MAX 4096 /* bytes: nobody writes more by hand */

enum python_flag {
	PYTHON_IGNORECASE = 1 << 0,
	PYTHON_MULTILINE = 1 << 1,
	PYTHON_DOTALL = 1 << 2,
	PYTHON_VERBOSE = 1 << 3,
	PYTHON_ASCII = 1 << 4,
	PYTHON_UNICODE = 1 << 5,
};

/* One character of the pattern, or a backslash together with the one after it. */
struct python_token {
	bool end;
	bool escaped;
	uint32_t cp; /* without the backslash */
	size_t at;   /* byte offset of its beginning */
	size_t pos;  /* the same in characters */
};

/* How many characters something can match. */
struct python_width {
	uint64_t lo, hi;
};

enum python_item { ITEM_NONE, ITEM_ASSERTION, ITEM_ATOM, ITEM_REPEAT };

enum python_group {
	GROUP_TOP,
	GROUP_PLAIN,
	GROUP_CAPTURE,
	GROUP_AHEAD,
	GROUP_BEHIND,
	GROUP_CONDITION
};

/* A group that is open. */
struct python_frame {
	enum python_group kind;
	size_t pos;	 /* of its parenthesis */
	size_t number;	 /* GROUP_CAPTURE */
	unsigned flags;	 /* to restore at its end */
	size_t behind;	 /* the same */
	size_t branches; /* finished ones */
	struct python_width finished;
	struct python_width sequence; /* the branch being read, without `last` */
	struct python_width last;
	enum python_item item; /* what `last` is: what a repeat would repeat */
};

struct python_capture {
	size_t name_at, name_len; /* in the pattern; length 0: none */
	bool closed;
	struct python_width width;
};

struct python {
	const char *pattern;
	size_t len;
	struct python_token next;
	unsigned flags;	 /* in force here */
	size_t behind;	 /* first group of the outermost look-behind; 0: not inside one */
	size_t captures; /* opened so far, plus one */
	size_t reference, reference_pos; /* highest group number a condition named */
	size_t depth;
	struct python_frame frames[PYTHON_DEPTH_MAX];
	struct python_capture capture[PYTHON_GROUPS_MAX + 1];
	struct buf *out;
	struct err *err;
};

/* The token that was next; moves on.  -1: the pattern ends in a backslash. */
int python_take(struct python *py, struct python_token *token) NODISCARD;
/* Is this character, unescaped, the next? */
bool python_next_is(const struct python *py, uint32_t cp);
/* 1: it was next and is taken; 0: it was not; -1 as python_take. */
int python_match(struct python *py, uint32_t cp) NODISCARD;
/* Sets "<sentence> at position <pos>"; returns -1. */
int python_refuse(struct python *py, size_t pos, const char *fmt, ...) PRINTF(3, 4);
/* The innermost open group. */
struct python_frame *python_top(struct python *py);
/* Something that repeats apply to has been written. */
void python_item(struct python *py, enum python_item item, struct python_width width);
/* A branch of the innermost group is complete. */
void python_end_branch(struct python *py);
/* May group n be referred to here?  `pos` is where the reference begins. */
int python_reference(struct python *py, size_t n, size_t pos) NODISCARD;

/* An opening parenthesis at `pos`, a bar, a closing parenthesis. */
int python_open(struct python *py, size_t pos) NODISCARD;
int python_branch(struct python *py) NODISCARD;
int python_close(struct python *py, size_t pos) NODISCARD;

int python_literal(struct python *py, uint32_t cp) NODISCARD;
int python_escape(struct python *py, const struct python_token *token) NODISCARD;
int python_set(struct python *py, size_t pos) NODISCARD;
void python_backref(struct python *py, size_t n);

#endif
