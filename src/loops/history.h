/*
 * history.h - the iterations of a loop, from its journal.
 *
 * One entry for every iteration that was given to an agent, in the order in which they began.
 * Entries never move and never go: a journal that has grown gives the same list, longer.  An
 * agent that is kept has several entries with the same session, one for each of its tasks.
 */
#ifndef LOOPS_HISTORY_H
#define LOOPS_HISTORY_H

#include "base/err.h"
#include "loop/loop.h"

struct past_iteration {
	int64_t number;
	char session[SESSION_ID_MAX];
	char task[TASK_ID_MAX];
	int64_t
	    attempt; /* the number of the task's attempt; 0: the loop does not count attempts */
	int64_t started;  /* wall clock */
	bool unstarted;	  /* given back before an agent came; another iteration may have the
			     number */
	bool running;	  /* an agent was seen */
	bool ended;	  /* the next three are known */
	int64_t duration; /* ns */
	enum verdict verdict;
	struct exit_status exit;
	bool landing, landed; /* the work is to be landed; the work was landed */
	enum fate fate;	      /* of the work that landed */
	bool gone;	      /* the session was over with this iteration */
};

struct history {
	struct past_iteration *all;
	size_t n, room;
};

/* Reads the journal in `loop_dirfd` anew; on failure *h is as it was. */
int history_load(struct history *h, int loop_dirfd, struct err *err) NODISCARD;
void history_release(struct history *h);

/* The last entry of that number, of that session, or of that task; NULL. */
const struct past_iteration *history_find(const struct history *h, int64_t number);
struct past_iteration *history_session(const struct history *h, const char *session);
const struct past_iteration *history_task(const struct history *h, const char *task);

/* Have the loop's tasks names of their own?  A prompt file is one task, again and again. */
bool history_names_tasks(const struct settings *settings);

#endif
