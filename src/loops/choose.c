/*
 * choose.c - a session by its task or its friendly name.
 */
#include "loops/choose.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "loop/friendly.h"
#include "loop/source_row.h"
#include "loops/history.h"
#include "loops/past_runs.h"
#include "record/home.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { RANK_PAST = 1, RANK_LIVE = 2, RANK_HERE = 2 }; /* a loop's rank is their sum */

/* The loops that have such a session; only the best of them. */
struct choice {
	int rank;
	size_t n;
	char *loop; /* the first of them */
	int64_t iteration;
	struct buf names; /* "a, b" */
};

/* The iteration of this loop that has that friendly name; 0. */
static int64_t
friendly_iteration(const struct loop_view *v, const char *name)
{
	char own[FRIENDLY_MAX];

	if (!v->settings.lands)
		return 0;
	for (int64_t i = v->state.iteration; i > 0; i--) {
		friendly_name(v->state.uid, i, own);
		if (strcmp(own, name) == 0)
			return i;
	}
	return 0;
}

static int64_t
task_iteration(const struct loop_view *v, const char *task)
{
	const struct past_iteration *one;
	struct history h = {.all = NULL};
	int64_t number = 0;

	if (!history_names_tasks(&v->settings) || history_load(&h, v->dir, NULL) < 0)
		return 0;
	one = history_task(&h, task);
	if (one != NULL)
		number = one->number;
	history_release(&h);
	return number;
}

static bool
works_now(const struct loop_view *v, int64_t iteration)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (v->state.sessions[i].state != SESSION_FREE &&
		    v->state.sessions[i].iteration == iteration)
			return v->supervised || loop_view_agent_lives(v);
	return false;
}

/* Is the current directory in the loop's project? */
static bool
choose_is_here(const struct loop_view *v)
{
	const char *root = v->settings.root != NULL ? v->settings.root : v->settings.cwd;
	size_t len = root == NULL ? 0 : strlen(root);
	AUTO_FREE char *cwd = getcwd(NULL, 0);

	return cwd != NULL && len > 0 && strncmp(cwd, root, len) == 0 &&
	       (cwd[len] == '\0' || cwd[len] == '/');
}

/* Ranks a loop that has such a session; false: the loop has none at all. */
static bool
choose_consider(struct choice *c, const struct loop_view *v, const char *name)
{
	int64_t iteration = friendly_iteration(v, name);
	int rank;

	if (iteration == 0)
		iteration = task_iteration(v, name);
	if (iteration == 0)
		return false;
	rank = (works_now(v, iteration) ? RANK_LIVE : RANK_PAST) +
	       (choose_is_here(v) ? RANK_HERE : 0);
	if (rank < c->rank)
		return true;
	if (rank > c->rank) {
		c->rank = rank;
		c->n = 0;
		buf_clear(&c->names);
		free(c->loop);
		c->loop = xstrdup(v->name);
		c->iteration = iteration;
	}
	buf_addf(&c->names, "%s%s", c->n++ == 0 ? "" : ", ", v->name);
	return true;
}

/* Considers the newest of the loop's earlier runs that has such a session. */
static void
consider_past(struct choice *c, int home, const char *loop, const char *name)
{
	size_t n = past_runs_count(home, loop);
	bool found = false;

	for (size_t i = 2; i <= n + 1 && !found; i++) {
		AUTO_FREE char *run = xasprintf("%s@%zu", loop, i);
		struct loop_view v;

		if (past_run_open(&v, run, NULL) < 0)
			continue;
		found = choose_consider(c, &v, name);
		loop_view_close(&v);
	}
}

static int
choice_open(const struct choice *c, struct loop_view *v, const char *name, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;

	if (c->n == 0)
		return -1;
	if (c->n == 1) {
		if (past_run_or_loop(v, c->loop, err) < 0)
			return -1;
		v->chosen = c->iteration;
		return 0;
	}
	text_quote(&shown, name);
	return err_set(err,
	    "several loops have a session %s: %s; '%s logs --list NAME' shows the iterations "
	    "of one",
	    shown.data, c->names.data, log_name());
}

int
choose_session(struct loop_view *v, const char *name, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	struct choice c = {.names = BUF_INIT};
	AUTO_STRLIST names = NULL;
	bool past;
	int rc;

	if (home < 0 || home_loops(home, &names, NULL) < 0)
		return -1;
	for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
		if (loop_view_open(v, names[i], NULL) < 0)
			continue;
		(void)choose_consider(&c, v, name);
		loop_view_close(v);
	}
	past = c.n == 0;
	for (size_t i = 0; past && names != NULL && names[i] != NULL; i++)
		consider_past(&c, home, names[i], name);
	rc = choice_open(&c, v, name, err);
	free(c.loop);
	buf_release(&c.names);
	return rc;
}

/* ---- what it is ---------------------------------------------------------------------- */

static void
choose_describe(const struct loop_view *v, const char *name, struct buf *out)
{
	const char *noun =
	    friendly_iteration(v, name) > 0 ? "session" : source_row(v->settings.source)->noun;

	text_addf(
	    out, "%s is a %s of %s%s", name, noun, v->name, v->past ? ", an earlier run" : "");
}

void
choose_tell(const struct loop_view *v, const char *name)
{
	AUTO_BUF line = BUF_INIT;

	choose_describe(v, name, &line);
	(void)fprintf(stderr, "%s: %s\n", log_name(), line.data);
}

static int
refuse_session(const struct loop_view *v, const char *name, const char *verb, struct err *err)
{
	AUTO_BUF what = BUF_INIT;

	choose_describe(v, name, &what);
	if (v->past)
		return err_set(err, "%s, which is over; %s status %s shows it", what.data,
		    log_name(), v->name);
	return err_set(err, "%s: %s %s %s", what.data, log_name(), verb, v->name);
}

int
choose_loop(struct loop_view *v, const char *name, enum view_need need, const char *verb,
    struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *present = NULL;
	int rc;

	if (loop_view_open_new(v, name, need, err) == 0)
		return 0;
	if (name_is_valid(name) && err->code != ENOENT)
		return -1;
	if (past_run_open(v, name, &why) == 0) {
		present = v->past ? NULL : xstrdup(v->name);
		loop_view_close(v);
		*err = (struct err)ERR_INIT;
		return present != NULL
			   ? loop_view_open_for(v, present, need, err)
			   : err_set(err,
				 "%s is an earlier run, which is over; %s status %s shows it",
				 name, log_name(), name);
	}
	if (why.text[0] != '\0')
		return err_set(err, "%s", why.text);
	if (choose_session(v, name, err) < 0)
		return -1;
	rc = refuse_session(v, name, verb, err);
	loop_view_close(v);
	return rc;
}
