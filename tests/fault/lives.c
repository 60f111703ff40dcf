#include "lives.h"
#include "checker.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOME_FAILED 11
#define NOT_COMMITTED 14

static bool
was_opened(struct trial *t)
{
	size_t lines;

	json_decref(journal_facts(t, &lines));
	return lines > 0;
}

/* Did anybody hear of the loop?  Until then it may fail to begin, whatever is on the disk. */
static bool
was_told(struct trial *t)
{
	char *out = trial_read(t, "run.out");
	bool told = *out != '\0';

	free(out);
	return told;
}

void
life_told(struct trial *t)
{
	char *err = trial_read(t, "run.err"), *out = trial_read(t, "run.out");
	bool silent = strcmp(t->kind, "KILL") == 0 || strcmp(t->kind, "SHORT") == 0;

	if (!silent && strstr(err, " error: ") == NULL && strstr(err, " warning: ") == NULL &&
	    strstr(out, "cannot ") == NULL && strstr(out, "\"unanswered\"") == NULL)
		complain(t, "nothing was said");
	free(err);
	free(out);
}

/* Where the disk never came back, the loop is over and says that not every file tells it: the
 * next one writes them. */
static bool
lacks_views(struct trial *t)
{
	char *err = trial_read(t, "run.err");
	bool lacks = strstr(err, "could not be written everywhere") != NULL;

	free(err);
	return lacks;
}

void
life_held(struct trial *t, const struct life *life)
{
	bool dies = strcmp(t->kind, "KILL") == 0;
	pid_t run;
	int code;

	life->make(t);
	run = life->start(t, FAULTY, "run");
	if (trial_expect_held(t, run, &code) && code == -1) {
		check_opens(t);
		kill(run, SIGKILL);
		(void)trial_wait(t, run);
		code = KILLED_BY_US;
	} else if (code != life->well && code != SOME_FAILED && code != NOT_COMMITTED &&
		   !(code == 1 && !was_told(t)) && !(dies && code == KILLED_BY_US)) {
		complain(t, "run: exit code %d", code);
	}
	if (code != life->well)
		life_told(t);
	check_acknowledged(t, "run.out");
	if (code != life->well || life->well != 0 || lacks_views(t))
		life->go_on(t);
	life->check(t);
}

void
life_error(struct trial *t, const struct life *life)
{
	int code;

	life->make(t);
	code = trial_wait(t, life->start(t, FAULTY, "run"));
	if (trial_was_hit(t))
		life_told(t);
	if (code == 1 && !was_opened(t))
		life->go_on(t);
	else if (code != life->well)
		complain(t, "run: exit code %d", code);
	life->check(t);
	life->check_once(t);
}

void
life_killed(struct trial *t, const struct life *life)
{
	int code;

	life->make(t);
	code = trial_wait(t, life->start(t, FAULTY, "run"));
	if (code != (trial_was_hit(t) ? KILLED_BY_US : life->well))
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	check_opens(t);
	if (code == KILLED_BY_US)
		life->go_on(t);
	life->check(t);
	life->check_once(t);
}

void
life_stopped(struct trial *t, const struct life *life)
{
	int code;

	life->make(t);
	code = trial_wait(t, life->start(t, FAULTY, "run"));
	if (code != life->well)
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	life->check(t);
	life->check_once(t);
}
