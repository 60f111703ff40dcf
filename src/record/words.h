/*
 * words.h - what the lines about facts have in common (console.c, the views).
 *
 * A line is about one fact, but sees the whole decision: a failure is told
 * differently when a retry was decided with it.
 */
#ifndef RECORD_WORDS_H
#define RECORD_WORDS_H

#include "base/buf.h"
#include "loop/loop.h"

/* A loop's name, the facts of one decision and the state after all of them. */
struct decided {
	const char *loop;
	const struct fact *facts;
	size_t n;
	const struct loop_state *state;
	bool past; /* one fact of an earlier life; the state is the one after all of them */
};

/* The first fact of that kind behind `f` in the decision, or NULL. */
const struct fact *words_follows(
    const struct decided *d, const struct fact *f, enum fact_kind kind);

void words_loop(const char *loop, struct buf *out); /* "[ralph] NAME: " */
void words_seconds(int64_t ns, struct buf *out);    /* 60s, 1.5s */
void words_limit(int64_t count, struct buf *out);   /* 100, unlimited */
/* "2/3" of the iteration with that number: only those count that no limit stopped, and no
 * further attempts. */
void words_count(const struct loop_state *s, int64_t iteration, struct buf *out);
/* Like words_count while the count is the iteration's number, else "4 (3/3)": `ralph logs`
 * knows an iteration by its number. */
void words_iteration(const struct loop_state *s, int64_t iteration, struct buf *out);
void words_exit(struct exit_status e, struct buf *out); /* 1, unknown */
/* Does the exit say more than the verdict's name?  A failure's does, where it is known. */
bool words_has_exit(enum verdict verdict, struct exit_status e);
/* Why a ticket's session counts as it does: "exit 1", "timeout"; "not started", "not landed"
 * where the agent's exit code would say something else. */
void words_cause(enum verdict verdict, struct exit_status e, struct buf *out);
/* "2 completed, 3 failed (1 of them unfinished)": how the tasks of a loop went that its source
 * knows.  Unfinished: the agent ended well, and the task is not done; it counts as failed. */
void words_tally(const struct loop_state *s, struct buf *out);
/* Appends the text on one line, harmless; line ends become a blank. */
void words_safe(const char *text, struct buf *out);

#endif
