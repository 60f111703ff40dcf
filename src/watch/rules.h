/*
 * rules.h - the rules of watch/limit.h, read from what profiles say: checked, and compiled
 * once.
 *
 * All rules are checked when they are read; a pattern is compiled when a text first needs it,
 * and kept.  Several profiles' patterns under one name form one list, in the order of the
 * profiles.
 */
#ifndef WATCH_RULES_H
#define WATCH_RULES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

enum limit_kind { LIMIT_NONE, LIMIT_RATE, LIMIT_LOGIN, LIMIT_BILLING, LIMIT_OK };

struct limit_rules;

/* `says` ends with NULL; the rules keep references of their own.  NULL + err: the profiles make
 * no sense. */
struct limit_rules *limit_rules_new(const json_t *const *says, struct err *err) NODISCARD;
void limit_rules_free(struct limit_rules *r);

/* Judges a text by the patterns for plain text; LIMIT_NONE: no pattern matches.  -1 + err: a
 * pattern is more than can be compiled. */
int limit_rules_words(struct limit_rules *r, const struct buf *text, bool is_stderr,
    enum limit_kind *kind, struct err *err) NODISCARD;
/* The rules for lines of JSON, in order: the i-th and its kind, or NULL behind the last. */
const json_t *limit_rules_event(
    const struct limit_rules *r, size_t i, enum limit_kind *kind) NODISCARD;

#endif
