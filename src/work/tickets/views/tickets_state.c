/*
 * tickets_state.c - dispatch-loop-state.json: seed 000's schema, written and read.
 */
#include "work/tickets/views/tickets_view.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/process/proc.h"
#include "base/text.h"
#include "record/value.h"
#include "work/tickets/views/run_view.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#define RUN_VERSION 1
#define RUN_MAX ((size_t)16 << 20)
#define REPLACED "dispatch-loop-state.replaced."

/* ---- written ------------------------------------------------------------------------- */

static json_t *
active_document(const struct run_view *v)
{
	json_t *all = value_object();

	for (size_t i = 0; i < v->nsessions; i++) {
		const struct view_session *s = &v->sessions[i];
		AUTO_FREE char *place = NULL;
		json_t *one;

		if (s->status != VIEW_ACTIVE)
			continue;
		one = value_object();
		value_set(one, "ticket", value_word(s->ticket));
		value_set(one, "startedAt", value_time(s->started, view_time));
		place = view_place(v, s);
		if (place != NULL)
			value_set(one, "worktree", value_word(place));
		value_set(all, s->friendly, one);
	}
	return all;
}

json_t *
run_document(const struct run_view *v, const struct loop_state *state)
{
	int64_t max = state->policy.max_iterations, before = v->settings->run_before;
	json_t *doc = value_object();
	json_t *completed = value_array(), *failed = value_array(), *failures = value_array();
	char id[TICKETS_RUN_ID_MAX];

	for (size_t i = 0; i < v->noutcomes; i++) {
		const struct view_outcome *o = &v->outcomes[i];
		json_t *why;

		value_append(o->failed ? failed : completed, value_word(o->ticket));
		if (!o->failed)
			continue;
		why = value_object();
		value_append(failures, why);
		value_set(why, "ticket", value_word(o->ticket));
		value_set(why, "reason", value_word(o->reason));
	}
	value_set(doc, "version", value_int(RUN_VERSION));
	tickets_run_name(v->settings, v->uid, id);
	value_set(doc, "runId", value_word(id));
	value_set(doc, "startedAt", value_time(v->opened, view_time));
	value_set(
	    doc, "maxIterations", max == UNLIMITED ? json_null() : value_int(max + before));
	value_set(doc, "parallel", value_int(state->policy.parallel));
	value_set(doc, "startedCount", value_int(state->iteration - state->returned + before));
	value_set(doc, "completed", completed);
	value_set(doc, "failed", failed);
	value_set(doc, "active", active_document(v));
	value_set(doc, "failures", failures);
	value_set(doc, "loop", value_word(v->loop));
	return doc;
}

/* The runId of the loop with that uid: a UUID of version 8, whose digits are those of the uid.
 * A uid that does not have 16 digits stays as it is. */
static void
run_id_of(const char *uid, char id[TICKETS_RUN_ID_MAX])
{
	bool whole = strlen(uid) == 16 && strspn(uid, "0123456789abcdef") == 16;

	if (!whole)
		(void)snprintf(id, TICKETS_RUN_ID_MAX, "%s", uid);
	else
		(void)snprintf(id, TICKETS_RUN_ID_MAX, "%.8s-%.4s-8%.3s-8%.3s-%.12s", uid,
		    uid + 8, uid + 12, uid, uid + 3);
}

void
tickets_run_name(const struct settings *settings, const char *uid, char id[TICKETS_RUN_ID_MAX])
{
	if (settings->run_id != NULL)
		(void)snprintf(id, TICKETS_RUN_ID_MAX, "%s", settings->run_id);
	else
		run_id_of(uid, id);
}

bool
tickets_run_is(const char *uid, const char *run_id)
{
	char id[TICKETS_RUN_ID_MAX];

	run_id_of(uid, id);
	return strcmp(run_id, id) == 0 || strcmp(run_id, uid) == 0;
}

/* ---- read ---------------------------------------------------------------------------- */

void
tickets_run_release(struct tickets_run *r)
{
	free(r->loop);
	free(r->run_id);
	free(r->since);
	strlist_free(r->completed);
	strlist_free(r->failed);
	memset(r, 0, sizeof(*r));
}

static int
read_count(const json_t *doc, const char *key, int64_t least, int64_t *out, struct err *err)
{
	const json_t *v = json_object_get(doc, key);

	*out = json_is_null(v) ? UNLIMITED : json_integer_value(v);
	if (json_is_integer(v) && *out >= least && *out < VALUE_INT_LIMIT)
		return 0;
	return json_is_null(v) && strcmp(key, "maxIterations") == 0
		   ? 0
		   : err_set(err, "%s is not a number above %" PRId64, key, least - 1);
}

/* Reads a list of ids; other programs write {"ticket": id, "reason": ...} for those that
 * failed. */
static int
tickets_state_read_ids(const json_t *doc, const char *key, char ***out, struct err *err)
{
	const json_t *list = json_object_get(doc, key);
	size_t i, n = json_array_size(list);

	*out = xcalloc(1, sizeof(**out));
	if (!json_is_array(list))
		return err_set(err, "%s is not a list", key);
	for (i = 0; i < n; i++) {
		const json_t *one = json_array_get(list, i);
		const char *id = json_is_object(one) ? json_str(one, "ticket", NULL)
						     : json_string_value(one);

		if (id == NULL)
			return err_set(err, "%s has something that is no ticket", key);
		*out = strlist_add(*out, id);
	}
	return 0;
}

static int
tickets_state_read_text(const json_t *doc, const char *key, char **out, struct err *err)
{
	const json_t *v = json_object_get(doc, key);

	if (v != NULL && !json_is_string(v))
		return err_set(err, "%s is not a text", key);
	*out = v == NULL ? NULL : xstrdup(json_string_value(v));
	return 0;
}

static int
read_run(const json_t *doc, struct tickets_run *out, struct err *err)
{
	const json_t *version = json_object_get(doc, "version");

	if (!json_is_object(doc))
		return err_set(err, "not a JSON object");
	if (!json_is_integer(version) || json_integer_value(version) < 1)
		return err_set(err, "it has no version");
	if (json_integer_value(version) > RUN_VERSION)
		return err_code(err, ENOTSUP,
		    "written by a newer version (%" JSON_INTEGER_FORMAT ")",
		    json_integer_value(version));
	if (tickets_state_read_text(doc, "loop", &out->loop, err) < 0 ||
	    tickets_state_read_text(doc, "runId", &out->run_id, err) < 0 ||
	    tickets_state_read_text(doc, "startedAt", &out->since, err) < 0 ||
	    read_count(doc, "maxIterations", 1, &out->max_iterations, err) < 0 ||
	    read_count(doc, "parallel", 1, &out->parallel, err) < 0 ||
	    read_count(doc, "startedCount", 0, &out->started, err) < 0 ||
	    tickets_state_read_ids(doc, "completed", &out->completed, err) < 0 ||
	    tickets_state_read_ids(doc, "failed", &out->failed, err) < 0)
		return -1;
	if (!json_is_object(json_object_get(doc, "active")))
		return err_set(err, "active is not an object");
	if (out->loop != NULL && !name_is_valid(out->loop))
		return err_set(err, "loop is not the name of a loop");
	if (out->run_id == NULL)
		out->run_id = xstrdup("");
	return 0;
}

int
tickets_view_dir(const char *root, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/.tf/ralph", root);

	return fs_open_dir(AT_FDCWD, path, err);
}

/* Reads the content of the file into *out: 1, or -1 and why the content is no state. */
static int
tickets_state_parse(const struct buf *text, struct tickets_run *out, struct err *err)
{
	AUTO_JSON *doc = json_parse(text->data, text->len, RUN_FILE, err);
	int rc = doc == NULL ? -1 : read_run(doc, out, err);

	if (rc == 0)
		return 1;
	tickets_run_release(out);
	return doc == NULL ? -1 : err_prefix(err, RUN_FILE);
}

int
tickets_run_load(const char *root, struct tickets_run *out, struct buf *notes, struct err *err)
{
	AUTO_CLOSE int dir = tickets_view_dir(root, err);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF moved = BUF_INIT;
	struct err why = ERR_INIT;
	int rc;

	memset(out, 0, sizeof(*out));
	if (dir < 0)
		return -1;
	rc = fs_read(dir, RUN_FILE, RUN_MAX, &text, &why);
	if (rc < 0 && why.code == ENOENT)
		return 0;
	if (rc == 0)
		rc = tickets_state_parse(&text, out, &why);
	if (rc > 0)
		return rc;
	/* A file that cannot be opened now stays in place; only a damaged one is moved
	 * aside. */
	if (why.code == ENOTSUP || why.code == EACCES || why.code == EIO)
		return err_pass(err, &why);
	if (fs_move_aside(dir, RUN_FILE, &moved, err) < 0)
		return -1;
	buf_addf(notes, "%s; it was kept as %s, and a new run begins\n", why.text, moved.data);
	return 0;
}

bool
tickets_run_look(const char *root, struct tickets_run *out)
{
	AUTO_CLOSE int dir = tickets_view_dir(root, NULL);
	AUTO_BUF text = BUF_INIT;

	memset(out, 0, sizeof(*out));
	return dir >= 0 && fs_read(dir, RUN_FILE, RUN_MAX, &text, NULL) == 0 &&
	       tickets_state_parse(&text, out, NULL) > 0;
}

/* Does the recorded process live, and is it not another process with the same pid? */
static bool
session_lives(const json_t *record)
{
	int64_t pid = json_int(record, "pid", 0);
	int64_t birth = json_int(record, "process_start_time", -1);
	struct proc_id id;

	return strcmp(json_str(record, "status", ""), "running") == 0 && pid > 0 &&
	       pid <= INT32_MAX && proc_id_of((pid_t)pid, &id) == 0 &&
	       (int64_t)id.start_time == birth && proc_id_alive(&id);
}

int
tickets_run_lives(const char *root, struct buf *who, struct err *err)
{
	AUTO_CLOSE int dir = tickets_view_dir(root, err);
	AUTO_JSON *doc = NULL;
	const json_t *list;
	size_t n;

	if (dir < 0)
		return -1;
	/* A view that cannot be read names nobody. */
	doc = json_read(dir, SESSIONS_FILE, RUN_MAX, NULL);
	list = json_object_get(doc, "sessions");
	n = json_array_size(list);
	for (size_t i = 0; i < n; i++) {
		const json_t *record = json_array_get(list, i);
		const char *ticket = json_str(record, "ticket_id", "?");

		if (!session_lives(record))
			continue;
		text_show(who, ticket, strlen(ticket), false);
		buf_addf(who, " (pid %" PRId64 ")", json_int(record, "pid", 0));
		return 1;
	}
	return 0;
}

int
tickets_run_discard(const char *root, struct err *err)
{
	AUTO_CLOSE int dir = tickets_view_dir(root, err);
	AUTO_BUF stamp = BUF_INIT;

	if (dir < 0)
		return -1;
	if (faccessat(dir, RUN_FILE, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
		return 0;
	clock_fmt_stamp(clock_wall(), &stamp);
	for (int n = 0;; n++) {
		AUTO_FREE char *name = n == 0 ? xasprintf(REPLACED "%s.json", stamp.data)
					      : xasprintf(REPLACED "%s.%d.json", stamp.data, n);

		if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			return fs_rename(dir, RUN_FILE, name, FS_SYNC, err);
	}
}
