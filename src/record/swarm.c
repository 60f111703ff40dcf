#include "record/swarm.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>

#define VIEWS_DIR "ralph"
#define STATE_FILE "state.json"
#define STATE_MAX ((size_t)1024 * 1024)

struct swarm_view {
	struct view view;
	struct buf bytes; /* of state.json, as we wrote or read it last */
	json_t *doc;	  /* `bytes`, parsed; NULL when there is no state.json */
	bool based;	  /* `base` means something */
	int64_t base;	  /* max_iterations as we wrote it last */
	bool edited;
	int64_t edit;	      /* max_iterations as the user wrote it instead */
	struct err complaint; /* the mistake in the file that the last write replaced */
};

int
swarm_dir(const struct view_of *of, struct err *err)
{
	AUTO_FREE char *path = xasprintf(VIEWS_DIR "/%s", of->loop);
	int fd = openat(of->home, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (fs_mkdir(of->home, VIEWS_DIR, err) < 0 || fs_mkdir(of->home, path, err) < 0)
		return -1;
	return fs_open_dir(of->home, path, err);
}

static struct view *
swarm_open(const struct view_of *of, struct err *err UNUSED)
{
	struct swarm_view *l = view_new(sizeof(*l), &swarm_view, of);
	AUTO_FREE char *path = xasprintf(VIEWS_DIR "/%s", of->loop);
	AUTO_CLOSE int fd = openat(of->home, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	buf_init(&l->bytes);
	l->based = of->state->phase != PHASE_NEW;
	l->base = of->state->policy.max_iterations;
	/* Half-written views of a killed supervisor; they are worth no failure. */
	if (fd >= 0)
		(void)!fs_sweep(fd, NULL);
	return &l->view;
}

static void
swarm_close(struct view *v)
{
	struct swarm_view *l = (struct swarm_view *)v;

	buf_release(&l->bytes);
	json_decref(l->doc);
	free(l);
}

/* ---- state.json, read back ------------------------------------------------- */

static void
swarm_forget(struct swarm_view *l)
{
	json_decref(l->doc);
	l->doc = NULL;
	buf_clear(&l->bytes);
}

static int
move_aside(struct swarm_view *l, int dir, struct err *why, struct err *err)
{
	AUTO_BUF moved = BUF_INIT;

	swarm_forget(l);
	if (fs_move_aside(dir, STATE_FILE, &moved, err) < 0)
		return -1;
	return err_set(err, "%s; it was kept as %s and is written anew", why->text, moved.data);
}

/* Does the file have a max_iterations that we did not write? */
static int
look_for_edit(struct swarm_view *l, struct err *err)
{
	const json_t *v = json_object_get(l->doc, "max_iterations");
	int64_t value = json_is_null(v) ? UNLIMITED : json_integer_value(v);

	if (!l->based || v == NULL)
		return 0;
	if (!json_is_null(v) && (!json_is_integer(v) || value < 1 || value >= VALUE_INT_LIMIT))
		return err_set(err,
		    "max_iterations in " STATE_FILE " of the loop '%s' is not a number above 0",
		    l->view.of.loop);
	if (value != l->base) {
		l->edited = true;
		l->edit = value;
		l->base = value;
	}
	return 0;
}

/* Reads the state file as it is now.  -1 + err when the file is of no use; the view can be
 * written all the same. */
static int
swarm_state_read(struct swarm_view *l, int dir, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_BUF now = BUF_INIT;
	json_t *doc = NULL;

	if (fs_read(dir, STATE_FILE, STATE_MAX, &now, &why) < 0) {
		swarm_forget(l);
		/* The file may hold anything, so it is not ours to replace. */
		return why.code == ENOENT ? 0 : move_aside(l, dir, &why, err);
	}
	if (l->doc != NULL && buf_same(&now, &l->bytes))
		return 0;
	doc = json_parse(now.data, now.len, STATE_FILE, &why);
	if (!json_is_object(doc)) {
		if (doc != NULL)
			err_set(&why, STATE_FILE " is not a JSON object");
		json_decref(doc);
		return move_aside(l, dir, &why, err);
	}
	swarm_forget(l);
	l->doc = doc;
	buf_add(&l->bytes, now.data, now.len);
	return look_for_edit(l, err);
}

int
swarm_edits(struct view *v, int64_t *max_iterations, struct err *err)
{
	struct swarm_view *l = (struct swarm_view *)v;
	AUTO_CLOSE int dir = swarm_dir(&l->view.of, err);

	if (l->complaint.text[0] != '\0') {
		err_set(err, "%s", l->complaint.text);
		l->complaint.text[0] = '\0';
		return -1;
	}
	if (dir < 0 || swarm_state_read(l, dir, err) < 0)
		return -1;
	if (!l->edited)
		return 0;
	l->edited = false;
	*max_iterations = l->edit;
	return 1;
}

/* ---- state.json, written ---------------------------------------------------- */

static json_t *
swarm_time_or_null(struct when at)
{
	return at.wall == 0 ? json_null() : value_time(at.wall, clock_fmt_iso_us);
}

static json_t *
count_or_null(int64_t n)
{
	return n == UNLIMITED ? json_null() : value_int(n);
}

static json_t *
swarm_seconds(int64_t ns)
{
	if (ns % NSEC_PER_SEC == 0)
		return value_int(ns / NSEC_PER_SEC);
	return json_real((double)ns / (double)NSEC_PER_SEC);
}

json_t *
swarm_document(const char *loop, const struct settings *settings, const struct loop_state *s)
{
	json_t *obj = value_object();

	value_set(obj, "worker_name", json_or_null(loop));
	value_set(obj, "prompt_file", json_or_null(settings->prompt_file));
	value_set(obj, "max_iterations", count_or_null(s->policy.max_iterations));
	value_set(obj, "current_iteration", value_int(s->iteration));
	value_set(obj, "status", json_or_null(loop_status(s)));
	value_set(obj, "started", swarm_time_or_null(s->opened));
	value_set(obj, "last_iteration_started", swarm_time_or_null(s->iteration_started));
	value_set(obj, "consecutive_failures", value_int(s->failures));
	value_set(obj, "total_failures", value_int(s->total_failures));
	value_set(obj, "done_pattern", json_or_null(settings->done_pattern));
	value_set(obj, "inactivity_timeout", swarm_seconds(s->policy.inactivity_timeout));
	value_set(obj, "exit_reason",
	    json_or_null(s->phase == PHASE_FINISHED ? end_reason_name(s->reason) : NULL));
	return obj;
}

/* The seed's keys in the seed's order, then ours, then those of others. */
static json_t *
swarm_state_render(
    const struct swarm_view *l, const struct loop_state *s, int64_t max_iterations)
{
	json_t *obj = swarm_document(l->view.of.loop, l->view.of.settings, s);
	const char *key;
	json_t *v;

	value_set(obj, "max_iterations", count_or_null(max_iterations));
	json_object_foreach (l->doc, key, v) {
		if (json_object_get(obj, key) == NULL)
			value_set(obj, key, json_incref(v));
	}
	return obj;
}

static int
swarm_write(struct view *v, const struct loop_state *state, struct err *err)
{
	struct swarm_view *l = (struct swarm_view *)v;
	AUTO_CLOSE int dir = swarm_dir(&l->view.of, err);
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;
	int64_t max_iterations;
	json_t *doc;

	if (dir < 0)
		return -1;
	/* A useless file is replaced all the same; swarm_edits reports the reason later. */
	if (swarm_state_read(l, dir, &why) < 0)
		l->complaint = why;
	max_iterations = l->edited ? l->edit : state->policy.max_iterations;
	doc = swarm_state_render(l, state, max_iterations);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	if (!buf_same(&text, &l->bytes) &&
	    fs_replace(dir, STATE_FILE, text.data, text.len, FS_NOSYNC, err) < 0) {
		json_decref(doc);
		return -1;
	}
	json_decref(l->doc);
	l->doc = doc;
	buf_clear(&l->bytes);
	buf_add(&l->bytes, text.data, text.len);
	l->based = true;
	l->base = max_iterations;
	return 0;
}

const struct view_ops swarm_view = {
    .name = STATE_FILE,
    .open = swarm_open,
    .write = swarm_write,
    .close = swarm_close,
};
