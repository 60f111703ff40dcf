/*
 * limit.h - why an agent came to nothing, when that is not its fault: a limit, a login, a bill.
 *
 * The words of agents in such a case are data ("says" in data/agents, see session/profile.h):
 *
 *   limit, login, billing   patterns for lines of plain text (Python regex)
 *   limit_stderr            the same, for what is said on stderr alone
 *   events                  for lines that are JSON objects, in the order of the file:
 *     where                   members that the object must have so; "a.b" is b within a
 *     kind                    limit, login, billing, or ok: whatever was said before is over;
 *                             without it, the patterns judge the text
 *     text                    the member with the agent's words
 *     resets, resets_in       the member with the time at which the limit passes (seconds
 *                             since 1970), or the seconds until then
 *
 * Only the last words count, and plain text only of an agent that failed: an agent that works
 * on such messages, or prints the log of a test, is not limited.  Tools' output is in other
 * members than those of `events`.
 */
#ifndef WATCH_LIMIT_H
#define WATCH_LIMIT_H

#include "watch/rules.h"

/* The end of a stream. */
struct tail {
	struct buf bytes;
	bool cut; /* the stream has more before these bytes */
};

#define TAIL_LINES 32
#define TAIL_BYTES ((size_t)64 << 10)

void limit_tail_add(struct tail *t, const char *data, size_t len);
void limit_tail_release(struct tail *t);
/* Could the tail have lines of JSON? */
bool limit_tail_has_objects(const struct tail *t);

struct limit_case {
	struct limit_rules *rules; /* of the agent's profile and the default's */
	const struct tail *out, *err;
	/* The prompt; text that repeats it is not taken for the agent's. */
	const struct buf *prompt;
	bool failed; /* the agent ended with another status than 0 */
	int64_t now; /* wall clock */
};

struct limit_found {
	enum limit_kind kind;
	struct buf text; /* the agent's words */
	int64_t resets;	 /* wall clock; 0: not said */
};

/* Judges the agent's last words; replaces found->text.  -1 + err: a rule is more than can be
 * compiled. */
int limit_judge(
    const struct limit_case *c, struct limit_found *found, struct err *err) NODISCARD;
/* Judges one text that the agent's own program is known to say about itself. */
int limit_judge_text(const struct limit_case *c, const char *text, struct limit_found *found,
    struct err *err) NODISCARD;

#endif
