/*
 * boxes.c - only what went through our check is complete: a box that turns to [x] while a
 * worker has a task, and not by us, is put back.
 *
 * Workers tick boxes by themselves, of their own task and of others, and later readers of the
 * list would believe the boxes.  So boxes_note writes down which tasks are open when a task is
 * given out (.boxes beside the turns; it outlives a crash), and tasks that are ticked at its
 * end without having been completed are opened again.  A box that a person ticked meanwhile
 * cannot be told from one that the worker ticked.  Boxes that were ticked before, or between
 * two tasks, are left as they are and named at the end.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "supervisor/step.h"
#include "work/todo/todo.h"
#include "work/todo/todo_done.h"
#include "work/todo/todo_file.h"
#include "work/todo/todo_mark.h"
#include <errno.h>
#include <fcntl.h>

#define BOXES_FILE ".boxes"
#define BOXES_MAX ((size_t)64 << 20)
#define NAMED_MAX 10

/* The ids of the tasks that are done, or of those that are not. */
static int
list_ids(const char *path, bool done, char ***out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct todo_file file;

	*out = NULL;
	if (fs_read(AT_FDCWD, path, TODO_MAX, &text, err) < 0)
		return -1;
	todo_file_parse(&file, text.data, text.len, NULL);
	for (size_t i = 0; i < file.n; i++) {
		AUTO_FREE char *id =
		    xstrndup(file.tasks[i].line.id.p, file.tasks[i].line.id.len);

		if ((file.tasks[i].state == TODO_DONE) == done)
			*out = strlist_add(*out, id);
	}
	todo_file_release(&file);
	return 0;
}

/* ---- in a job -------------------------------------------------------------------------- */

/* The ids of the tasks that this run has to do. */
static int
boxes_list_work(const struct settings *s, char ***out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct todo_file file;

	*out = NULL;
	if (fs_read(AT_FDCWD, s->todo_file, TODO_MAX, &text, err) < 0)
		return -1;
	todo_file_parse(&file, text.data, text.len, s->section);
	for (size_t i = 0; i < file.nwork; i++) {
		const struct span *id = &file.tasks[file.work[i]].line.id;
		AUTO_FREE char *copy = xstrndup(id->p, id->len);

		*out = strlist_add(*out, copy);
	}
	todo_file_release(&file);
	return 0;
}

static int
boxes_write(int dir, const json_t *v, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	json_print(v, true, &text);
	return fs_replace(dir, BOXES_FILE, text.data, text.len, FS_NOSYNC, err);
}

int
boxes_note(const struct running *r, struct err *err)
{
	AUTO_FREE char *turns = lead_turns(r);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, turns, err);
	AUTO_JSON *v = json_object();
	char **open = NULL, **work = NULL;
	int rc = dir < 0 ? -1 : list_ids(r->settings.todo_file, false, &open, err);

	if (rc == 0)
		rc = boxes_list_work(&r->settings, &work, err);
	if (rc == 0) {
		(void)json_object_set_new(v, "open", json_strlist(open));
		(void)json_object_set_new(v, "work", json_strlist(work));
		rc = boxes_write(dir, v, err);
	}
	strlist_free(open);
	strlist_free(work);
	return rc;
}

/* The record from when the task was given out, "open" and "work", and the boxes that are being
 * put "back".  NULL: no task is out. */
static json_t *
boxes_read(int dir)
{

	return json_read(dir, BOXES_FILE, BOXES_MAX, NULL);
}

/* Finds the tasks that others ticked, and the tasks that an earlier attempt to put boxes back
 * found: that attempt may have come half way. */
static char **
find_wrong(const struct running *r, const json_t *v, char *const *ticked, const char *completed)
{
	AUTO_STRLIST open = json_to_strlist(json_object_get(v, "open"));
	char **wrong = json_to_strlist(json_object_get(v, "back"));

	for (char *const *id = ticked; id != NULL && *id != NULL; id++)
		if (strlist_has(open, *id) && !strlist_has(wrong, *id) &&
		    !strlist_has(leader_of(r)->story.completed, *id) &&
		    (completed == NULL || strcmp(completed, *id) != 0))
			wrong = strlist_add(wrong, *id);
	return wrong;
}

/* Writes all ids down before changing the first box, so that all of them can be told after a
 * crash. */
static int
boxes_put_back(const struct running *r, int dir, json_t *v, char *const *wrong,
    char *const *ticked, struct err *err)
{
	int rc;

	if (wrong == NULL)
		return 0;
	(void)json_object_set_new(v, "back", json_strlist(wrong));
	rc = boxes_write(dir, v, err);
	for (char *const *id = wrong; rc >= 0 && *id != NULL; id++)
		if (strlist_has(ticked, *id))
			rc = todo_mark(
			    r->settings.todo_file, *id, TODO_OPEN, NULL, clock_wall(), err);
	return rc;
}

int
boxes_restore(const struct running *r, const char *completed, json_t *out, struct err *err)
{
	AUTO_FREE char *turns = lead_turns(r);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, turns, err);
	AUTO_JSON *v = dir < 0 ? NULL : boxes_read(dir);
	char **ticked = NULL, **wrong = NULL;
	struct err why = ERR_INIT;
	int rc = v == NULL ? 0 : list_ids(r->settings.todo_file, true, &ticked, &why);

	if (v != NULL && rc == 0) {
		wrong = find_wrong(r, v, ticked, completed);
		rc = boxes_put_back(r, dir, v, wrong, ticked, &why);
	}
	/* A list that is not there any more has no boxes. */
	if (rc < 0 && why.code == ENOENT)
		rc = 0;
	if (rc >= 0 && v != NULL)
		rc = gone_find(r, json_object_get(v, "work"), completed, &why);
	if (rc >= 0 && dir >= 0)
		rc = fs_unlink(dir, BOXES_FILE, &why);
	if (rc < 0 && err != NULL)
		*err = why;
	if (rc >= 0 && wrong != NULL)
		(void)json_object_set_new(out, "ticked", json_strlist(wrong));
	strlist_free(ticked);
	strlist_free(wrong);
	return rc < 0 ? -1 : 0;
}

/* ---- and after it ---------------------------------------------------------------------- */

/* Tells the user about each box once a run, even if a worker ticks it again. */
void
boxes_tell(struct running *r, const json_t *v)
{
	char **ticked = json_to_strlist(json_object_get(v, "ticked"));
	AUTO_BUF names = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	size_t n = 0;

	for (char **id = ticked; id != NULL && *id != NULL; id++) {
		if (strlist_has(leader_of(r)->ticked, *id))
			continue;
		leader_of(r)->ticked = strlist_add(leader_of(r)->ticked, *id);
		buf_addf(&names, "%s%s", n++ > 0 ? ", " : "", *id);
	}
	strlist_free(ticked);
	gone_tell(r, false);
	if (n == 0)
		return;
	buf_addf(&line,
	    "%s: ticked while the worker had a task, and not by us: the box%s put back",
	    names.data, n == 1 ? " was" : "es were");
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
}

struct settling {
	struct running *r;
};

static int
settle_run(const void *arg, struct buf *out, struct err *err)
{
	const struct settling *s = arg;
	AUTO_JSON *v = json_object();
	int rc = boxes_restore(s->r, NULL, v, err);

	json_print(v, true, out);
	return rc;
}

static void
on_settled(struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "boxes", NULL);

	(void)arg;
	if (rc < 0)
		warning("%s: boxes that a worker ticked cannot be put back: %s", r->spec->name,
		    err->text);
	boxes_tell(r, v);
	running_release(r);
}

void
boxes_settle(struct running *r)
{
	AUTO_FREE char *turns = lead_turns(r);
	AUTO_FREE char *file = xasprintf("%s/" BOXES_FILE, turns);
	struct settling *s;

	if (access(file, F_OK) < 0)
		return;
	s = xcalloc(1, sizeof(*s));
	s->r = r;
	running_hold(r);
	step_start(r, &(struct step_spec){
			  .session = "",
			  .what = "boxes",
			  .run = settle_run,
			  .done = on_settled,
			  .release = free,
			  .arg = s,
		      });
}

/* ---- the last words -------------------------------------------------------------------- */

/* Every task completed through ralph, in this run or another, has left a done file; a task of
 * another list may have set the file aside since. */
void
boxes_others(const struct running *r, struct buf *out)
{
	AUTO_STRLIST ticked = NULL;
	size_t n = 0;

	(void)!list_ids(r->settings.todo_file, true, &ticked, NULL);
	for (char **id = ticked; id != NULL && *id != NULL; id++) {
		if (strlist_has(leader_of(r)->story.completed, *id) ||
		    todo_done_was(&leader_of(r)->results, *id))
			continue;
		if (n++ < NAMED_MAX)
			buf_addf(out, "%s%s", n == 1 ? "marked by others: " : ", ", *id);
	}
	if (n > NAMED_MAX)
		buf_addf(out, " and %zu more", n - NAMED_MAX);
}
