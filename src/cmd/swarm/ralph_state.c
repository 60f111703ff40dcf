/*
 * ralph_state.c - the loop of a worker as the seed's state.json tells it.
 */
#include "cmd/swarm/ralph_state.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "record/home.h"
#include "record/swarm.h"
#include <errno.h>
#include <inttypes.h>

#define STATE_MAX ((size_t)1024 * 1024)

json_t *
ralph_state_file(const char *name, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	AUTO_FREE char *path = xasprintf("ralph/%s/state.json", name);
	json_t *doc;

	if (home < 0)
		return NULL;
	/* A name of others may lead anywhere. */
	if (strchr(name, '/') != NULL || strcmp(name, "..") == 0) {
		(void)err_set(err, "'%s' is not a loop's name", name);
		return NULL;
	}
	doc = json_read(home, path, STATE_MAX, err);
	if (doc != NULL && !json_is_object(doc)) {
		json_decref(doc);
		(void)err_set(err, "%s is not a JSON object", path);
		return NULL;
	}
	return doc;
}

static json_t *
ours(const struct loop_view *v)
{
	json_t *state = swarm_document(v->name, &v->settings, &v->state);
	AUTO_JSON *file = ralph_state_file(v->name, NULL);

	if (file != NULL)
		(void)json_object_update_missing(state, file);
	if (v->state.returned != 0)
		(void)json_object_set_new(state, "returned", json_integer(v->state.returned));
	return state;
}

json_t *
ralph_state(const struct worker *w, struct err *err)
{
	struct err why = ERR_INIT;
	json_t *state;

	if (w->ralph && !w->foreign)
		return ours(&w->view);
	state = w->ralph ? ralph_state_file(worker_name(w), &why) : NULL;
	if (state != NULL)
		return state;
	if (w->ralph && why.code != ENOENT) {
		(void)err_pass(err, &why);
		return NULL;
	}
	(void)err_code(err, ENOENT, "worker '%s' is not a ralph worker", worker_name(w));
	return NULL;
}

void
ralph_state_iteration(const json_t *state, struct buf *out)
{
	buf_addf(out, "%" PRId64 "/",
	    (json_int(state, "current_iteration", 0) - json_int(state, "returned", 0)));
	if (json_is_integer(json_object_get(state, "max_iterations")))
		buf_addf(out, "%" PRId64, json_int(state, "max_iterations", 0));
	else
		buf_adds(out, "unlimited");
}

/* ---- all of them ---------------------------------------------------------------- */

struct each {
	ralph_state_fn *fn;
	void *ctx;
	json_t *seen; /* names of workers */
	int unreadable;
};

static void
each_worker(void *ctx, struct worker *w)
{
	struct each *e = ctx;
	struct err err = ERR_INIT;
	AUTO_JSON *state = NULL;

	(void)json_object_set_new(e->seen, worker_name(w), json_true());
	if (!w->ralph)
		return;
	state = ralph_state(w, &err);
	if (state != NULL) {
		e->fn(e->ctx, state, w->running ? "running" : "stopped");
	} else if (err.code != ENOENT) { /* else somebody removed its ralph/NAME/ */
		error("%s", err.text);
		e->unreadable++;
	}
}

static void
each_left(struct each *e, const char *name)
{
	struct err err = ERR_INIT;
	AUTO_JSON *state = NULL;

	if (json_object_get(e->seen, name) != NULL)
		return;
	state = ralph_state_file(name, &err);
	if (state != NULL) {
		(void)json_object_set_new(state, "worker_name", json_text(name, strlen(name)));
		e->fn(e->ctx, state, "removed");
	} else if (err.code != ENOENT && err.code != ENOTDIR) {
		error("%s", err.text);
		e->unreadable++;
	}
}

int
ralph_states_each(ralph_state_fn *fn, void *ctx, struct err *err)
{
	AUTO_JSON *seen = json_object();
	struct each e = {.fn = fn, .ctx = ctx, .seen = seen};
	struct err why = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&why);
	int malformed = workers_each(each_worker, &e, err);
	AUTO_STRLIST names = NULL;

	if (malformed >= 0 && home < 0 && why.code != ENOENT)
		return err_set(err, "%s", why.text);
	if (malformed < 0 || home < 0)
		return malformed;
	if (fs_list(home, "ralph", &names, err) < 0)
		return -1;
	for (size_t i = 0; names[i] != NULL; i++)
		each_left(&e, names[i]);
	return malformed + e.unreadable;
}
