/*
 * exit.h - how a process ended.
 */
#ifndef BASE_EXIT_H
#define BASE_EXIT_H

#include <stdbool.h>

/* way, its name in journals and in exit.json */
#define EXIT_HOWS(X)                                                 \
	X(UNKNOWN, "unknown") /* nobody saw it end */                \
	X(CODE, "code")	      /* value: its exit code */             \
	X(SIGNAL, "signal")   /* value: the signal that killed it */ \
	X(NOSTART, "nostart") /* never ran; value: errno of the failed start */

enum exit_how {
#define X(id, name) EXIT_##id,
	EXIT_HOWS(X)
#undef X
};

struct exit_status {
	enum exit_how how;
	int value;
};

/* One integer for people and logs: the code, 128 + signal, 127/126 for a
 * failed start, -1 when unknown. */
static inline int
exit_number(struct exit_status s)
{
	switch (s.how) {
	case EXIT_CODE:
		return s.value;
	case EXIT_SIGNAL:
		return 128 + s.value;
	case EXIT_NOSTART:
		return s.value == 2 ? 127 : 126; /* ENOENT is 2 */
	case EXIT_UNKNOWN:
	default:
		return -1;
	}
}

static inline bool
exit_ok(struct exit_status s)
{
	return s.how == EXIT_CODE && s.value == 0;
}

#endif
