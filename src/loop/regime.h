/*
 * regime.h - the ways in which loops deal with their tasks, and in what they differ.
 *
 * A loop has one regime from its first fact to its last.  The caller of loop_init says which;
 * settings and snapshots keep the five marks below, and regime_of finds the row.  A regime is a
 * row of values and functions (loop/regime.c).  Other files of this room use only the members
 * of the row, and none of them compares regimes by name.
 */
#ifndef LOOP_REGIME_H
#define LOOP_REGIME_H

#include <stdbool.h>

/* The marks of a regime on disk. */
#define REGIME_MARKS(M)                                                \
	M(lands)   /* ended work is judged by evidence, then landed */ \
	M(leads)   /* the words of agents are answered */              \
	M(keeps)   /* an agent stays for the next task */              \
	M(tracked) /* the source knows which tasks are done */         \
	M(given)   /* a command gives tasks out, each one once */

struct regime_marks {
#define M(name) bool name;
	REGIME_MARKS(M)
#undef M
};

/*
 * X(id, lands, leads, keeps, tracked, given, thing, voice, weigh, judge, said_done, backs_off,
 *   give_up, at_limit, spoilt)
 *
 * `thing` is what its tasks are called, `voice` an end_voice without its prefix; the others are
 * the regime_* functions of regime.c, explained at struct regime_row (loop/deciding.h).
 */
#define REGIMES(X)                                                                             \
	/* one prompt file, again and again */                                                 \
	X(REPEAT, 0, 0, 0, 0, 0, "ticket", LOOP, weigh_exit, judge_usual, done_stops,          \
	    waits_always, fails, limit_landed, spoilt_iterations)                              \
	/* whatever a prompt command gives out */                                              \
	X(GIVEN, 0, 0, 0, 0, 1, "ticket", LOOP, weigh_exit, judge_usual, done_stops,           \
	    waits_unstarted, fails, limit_landed, spoilt_iterations)                           \
	/* the tasks of a graph */                                                             \
	X(TRACKED, 0, 0, 0, 1, 0, "task", LOOP, weigh_closed, judge_tracked, done_stops,       \
	    waits_unstarted, fails, limit_tracked, spoilt_tasks)                               \
	/* tickets */                                                                          \
	X(LANDED, 1, 0, 0, 0, 0, "ticket", TICKETS, weigh_evidence, judge_usual, done_ends,    \
	    waits_never, fails_fast, limit_landed, spoilt_iterations)                          \
	/* a list, each task with an agent of its own */                                       \
	X(LED, 1, 1, 0, 0, 0, "task", TODO, weigh_led, judge_ended, done_checks, waits_never,  \
	    fails, limit_led, spoilt_iterations)                                               \
	/* a list, one agent after the other for many tasks */                                 \
	X(KEPT, 1, 1, 1, 0, 0, "task", TODO, weigh_led, judge_ended, done_checks, waits_never, \
	    fails, limit_led, spoilt_iterations)

enum regime {
#define X(id, ...) REGIME_##id,
	REGIMES(X)
#undef X
	    REGIME_COUNT
};

struct regime_marks regime_marks(enum regime regime);
/* Total: marks that never occur together are read as the nearest regime. */
enum regime regime_of(struct regime_marks marks);

#endif
