/*
 * pattern.h - "Python regex syntax" on PCRE2, with a deadline.
 *
 * The pattern is translated where the two dialects mean different things by
 * the same text, and refused where PCRE2 would accept what Python's re does not, so
 * that users get the documented dialect.  Matching is a search, case-sensitive,
 * UTF-8; invalid bytes in the subject are matched as U+FFFD.
 *
 * A match that takes longer than 20 ms is given up: PATTERN_EXPENSIVE, which is
 * never to be taken for "no match".  A subject without a text that every match contains
 * (needle.h) is not searched at all, and so never too expensive.
 */
#ifndef WATCH_PATTERN_H
#define WATCH_PATTERN_H

#include "base/buf.h"
#include "base/err.h"

struct pattern;

enum pattern_result { PATTERN_NO_MATCH, PATTERN_MATCH, PATTERN_EXPENSIVE };

#define PATTERN_SUBJECT_MAX 65536 /* longer subjects are cut */

/* NULL and a sentence in Python's words ("missing ), unterminated subpattern at position
 * 7"), position in characters of what the user wrote. */
struct pattern *pattern_new(const char *python, struct err *err) NODISCARD;
void pattern_free(struct pattern *p);
/* On PATTERN_MATCH, [*start, *end) are byte offsets in the subject. */
enum pattern_result pattern_search(
    struct pattern *p, const char *subject, size_t len, size_t *start, size_t *end) NODISCARD;

/* The translation alone, which checks a pattern: what PCRE2 gets to see. */
int pattern_translate(const char *python, struct buf *out, struct err *err) NODISCARD;

#endif
