/*
 * python.h - Python's regular expressions, read as Python 3.11 reads them and
 * written down for PCRE2.  Private to pattern.c: python.c knows sequences and
 * repeats, python_group.c groups and flags, python_atom.c characters, escapes and sets;
 * python_need.c notes what every match contains.
 *
 * The reader refuses what re.compile refuses, in its words and at its position
 * (in characters).  Names of groups become numbers, verbose layout and comments
 * vanish, so PCRE2 never has to interpret any of them.
 *
 * A refusal ends the pattern: from then on the next token is the end, and further refusals
 * are not heard.  So nobody has to ask after each step whether it was refused; what is
 * written by then is thrown away.
 */
#ifndef WATCH_PYTHON_H
#define WATCH_PYTHON_H

#include "base/buf.h"
#include "base/err.h"
#include "watch/needle.h"

#define PYTHON_DEPTH_MAX 100	/* groups inside groups */
#define PYTHON_GROUPS_MAX 1000	/* capturing groups */
#define PYTHON_REPEAT_MAX 65535 /* PCRE2's limit; Python has 2^32 - 2 */
#define PYTHON_PATTERN_MAX 4096 /* bytes: nobody writes more by hand */

/* A token is one character of the pattern, or this and the character behind a backslash;
 * 0 is the end. */
#define PYTHON_ESCAPED UINT32_C(0x80000000)

/* Their letters are in python_group.c, in this order. */
enum python_flag {
	PYTHON_IGNORECASE = 1 << 0,
	PYTHON_MULTILINE = 1 << 1,
	PYTHON_DOTALL = 1 << 2,
	PYTHON_VERBOSE = 1 << 3,
	PYTHON_ASCII = 1 << 4,
	PYTHON_UNICODE = 1 << 5,
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

/* Characters that follow each other in every match, in `literals`. */
struct python_text {
	uint16_t at, len; /* bytes; 0: none */
};

/* Texts of which a match contains one; none: nothing is known. */
struct python_need {
	size_t count;
	struct python_text text[NEEDLES_MAX];
};

/* A group that is open. */
struct python_frame {
	enum python_group kind;
	size_t pos;	 /* of its parenthesis */
	size_t number;	 /* GROUP_CAPTURE */
	unsigned flags;	 /* to restore at its end */
	size_t behind;	 /* to restore at its end */
	size_t branches; /* finished ones */
	struct python_width finished;
	struct python_width sequence; /* the branch being read, without `last` */
	struct python_width last;
	enum python_item item; /* what `last` is: what a repeat would repeat */
	/* As the widths above; `run` is the text before `last` that `last` may go on with. */
	struct python_need finished_need, sequence_need, last_need;
	struct python_text run, last_text;
};

/* Where a group's name is in the pattern; length 0: it has none. */
struct python_name {
	size_t at, len;
};

struct python_capture {
	struct python_name name;
	bool closed;
	struct python_width width;
};

/* All places in the pattern are counted in characters. */
struct python {
	const char *pattern;
	uint32_t chars[PYTHON_PATTERN_MAX + 1];	 /* of the pattern, then 0 */
	uint16_t offset[PYTHON_PATTERN_MAX + 1]; /* where each begins, in bytes */
	size_t len;
	uint32_t next; /* the next token */
	size_t at;     /* where it begins */
	size_t from;   /* where the token before it begins */
	bool refused;
	unsigned flags;	 /* in force here */
	size_t behind;	 /* first group of the outermost look-behind; 0: not inside one */
	size_t captures; /* opened so far, plus one */
	size_t reference, reference_pos; /* highest group number a condition named */
	size_t depth;
	struct python_frame frames[PYTHON_DEPTH_MAX];
	struct python_capture capture[PYTHON_GROUPS_MAX + 1];
	struct buf *out, *literals; /* all literal characters so far */
	struct err *err;
};

/* The arguments for a "%.*s": the characters [from, to) of the pattern. */
#define PYTHON_SPELLED(py, from, to) \
	(int)((py)->offset[(to)] - (py)->offset[(from)]), (py)->pattern + (py)->offset[(from)]

static inline bool
python_is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

/* As pattern_translate; adds what every match contains to `needles`, unless that is NULL. */
int python_read(
    const char *python, struct buf *out, struct needles *needles, struct err *err) NODISCARD;

/* Takes the next token. */
uint32_t python_take(struct python *py);
/* Takes the next token if it is this one. */
bool python_skip(struct python *py, uint32_t token);
/* Sets "<sentence> at position <pos>", and ends the pattern. */
void python_refuse(struct python *py, size_t pos, const char *fmt, ...) PRINTF(3, 4);
/* The innermost open group. */
struct python_frame *python_top(struct python *py);
/* Call when something was written to which a repeat may apply. */
void python_item(struct python *py, enum python_item item, struct python_width width);
/* Writes an assertion, or what matches one character. */
void python_put(struct python *py, enum python_item item, const char *text);
/* Call when a branch of the innermost group is complete. */
void python_end_branch(struct python *py);

/* Call when an opening parenthesis, a bar or a closing parenthesis was taken last. */
void python_open(struct python *py);
void python_branch(struct python *py);
void python_close(struct python *py);
/* Writes a reference to group n; `pos` is where it begins. */
void python_backref(struct python *py, size_t n, size_t pos);

/* Python folds ASCII alone under (?a), which PCRE2 10.42 cannot be told. */
bool python_folds_ascii(const struct python *py);
void python_literal(struct python *py, uint32_t cp);
/* Call when the letter behind a backslash, or an opening bracket, was taken last. */
void python_escape(struct python *py, uint32_t letter);
void python_set(struct python *py);

/* Note the literal texts that every match contains.  Call when a literal character, or a group,
 * became the last item. */
void need_literal(struct python *py, uint32_t cp);
void need_group(struct python_frame *around, const struct python_frame *group);
/* Call when a repeat applies to the last item, before another item becomes the last one, and
 * when a branch is complete. */
void need_repeat(struct python_frame *f, uint64_t min);
void need_item(struct python_frame *f);
void need_branch(struct python_frame *f);
/* Call at the end of the pattern, with its outermost group. */
void need_tell(const struct python *py, const struct python_frame *top, struct needles *n);

#endif
