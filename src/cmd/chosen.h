/*
 * chosen.h - the loop that is meant when a command's NAME is left out.
 *
 * Loops that are here count: those of the repository we stand in, whichever of its worktrees
 * they or we are in; outside of git those of this very directory.  The only one of them that
 * lives is meant.  Otherwise a command that only reads takes the newest, those that live before
 * those that are over; one that acts takes the only one there is, and where there are several
 * it lists them, since nobody should stop the wrong one.  An agent that acts on a loop has to
 * name it.
 *
 * Which one was taken is said on stderr, so that stdout is the command's own.
 */
#ifndef CMD_CHOSEN_H
#define CMD_CHOSEN_H

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* The use that a command makes of a loop whose name is left out. */
enum chosen_for {
	CHOSEN_NOT,  /* nothing: the name is needed */
	CHOSEN_READ, /* only shows it, or waits for it */
	CHOSEN_ACT,
};

struct chosen_loop {
	char *name;
	bool lives;	/* a supervisor or an agent of it does */
	int64_t opened; /* wall clock */
	char *word;	/* how it stands */
};

#define CHOSEN_NONE SIZE_MAX

/* The rule alone: which of these; CHOSEN_NONE: it cannot be told. */
size_t chosen_pick(const struct chosen_loop *list, size_t n, enum chosen_for what);
/* For the help of a command; NULL: it needs its NAME. */
const char *chosen_about(enum chosen_for what);
/* The name, which the caller frees, and says so.  NULL: there is none, or it cannot be told;
 * that was said. */
char *chosen_name(enum chosen_for what) NODISCARD;

#endif
