/*
 * chosen.h - the loop that is meant when a command's NAME is left out.
 *
 * Loops that are here count: those of the repository we stand in, whichever of its worktrees
 * they or we are in; outside of git those of this very directory.  If only one of these loops
 * lives, that one is meant.  Otherwise a command that only reads takes the newest loop, living
 * ones before those that are over.  A command that acts takes the only loop there is; where
 * there are several, the command lists them, since nobody should stop the wrong one.  An agent
 * that acts on a loop has to name it.
 *
 * The command says on stderr which loop was taken, so that stdout is the command's own.
 */
#ifndef CMD_CHOSEN_H
#define CMD_CHOSEN_H

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* The use that a command makes of a loop whose name is left out. */
enum chosen_for {
	CHOSEN_NOT,  /* nothing: the name is needed */
	CHOSEN_READ, /* the command only shows the loop, or waits for it */
	CHOSEN_ACT,
};

struct chosen_loop {
	char *name;
	bool lives;	  /* a supervisor or an agent of the loop lives */
	int64_t opened;	  /* wall clock */
	const char *word; /* how it stands */
};

#define CHOSEN_NONE SIZE_MAX

/* The rule alone: which of these; CHOSEN_NONE: it cannot be told. */
size_t chosen_pick(const struct chosen_loop *list, size_t n, enum chosen_for what);
/* The text for the help of a command; NULL: the command needs its NAME. */
const char *chosen_about(enum chosen_for what);
/* Chooses the loop, and says which; the caller frees the name.  NULL: there is none, or the
 * loop that is meant cannot be told; that was said. */
char *chosen_name(enum chosen_for what) NODISCARD;

#endif
