/*
 * source_row.h - the sources that loops take their tasks from, as far as other rooms than a
 * kind's own know them.
 *
 * settings.source has the name of a row.  What is done for such a loop is its kind
 * (supervisor/kind.h), of which there is one for each row (work/kinds.c).  Nobody else compares
 * names of sources: whatever follows from a source is a column.
 */
#ifndef LOOP_SOURCE_ROW_H
#define LOOP_SOURCE_ROW_H

#include <stdbool.h>

/* X(name, tracked, given, names_tasks, single, run, swarm, noun) */
#define SOURCES(X)                             \
	/* one prompt file, again and again */ \
	X(prompt, 0, 0, 0, 0, 1, 1, "task")    \
	/* a plain worker, started once */     \
	X(once, 0, 0, 0, 1, 0, 1, "task")      \
	/* whatever a prompt command prints */ \
	X(command, 0, 1, 1, 0, 1, 0, "task")   \
	/* a directory of tickets */           \
	X(tickets, 0, 0, 1, 0, 0, 0, "ticket") \
	/* a task graph */                     \
	X(graph, 1, 0, 1, 0, 0, 0, "task")     \
	/* a todo list */                      \
	X(todo, 0, 0, 1, 0, 0, 0, "task")      \
	TEST_SOURCES(X)

/* A source that only the tests have (tests/kind). */
#ifdef RALPH_TEST_KIND
#define TEST_SOURCES(X) X(three, 0, 0, 1, 0, 0, 0, "task")
#else
#define TEST_SOURCES(X)
#endif

/* X(setting): a setting without which no loop goes on as it began.  Every version wrote these,
 * so spec.json is damaged where one is missing.  A setting that was added later is not here,
 * nor in SOURCE_NEEDS: where a loop of an earlier version lacks it, it means what it meant
 * then. */
#define ALL_NEED(X)           \
	X(source)             \
	X(cwd)                \
	X(command)            \
	X(mode)               \
	X(parallel)           \
	X(max_iterations)     \
	X(max_failures)       \
	X(max_runtime)        \
	X(iteration_timeout)  \
	X(inactivity_timeout) \
	X(stall_timeout)      \
	X(delay)              \
	X(grace)

/* X(source, setting, worktrees): the same of loops of that source (worktrees: only of those in
 * worktrees). */
#define SOURCE_NEEDS(X)               \
	X(prompt, prompt_file, 0)     \
	X(once, tmux, 0)              \
	X(command, prompt_command, 0) \
	X(command, prompt_timeout, 0) \
	X(tickets, root, 0)           \
	X(tickets, tickets, 0)        \
	X(tickets, lands, 0)          \
	X(tickets, worktrees, 0)      \
	X(tickets, success, 0)        \
	X(tickets, attempts, 0)       \
	X(tickets, untagged, 0)       \
	X(tickets, unmerged, 0)       \
	X(tickets, leave_changes, 0)  \
	X(tickets, keep_branches, 0)  \
	X(tickets, keep_worktrees, 0) \
	X(tickets, promise, 0)        \
	X(tickets, timeout_step, 0)   \
	X(tickets, timeout_max, 0)    \
	X(tickets, lessons_max, 0)    \
	X(tickets, worktrees_dir, 1)  \
	X(tickets, top, 1)            \
	X(tickets, branch, 1)         \
	X(graph, root, 0)             \
	X(todo, root, 0)              \
	X(todo, todo_file, 0)         \
	X(todo, lands, 0)             \
	X(todo, leads, 0)             \
	X(todo, keeps, 0)             \
	X(todo, fresh, 0)             \
	X(todo, commit, 0)            \
	X(todo, attempts, 0)          \
	X(todo, interventions, 0)     \
	X(todo, nudges, 0)

struct source_row {
	const char *name;
	/* Marks of its regime (regime.h); settings have the others. */
	bool tracked, given;
	bool names_tasks; /* the tasks have names of their own */
	bool single;	  /* there is one task, and no session follows another */
	/* Are such loops made by `ralph run`, and by `swarm spawn`?  Where both make them,
	 * those of swarm have a tmux window (settings.tmux). */
	bool run, swarm;
	const char *noun; /* the word for a task */
};

/* Never NULL.  A source that only another version knows has a row, too, and so has NULL: the
 * source of a loop whose settings cannot be read. */
const struct source_row *source_row(const char *name);

#endif
