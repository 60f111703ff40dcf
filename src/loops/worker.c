/*
 * worker.c - workers by name.
 */
#include "loops/worker.h"
#include "loops/between.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/process/proc.h"
#include "base/process/run.h"
#include "base/text.h"
#include "loop/source_row.h"
#include "record/home.h"
#include "record/registry.h"
#include "session/session.h"
#include "session/wire.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>

#define FOREIGN_SLACK (2 * 3600 * NSEC_PER_SEC)

/* ---- the record ------------------------------------------------------------------- */

static json_t *
env_json(char *const *env)
{
	json_t *obj = json_object();

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		const char *eq = strchr(env[i], '=');
		AUTO_FREE char *key =
		    eq == NULL ? NULL : xstrndup(env[i], (size_t)(eq - env[i]));

		if (eq != NULL)
			(void)json_object_set_new(obj, key, json_text(eq + 1, strlen(eq + 1)));
	}
	return obj;
}

static json_t *
tmux_json(const struct settings *s)
{
	if (!s->tmux)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "session", json_or_null(s->tmux_session), "window",
	    json_or_null(s->name), "socket", json_or_null(s->tmux_socket));
}

static json_t *
worktree_json(const struct settings *s)
{
	if (s->worktree_path == NULL)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "path", json_or_null(s->worktree_path), "branch",
	    json_or_null(s->worktree_branch), "base_repo", json_or_null(s->worktree_repo));
}

static json_t *
pid_json(const struct settings *s, const struct loop_state *state)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS && !s->tmux; i++)
		if (state->sessions[i].state != SESSION_FREE && state->sessions[i].pid != 0)
			return json_integer(state->sessions[i].pid);
	return json_null();
}

bool
worker_is_ralph(const struct settings *s)
{
	return !source_row(s->source)->single;
}

bool
worker_is_swarms(const struct settings *s)
{
	const struct source_row *source = source_row(s->source);

	return source->swarm && (!source->run || s->tmux);
}

bool
worker_can_go_on(const struct worker *w)
{
	const struct loop_state *s = &w->view.state;

	return !w->foreign && w->ralph && loop_can_resume(s) &&
	       (s->phase != PHASE_FINISHED || s->reason != END_KILLED);
}

static json_t *
make_record(
    const char *name, const struct settings *s, const struct loop_state *state, bool running)
{
	AUTO_BUF started = BUF_INIT;
	json_t *metadata = worker_is_ralph(s)
			       ? json_pack("{s:b, s:I}", "ralph", 1, "ralph_iteration",
				     (json_int_t)state->iteration)
			       : json_object();

	clock_fmt_iso_us(state->opened.wall, &started);
	return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
	    name, "status", running ? "running" : "stopped", "cmd", json_strlist(s->command),
	    "started", started.data, "cwd", json_or_null(s->cwd), "env", env_json(s->env),
	    "tags", json_strlist(s->tags), "tmux", tmux_json(s), "worktree", worktree_json(s),
	    "pid", pid_json(s, state), "metadata", metadata);
}

/* The pid of an agent that has ended; 0 when there was none. */
static pid_t
last_pid(const struct loop_view *v)
{
	AUTO_FREE char *id = loop_view_session(v);
	AUTO_CLOSE int sessions = id == NULL ? -1 : loop_view_sessions(v, NULL);
	struct session_info info;

	return sessions >= 0 && session_info(sessions, id, &info, NULL) == 0 ? info.agent : 0;
}

/* The record of a loop of ours, from its truth; a new reference. */
static json_t *
worker_record(const struct loop_view *v, bool running)
{
	json_t *record = make_record(v->name, &v->settings, &v->state, running);
	pid_t pid = 0;

	if (!v->settings.tmux && json_is_null(json_object_get(record, "pid")))
		pid = last_pid(v);
	if (pid > 0)
		(void)json_object_set_new(record, "pid", json_integer(pid));
	return record;
}

int
worker_register(int home, const char *name, const struct settings *settings,
    const struct loop_state *state, bool running, bool wait, struct err *err)
{
	AUTO_JSON *record = make_record(name, settings, state, running);

	return registry_put(home, name, record, wait, err);
}

/* ---- looking ----------------------------------------------------------------------- */

/* A supervisor that is paused with no agent left keeps nothing running. */
static bool
worker_is_running(const struct loop_view *v)
{
	if (v->damage != NULL)
		return v->supervised;
	if (v->state.phase == PHASE_FINISHED)
		return false;
	if (v->supervised && (v->state.wanted == WANT_RUN || loop_active(&v->state) > 0))
		return true;
	return loop_view_agent_lives(v);
}

static json_t *
registry_find(const json_t *records, const char *name)
{
	json_t *record;
	size_t i;

	json_array_foreach (records, i, record) {
		if (strcmp(json_str(record, "name", ""), name) == 0)
			return record;
	}
	return NULL;
}

static bool
foreign_window_lives(const json_t *tmux)
{
	const char *socket = json_str(tmux, "socket", NULL);
	AUTO_FREE char *target =
	    xasprintf("=%s:=%s", json_str(tmux, "session", ""), json_str(tmux, "window", ""));
	AUTO_STRLIST argv = strlist_add(NULL, "tmux");
	AUTO_RUN result = RUN_INIT;
	int rc;

	if (socket != NULL)
		argv = strlist_add(strlist_add(argv, "-L"), socket);
	argv = strlist_add(strlist_add(strlist_add(argv, "has-session"), "-t"), target);
	rc = run_checked(&(struct run_spec){.argv = argv}, &result, NULL);
	return rc == 0;
}

/* The writer of the record knew the process only by its number, and wrote the record when the
 * process had been started: a younger process only has the same number now.  The record's time
 * is local, without a zone, so that it may be an hour off when summer time begins or ends. */
static bool
foreign_process_lives(const json_t *record)
{
	int64_t pid = json_int(record, "pid", 0);
	int64_t began = pid > 0 && pid <= INT_MAX ? proc_started((pid_t)pid) : 0;
	int64_t noted;

	if (began == 0)
		return false;
	return clock_parse(json_str(record, "started", ""), &noted) < 0 ||
	       began <= noted + FOREIGN_SLACK;
}

static bool
foreign_runs(const json_t *record)
{
	const json_t *tmux = json_object_get(record, "tmux");

	if (strcmp(json_str(record, "status", ""), "running") != 0)
		return false;
	if (json_is_object(tmux))
		return foreign_window_lives(tmux);
	return foreign_process_lives(record);
}

static void
fill_ours(struct worker *w, json_t *record)
{
	json_t *theirs = json_object_get(record, "metadata");
	AUTO_JSON *truth = NULL;

	w->running = worker_is_running(&w->view);
	w->ralph = worker_is_ralph(&w->view.settings);
	truth = worker_record(&w->view, w->running);
	/* Keys of others stay visible. */
	if (json_is_object(theirs))
		(void)json_object_update_missing(json_object_get(truth, "metadata"), theirs);
	w->record = record == NULL ? json_object() : json_deep_copy(record);
	(void)json_object_update(w->record, truth);
}

static void
fill_foreign(struct worker *w, json_t *record)
{
	w->foreign = true;
	w->running = foreign_runs(record);
	w->ralph = json_is_true(json_object_get(json_object_get(record, "metadata"), "ralph"));
	w->record = json_deep_copy(record);
	(void)json_object_set_new(
	    w->record, "status", json_string(w->running ? "running" : "stopped"));
}

/* `record` is the registry's, or NULL.  Code ENOENT when there is neither that nor a loop. */
static int
worker_fill(
    struct worker *w, const char *name, json_t *record, enum view_need need, struct err *err)
{
	struct err why = {.code = ENOENT};

	/* Others had no rules for names. */
	if (name_is_valid(name) && loop_view_open_new(&w->view, name, need, &why) == 0) {
		fill_ours(w, record);
		return 0;
	}
	if (record != NULL && why.code == ENOENT) {
		fill_foreign(w, record);
		return 0;
	}
	return err_pass(err, &why);
}

static json_t *
worker_load(int home, int *malformed, struct err *err)
{
	struct registry_notes notes = {.text = BUF_INIT};
	json_t *records = registry_load(home, &notes, err);

	warning_lines(notes.text.data);
	*malformed = notes.malformed;
	buf_release(&notes.text);
	return records;
}

int
worker_open(struct worker *w, const char *name, struct err *err)
{
	return worker_open_for(w, name, VIEW_WHOLE, err);
}

int
worker_open_for(struct worker *w, const char *name, enum view_need need, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	AUTO_JSON *records = NULL;
	struct err why = ERR_INIT;
	int malformed = 0;

	if (home >= 0)
		records = worker_load(home, &malformed, NULL);
	if (worker_fill(w, name, registry_find(records, name), need, &why) == 0)
		return 0;
	return why.code == ENOENT ? err_code(err, ENOENT, "worker '%s' not found", name)
				  : err_pass(err, &why);
}

struct worker *
worker_new(void)
{
	struct worker *w = xpages(sizeof(*w));

	w->view.home = w->view.dir = -1;
	return w;
}

void
worker_drop(struct worker **w)
{
	worker_close(*w);
	xpages_free(*w, sizeof(**w));
}

void
worker_close(struct worker *w)
{
	loop_view_close(&w->view);
	json_decref(take_ptr(w->record));
}

const char *
worker_name(const struct worker *w)
{
	return json_str(w->record, "name", "");
}

bool
worker_is_paused(const struct worker *w)
{
	return !w->foreign && w->view.damage == NULL &&
	       strcmp(loop_status(&w->view.state), "paused") == 0;
}

const char *
worker_word(const struct worker *w)
{
	if (w->running)
		return "running";
	return worker_is_paused(w) ? "paused" : "stopped";
}

bool
worker_has_terminal(const struct worker *w)
{
	return w->foreign ? json_is_object(json_object_get(w->record, "tmux"))
			  : w->view.settings.mode == MODE_PTY;
}

int
worker_dial(const struct worker *w, struct err *err)
{
	const char *name = worker_name(w);
	struct err why = ERR_INIT;
	struct loop_view v;
	int fd;

	if (!w->running)
		return err_set(err, "worker '%s' is not running", name);
	if (w->foreign)
		return err_set(err,
		    "worker '%s' was started by another program; it is out of reach", name);
	if (loop_view_open(&v, name, err) < 0)
		return -1;
	fd = between_dial(&v, &why);
	loop_view_close(&v);
	if (fd < 0 && (why.code == EAGAIN || why.code == ESRCH))
		(void)err_set(&why, "worker '%s' is between two agents just now", name);
	return fd < 0 ? err_pass(err, &why) : fd;
}

static bool
each_one(const char *name, json_t *record, enum view_need need,
    void (*fn)(void *ctx, struct worker *w), void *ctx)
{
	struct worker w = WORKER_INIT;
	struct err err = ERR_INIT;

	if (worker_fill(&w, name, record, need, &err) < 0) {
		if (err.code == ENOENT)
			return true;
		error("%s", err.text);
		return false;
	}
	fn(ctx, &w);
	worker_close(&w);
	return true;
}

int
workers_each(void (*fn)(void *ctx, struct worker *w), void *ctx, struct err *err)
{
	return workers_each_for(VIEW_WHOLE, fn, ctx, err);
}

int
workers_each_for(
    enum view_need need, void (*fn)(void *ctx, struct worker *w), void *ctx, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&why);
	AUTO_JSON *records = NULL;
	AUTO_STRLIST names = NULL;
	json_t *record;
	size_t i;
	int malformed = 0;

	if (home < 0)
		return why.code == ENOENT ? 0 : err_set(err, "%s", why.text);
	records = worker_load(home, &malformed, err);
	if (records == NULL || home_loops(home, &names, err) < 0)
		return -1;
	json_array_foreach (records, i, record) {
		malformed += !each_one(json_str(record, "name", ""), record, need, fn, ctx);
	}
	/* Loops that are not in the registry (yet, or since somebody took it away). */
	for (i = 0; names != NULL && names[i] != NULL; i++)
		if (registry_find(records, names[i]) == NULL)
			malformed += !each_one(names[i], NULL, need, fn, ctx);
	return malformed;
}

void
worker_age(const json_t *record, struct buf *out)
{
	int64_t wall = 0, age;

	if (clock_parse(json_str(record, "started", ""), &wall) < 0) {
		buf_addc(out, '?');
		return;
	}
	age = (clock_wall() - wall) / NSEC_PER_SEC;
	if (age < 0)
		age = 0;
	if (age < 60)
		buf_addf(out, "%" PRId64 "s", age);
	else if (age < 3600)
		buf_addf(out, "%" PRId64 "m", age / 60);
	else if (age < 86400)
		buf_addf(out, "%" PRId64 "h", age / 3600);
	else
		buf_addf(out, "%" PRId64 "d", age / 86400);
}
