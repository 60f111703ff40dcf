#include "run.h"
#include "checker.h"
#include "lives.h"
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KILLED (-SIGKILL)

static bool
finished_as(struct trial *t, const char *reason)
{
	json_t *facts = journal_facts(t, NULL);
	bool is = facts_count(facts, "finished", reason != NULL ? "reason" : NULL, reason) > 0;

	json_decref(facts);
	return is;
}

static bool
has_finished(struct trial *t)
{
	return finished_as(t, NULL);
}

static int
count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

/* Goes on after the fault as a user would: resume, or run again when there was no loop yet. */
static void
go_on(struct trial *t, const char *agent)
{
	size_t lines;
	int code;

	json_decref(journal_facts(t, &lines));
	if (lines == 0)
		code = trial_wait(t, trial_start_loop(t, SOUND, "again", agent));
	else
		code = trial_do(t, SOUND, "again", "resume --foreground --json " LOOP);
	if (code != 0)
		complain(t, "going on afterwards: exit code %d", code);
}

static void
check_end(struct trial *t, const char *reason, bool killed)
{
	trial_all_gone(t);
	check_journal(t, reason);
	check_agents(t, killed);
}

/* ---- kill -9 ------------------------------------------------------------------------ */

void
run_kill(struct trial *t)
{
	int code = trial_wait(t, trial_start_loop(t, FAULTY, "run", "work"));
	bool finished = has_finished(t);

	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	check_opens(t);
	go_on(t, "work");
	check_end(t, "done_pattern", false);
	/* A loop that is over needs nobody any more who could clean up. */
	if (!finished)
		check_litter(t);
}

/* The agent dies with its keeper; what it left behind is ended; the loop goes on. */
void
run_kill_keeper(struct trial *t)
{
	int code = trial_wait(t, trial_start_loop(t, FAULTY, "run", "daemon"));
	/* The second iteration prints the done pattern, if it comes to that. */
	bool done = finished_as(t, "done_pattern");

	if (code != (done ? 0 : 10))
		complain(t, "run: exit code %d", code);
	check_acknowledged(t, "run.out");
	check_end(t, done ? "done_pattern" : "not_done", true);
	check_litter(t);
}

/* What a command says it has done is in the journal from then on. */
static void
check_command(struct trial *t, int code, const char *kind, const char *key, const char *value)
{
	json_t *facts = journal_facts(t, NULL);

	if (code == 0 && facts_count(facts, kind, key, value) == 0)
		complain(t, "a command said it has %s: %s, which is not so", key, value);
	json_decref(facts);
}

/* Pause, resume and stop from outside; the supervisor dies at some point of that. */
void
run_control(struct trial *t)
{
	pid_t run = trial_start_loop(t, FAULTY, "run", "wait");
	int status;

	if (trial_expect(t, run, "run.out", "\"running\"", &status) && status == -1)
		check_command(
		    t, trial_do(t, SOUND, "pause", "pause " LOOP), "wanted", "wanted", "pause");
	trial_touch(t, "go1");
	if (status == -1 && trial_expect(t, run, "run.out", "\"ended\"", &status) &&
	    status == -1)
		check_command(
		    t, trial_do(t, SOUND, "resume", "resume " LOOP), "wanted", "wanted", "run");
	if (status == -1 && trial_expect(t, run, "agents", "start 2 ", &status) && status == -1)
		check_command(t, trial_do(t, SOUND, "stop", "stop " LOOP), "finished", "reason",
		    "stopped");
	if (status == -1)
		status = trial_wait(t, run);
	if (status != (trial_was_hit(t) ? KILLED : 3))
		complain(t, "run: exit code %d", status);
	trial_touch(t, "go2");
	trial_touch(t, "go3");
	check_opens(t);
	if (!has_finished(t))
		go_on(t, "wait");
	/* A resume that finds the supervisor dead goes on in the background. */
	trial_all_gone(t);
	check_end(t, finished_as(t, "stopped") ? "stopped" : "done_pattern", true);
}

/* A loop whose supervisor was killed while its first agent works. */
static void
crash(struct trial *t)
{
	pid_t run = trial_start_loop(t, SOUND, "run", "wait");
	int status;

	if (!trial_expect(t, run, "run.out", "\"running\"", &status) || status != -1)
		complain(t, "the loop does not run");
	kill(run, SIGKILL);
	(void)trial_wait(t, run);
}

void
run_resume(struct trial *t)
{
	bool finished;
	int code;

	crash(t);
	trial_touch(t, "go1");
	trial_touch(t, "go2");
	code = trial_do(t, FAULTY, "resume", "resume --foreground --json " LOOP);
	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "resume: exit code %d", code);
	check_opens(t);
	finished = has_finished(t);
	go_on(t, "wait");
	check_end(t, "done_pattern", false);
	if (!finished)
		check_litter(t);
}

void
run_stop(struct trial *t)
{
	int code;

	crash(t);
	code = trial_do(t, FAULTY, "stop", "stop " LOOP);
	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "stop: exit code %d", code);
	check_opens(t);
	code = trial_do(t, SOUND, "again", "stop " LOOP);
	if (code != 0)
		complain(t, "stop again: exit code %d", code);
	check_end(t, "stopped", true);
}

void
run_pause(struct trial *t)
{
	json_t *facts;
	int code;

	crash(t);
	code = trial_do(t, FAULTY, "pause", "pause " LOOP);
	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "pause: exit code %d", code);
	check_opens(t);
	code = trial_do(t, SOUND, "pause", "pause " LOOP);
	facts = journal_facts(t, NULL);
	if (code != 0 || facts_count(facts, "wanted", "wanted", "pause") != 1)
		complain(t, "pause again: exit code %d, or not written once", code);
	json_decref(facts);
	trial_touch(t, "go1");
	trial_touch(t, "go2");
	go_on(t, "wait");
	check_end(t, "done_pattern", false);
}

/* Is there a journal in the archive that says the same? */
static bool
is_archived(struct trial *t, const char *journal)
{
	char *pattern = trial_path(t, "home/archive/" LOOP ".*/journal.jsonl");
	glob_t found = {0};
	bool is = false;

	(void)glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *there = trial_read(t, found.gl_pathv[i] + strlen(t->dir) + 1);

		is = is || strcmp(there, journal) == 0;
		free(there);
	}
	globfree(&found);
	free(pattern);
	return is;
}

/* A name that was used: the old loop goes to the archive whole, its views with it. */
void
run_archive(struct trial *t)
{
	int code = trial_wait(t, trial_start_loop(t, SOUND, "first", "daemon"));
	char *first = trial_read(t, "home/loops/" LOOP "/journal.jsonl"), *log;

	trial_remove(t, "agents");
	if (code != 0)
		complain(t, "the first loop: exit code %d", code);
	code = trial_wait(t, trial_start_loop(t, FAULTY, "run", "daemon"));
	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "run: exit code %d", code);
	check_opens(t);
	if (code != 0 && has_finished(t)) {
		trial_remove(t, "agents");
		(void)trial_wait(t, trial_start_loop(t, SOUND, "again", "daemon"));
	} else if (code != 0) {
		go_on(t, "daemon");
	}
	check_end(t, "done_pattern", false);
	if (!is_archived(t, first))
		complain(t, "the first loop is not in the archive as it was");
	log = trial_read(t, "home/ralph/" LOOP "/iterations.log");
	/* What a killed supervisor had not told it yet is missing there. */
	if (count(log, "[START] iteration 1/") > 1)
		complain(t, "iterations.log is not that of the loop:\n%s", log);
	free(first);
	free(log);
}

/* ---- errors -------------------------------------------------------------------------- */

static bool
was_opened(struct trial *t)
{
	size_t lines;

	json_decref(journal_facts(t, &lines));
	return lines > 0;
}

/* One error: before there is a loop it is the end, and said; later the loop goes on. */
void
run_error(struct trial *t)
{
	int code = trial_wait(t, trial_start_loop(t, FAULTY, "run", "work"));
	char *err = trial_read(t, "run.err");

	if (trial_was_hit(t))
		life_told(t);
	if (code == 1 && !was_opened(t) && count(err, "\n") == 1) {
		check_opens(t);
		go_on(t, "work");
	} else if (code != 0) {
		complain(t, "run: exit code %d", code);
	}
	free(err);
	check_end(t, "done_pattern", false);
	check_litter(t);
}

/*
 * The disk is full from here on.  That is said once; an agent that runs goes on, and no
 * other one starts.  When there is space again (for another supervisor here), so does the
 * loop.
 */
void
run_lasting(struct trial *t)
{
	pid_t run = trial_start_loop(t, FAULTY, "run", "work");
	int status;
	bool held = trial_expect(t, run, "run.err", "is started until", &status);
	char *err;

	if (held && status == -1) {
		trial_expect_quiet(t);
		err = trial_read(t, "run.err");
		if (count(err, "is started until") > 2)
			complain(t, "the same is said again and again");
		free(err);
		check_opens(t);
		kill(run, SIGKILL);
		(void)trial_wait(t, run);
	} else if (status != 0 && (status != 1 || trial_has(t, "agents"))) {
		complain(t, "run: exit code %d", status);
	}
	check_acknowledged(t, "run.out");
	go_on(t, "work");
	check_end(t, "done_pattern", false);
}

/* Every keeper meets the error, so none may ever have an agent; then the disk is mended. */
void
run_error_keeper(struct trial *t)
{
	pid_t run = trial_start_loop(t, FAULTY, "run", "daemon");
	int status;

	if (trial_expect(t, run, "run.err", "is started until", &status) && status == -1) {
		if (trial_has(t, "agents"))
			complain(t, "an agent was started");
		kill(run, SIGKILL);
		(void)trial_wait(t, run);
		go_on(t, "daemon");
	} else if (status != 0) {
		complain(t, "run: exit code %d", status);
	}
	check_end(t, "done_pattern", false);
	check_litter(t);
}

/* ---- as every kind ------------------------------------------------------------------ */

static void
make(struct trial *t)
{
	(void)t;
}

static pid_t
start(struct trial *t, enum fault fault, const char *out)
{
	return trial_start_loop(t, fault, out, "work");
}

static void
go_on_working(struct trial *t)
{
	go_on(t, "work");
}

static void
check(struct trial *t)
{
	check_end(t, "done_pattern", true);
	check_litter(t);
}

static void
check_once(struct trial *t)
{
	check_agents(t, false);
}

const struct life run_life = {make, start, 0, go_on_working, check, check_once};

void
run_held(struct trial *t)
{
	life_held(t, &run_life);
}

void
run_stopped(struct trial *t)
{
	life_stopped(t, &run_life);
}
