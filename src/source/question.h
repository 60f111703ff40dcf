/*
 * question.h - what a worker that is stuck asks: the same again, and of what kind?
 *
 * The same question seldom comes in the same words twice.  Case, numbers, paths, quotes,
 * punctuation and the space between words do not count.  Pure.
 */
#ifndef SOURCE_QUESTION_H
#define SOURCE_QUESTION_H

#include "base/buf.h"

#define QUESTION_KEY 17 /* 16 hex digits, NUL */

/* name, what it is about */
#define QUESTION_KINDS(X)                                                  \
	X(OTHER, "other", "anything else")                                 \
	X(FILES, "files", "where something is")                            \
	X(PATTERNS, "patterns", "how such things are done here")           \
	X(ERRORS, "errors", "something that failed")                       \
	X(SCOPE, "scope", "what belongs to the task")                      \
	X(DEPENDENCIES, "dependencies", "something that is not installed") \
	X(ENDPOINTS, "endpoints", "routes and interfaces")

enum question_kind {
#define X(id, name, help) QUESTION_##id,
	QUESTION_KINDS(X)
#undef X
	    QUESTION_KIND_COUNT
};

const char *question_kind_name(enum question_kind k);
/* By its words; when several kinds would do, errors go before dependencies, endpoints,
 * patterns, files, scope. */
enum question_kind question_kind(const char *text, size_t len);
/* Appends what is left of it: "which of <path> and <path> has port <n>"; "unknown issue" when
 * nothing is. */
void question_normal(const char *text, size_t len, struct buf *out);
/* The same for the same normal form, today and in every later version. */
void question_key(const char *text, size_t len, char out[QUESTION_KEY]);

#endif
