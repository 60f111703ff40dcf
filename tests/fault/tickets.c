#include "tickets.h"
#include "backlog.h"
#include "checker.h"
#include "lives.h"
#include "points.h"
#include "worker.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KILLED (-SIGKILL)

static bool
has_finished(struct trial *t)
{
	json_t *facts = journal_facts(t, NULL);
	bool has = facts_count(facts, "finished", NULL, NULL) > 0;

	json_decref(facts);
	return has;
}

/* A user who sees a killed run starts it again.  Where only the last words were missing, that
 * is another run, and the ticket that failed gets another attempt. */
void
tickets_kill(struct trial *t)
{
	int code;
	bool finished;

	backlog_make(t);
	code = trial_wait(t, backlog_start(t, FAULTY, "run", NULL));
	finished = has_finished(t);
	if (code != (trial_was_hit(t) ? KILLED : SOME_FAILED))
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	check_opens(t);
	if (code == KILLED)
		backlog_go_on(t);
	check_backlog(t);
	if (!finished || code != KILLED)
		check_one_run(t);
}

/* Until an agent is at work; then the supervisor is killed, and the next one, too. */
void
tickets_kill_again(struct trial *t)
{
	pid_t run;
	bool finished;
	int code;

	backlog_make(t);
	run = backlog_start(t, SOUND, "first", NULL);
	if (!trial_expect(t, run, "agents", "start ", &code) || code != -1)
		complain(t, "the loop does not run");
	kill(run, SIGKILL);
	(void)trial_wait(t, run);
	code = trial_wait(t, backlog_start(t, FAULTY, "run", NULL));
	finished = has_finished(t);
	if (code != (trial_was_hit(t) ? KILLED : SOME_FAILED))
		complain(t, "run: exit code %d", code);
	check_opens(t);
	if (code == KILLED)
		backlog_go_on(t);
	check_backlog(t);
	if (!finished || code != KILLED)
		check_one_run(t);
}

/* Whatever it was that failed, its work is kept, and lands with the next run.  `code`: how the
 * first one ended; -1 when it waited and was killed. */
static void
check_below(struct trial *t, int code)
{
	size_t lines;
	json_t *facts = journal_facts(t, &lines);

	/* Before it is a supervisor, the program itself is one of the others. */
	if (code != -1 && code != SOME_FAILED && lines > 0)
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	if (trial_was_hit(t) && facts_count(facts, "landed", "verdict", "done") < 2)
		life_told(t);
	json_decref(facts);
	backlog_tidy(t);
	if (trial_was_hit(t))
		backlog_go_on(t);
	/* A merge that waited may only now be in. */
	backlog_tidy(t);
	check_backlog(t);
}

void
tickets_below(struct trial *t)
{
	backlog_make(t);
	check_below(t, trial_wait(t, backlog_start(t, FAULTY, "run", NULL)));
}

/* A disk that stays full, or fails, is waited for: here until the supervisor is killed, and the
 * next one finds space. */
void
tickets_full(struct trial *t)
{
	const char *what =
	    strcmp(t->kind, "EIO") == 0 ? "waiting for the disk" : "waiting for disk space";
	pid_t run;
	int code;

	backlog_make(t);
	run = backlog_start(t, FAULTY, "run", NULL);
	if (trial_expect(t, run, "run.out", what, &code) && code == -1) {
		kill(run, SIGKILL);
		(void)trial_wait(t, run);
	}
	check_below(t, code);
}

void
tickets_shots(struct trial *t)
{
	char self[PATH_MAX] = "", *verify = NULL;
	bool last = (t->point & SHOT_SUPERVISOR) != 0 && t->point < SHOTS;
	int code;

	if (t->point == COUNTING) {
		trial_note(t, SHOTS - 1, "shots");
		return;
	}
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		abort();
	if (asprintf(&verify, "'%s' --shoot '%s' %u", self, t->dir, t->point) < 0)
		abort();
	backlog_make(t);
	code = trial_wait(t, backlog_start(t, SOUND, "run", verify));
	free(verify);
	if (code != (last ? KILLED : SOME_FAILED))
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	check_opens(t);
	if (last)
		backlog_go_on(t);
	check_backlog(t);
	check_one_run(t);
}

/* One error: before there is a run it is the end, and said; later the run goes on. */
void
tickets_error(struct trial *t)
{
	size_t lines;
	int code;

	backlog_make(t);
	code = trial_wait(t, backlog_start(t, FAULTY, "run", NULL));
	json_decref(journal_facts(t, &lines));
	if (trial_was_hit(t))
		life_told(t);
	if (code == 1 && lines == 0)
		backlog_go_on(t);
	else if (code != SOME_FAILED)
		complain(t, "run: exit code %d", code);
	check_backlog(t);
	check_one_run(t);
}

/* ---- as every kind ------------------------------------------------------------------ */

static pid_t
start(struct trial *t, enum fault fault, const char *out)
{
	return backlog_start(t, fault, out, NULL);
}

static void
go_on(struct trial *t)
{
	backlog_tidy(t);
	backlog_go_on(t);
}

/* A merge that waited may only now be in. */
static void
check(struct trial *t)
{
	backlog_tidy(t);
	check_backlog(t);
}

const struct life tickets_life = {
    backlog_make, start, SOME_FAILED, go_on, check, check_one_run};

void
tickets_held(struct trial *t)
{
	life_held(t, &tickets_life);
}

void
tickets_stopped(struct trial *t)
{
	life_stopped(t, &tickets_life);
}
