/*
 * promise.h - the tags by which a worker tells how its task stands.
 *
 *   <promise>DONE</promise>           also DONE:T001
 *   <promise>STUCK:question</promise>
 *   <promise>BLOCKED:reason</promise>
 *   <promise>PROGRESS:40</promise>    also 40%; below 0 is 0, above 100 is 100
 *
 * Upper or lower case.  A tag counts only when it is all there is on its line, so that
 * prose about tags is none; other words between the brackets are not ours.
 */
#ifndef WATCH_PROMISE_H
#define WATCH_PROMISE_H

#include "base/buf.h"

#define PROMISE_TEXT_MAX 300

enum promise_kind { PROMISE_DONE, PROMISE_STUCK, PROMISE_BLOCKED, PROMISE_PROGRESS };

struct promise {
	enum promise_kind kind;
	/* The question or the reason on one line, cut at a character; the number; the id that
	 * came with DONE.  "" when there was none. */
	char text[PROMISE_TEXT_MAX + 1];
};

/* Is the whole text a tag?  A '\n' in it is the break between two rows, which a program may
 * have put into the middle of a word. */
bool promise_parse(const char *text, size_t len, struct promise *p);
/* Fills a promise from a worker's own command: any text, brought into the form above.  False
 * when a number is none. */
bool promise_fill(struct promise *p, enum promise_kind kind, const char *text, size_t len);
/* May a worker on that task say this promise? */
bool promise_is_of(const struct promise *p, const char *task);

#endif
