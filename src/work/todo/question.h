/*
 * question.h - what is a stuck worker's question about?
 *
 * Pure.  Whether it is the same question as before is the loop's to say (loop_times_asked).
 */
#ifndef WORK_TODO_QUESTION_H
#define WORK_TODO_QUESTION_H

#include "base/compiler.h"

/* kind, name, *_gather function (work/todo/help/help_kinds.c), what it is about */
#define QUESTION_KINDS(X)                                                                \
	X(OTHER, "other", other, "anything else")                                        \
	X(FILES, "files", files, "where something is")                                   \
	X(PATTERNS, "patterns", patterns, "how such things are done here")               \
	X(ERRORS, "errors", errors, "something that failed")                             \
	X(SCOPE, "scope", scope, "what belongs to the task")                             \
	X(DEPENDENCIES, "dependencies", dependencies, "something that is not installed") \
	X(ENDPOINTS, "endpoints", endpoints, "routes and interfaces")

enum question_kind {
#define X(id, name, gather, help) QUESTION_##id,
	QUESTION_KINDS(X)
#undef X
	    QUESTION_KIND_COUNT
};

const char *question_kind_name(enum question_kind k);
/* Tells the kind by the words of the question; when several kinds would do, errors go before
 * dependencies, endpoints, patterns, files, scope. */
enum question_kind question_kind(const char *text, size_t len);

#endif
