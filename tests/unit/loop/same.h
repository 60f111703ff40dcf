/*
 * same.h - are two states of a loop the same?
 */
#ifndef TESTS_LOOP_SAME_H
#define TESTS_LOOP_SAME_H

#include "loop/loop.h"

#include <stddef.h>
#include <string.h>

/* Both must have begun as zero bytes.  Compares the tasks in use only, as loop_copy copies no
 * others. */
static inline bool
loop_same(const struct loop_state *a, const struct loop_state *b)
{
	size_t used = offsetof(struct loop_state, tasks) + a->ntasks * sizeof(a->tasks[0]);

	/* Both were changed by the same code, so padding is equal, too. */
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
	return a->ntasks == b->ntasks && memcmp(a, b, used) == 0;
}

/* The same for one session. */
static inline bool
session_same(const struct loop_session *a, const struct loop_session *b)
{
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
	return memcmp(a, b, sizeof(*a)) == 0;
}

#endif
