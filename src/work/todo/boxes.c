/*
 * boxes.c - only what went through our check is complete: a box that turns to [x] while a
 * worker has a task, and not by us, is put back; a task that vanishes from the list meanwhile
 * is not done.
 *
 * Workers tick boxes by themselves, of their own task and of others, and later readers of the
 * list would believe the boxes.  So boxes_note writes down which tasks are open when a task is
 * given out (.boxes beside the turns; it outlives a crash), and tasks that are ticked at its
 * end without having been completed are opened again.  A box that a person ticked meanwhile
 * cannot be told from one that the worker ticked.  Boxes that were ticked before, or between
 * two tasks, are left as they are and named at the end.
 *
 * Workers rewrite lists, too, and a task that is not in the list any more would silently count
 * as done.  The tasks that were to be done when a task was given out, and that have no line at
 * its end, are kept beside the turns (.gone), so that they outlive a crash; they are told at
 * once, and again by the source when nothing else is left (todo_source_lost).  A line that
 * somebody else removed meanwhile counts as removed by the worker.
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
#define GONE_FILE ".gone"
#define NAMED_MAX 10

static char *
boxes_path(const struct running *r, const char *name)
{
	AUTO_FREE char *turns = lead_turns(r);

	return xasprintf("%s/%s", turns, name);
}

/* ---- in a job -------------------------------------------------------------------------- */

/* The ids of the tasks that are done, of those that are not, or of those that this run has to
 * do. */
enum listed { LISTED_DONE, LISTED_OPEN, LISTED_WORK };

static int
list_ids(const struct settings *s, enum listed which, char ***out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct todo_file file;

	*out = NULL;
	if (fs_read(AT_FDCWD, s->todo_file, TODO_MAX, &text, err) < 0)
		return -1;
	todo_file_parse(&file, text.data, text.len, s->section);
	for (size_t i = 0; i < (which == LISTED_WORK ? file.nwork : file.n); i++) {
		const struct todo_task *t =
		    &file.tasks[which == LISTED_WORK ? file.work[i] : i];
		AUTO_FREE char *id = xstrndup(t->line.id.p, t->line.id.len);

		if (which == LISTED_WORK || (t->state == TODO_DONE) == (which == LISTED_DONE))
			*out = strlist_add(*out, id);
	}
	todo_file_release(&file);
	return 0;
}

int
boxes_note(const struct running *r, struct err *err)
{
	AUTO_FREE char *path = boxes_path(r, BOXES_FILE);
	AUTO_JSON *v = json_object();
	AUTO_STRLIST open = NULL;
	AUTO_STRLIST work = NULL;

	if (list_ids(&r->settings, LISTED_OPEN, &open, err) < 0 ||
	    list_ids(&r->settings, LISTED_WORK, &work, err) < 0)
		return -1;
	(void)json_object_set_new(v, "open", json_strlist(open));
	(void)json_object_set_new(v, "work", json_strlist(work));
	return leader_save(path, v, err);
}

/* Is the task completed?  `completed`: the task that the caller has just completed; NULL. */
static bool
is_completed(const struct running *r, const char *completed, const char *id)
{
	return strlist_has(leader_of(r)->views->story.completed, id) ||
	       (completed != NULL && strcmp(completed, id) == 0);
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
		    !is_completed(r, completed, *id))
			wrong = strlist_add(wrong, *id);
	return wrong;
}

/* Writes all ids down before changing the first box, so that all of them can be told after a
 * crash. */
static int
boxes_put_back(const struct running *r, const char *path, json_t *v, char *const *wrong,
    char *const *ticked, struct err *err)
{
	int rc;

	if (wrong == NULL)
		return 0;
	(void)json_object_set_new(v, "back", json_strlist(wrong));
	rc = leader_save(path, v, err);
	for (char *const *id = wrong; rc >= 0 && *id != NULL; id++)
		if (strlist_has(ticked, *id))
			rc = todo_mark(
			    r->settings.todo_file, *id, TODO_OPEN, NULL, clock_wall(), err);
	return rc;
}

/* Reads the vanished tasks of this run. */
static char **
gone_read(const struct running *r)
{
	AUTO_FREE char *path = boxes_path(r, GONE_FILE);
	AUTO_JSON *v = leader_load(path);

	return strcmp(json_str(v, "run", ""), r->state.uid) == 0
		   ? json_to_strlist(json_object_get(v, "tasks"))
		   : NULL;
}

/* Writes down the tasks of `work` that have no line any more, in any section and state.  A list
 * that does not exist has none. */
static int
gone_find(const struct running *r, const json_t *work, const char *completed, struct err *err)
{
	AUTO_FREE char *path = boxes_path(r, GONE_FILE);
	AUTO_STRLIST ids = json_to_strlist(work);
	AUTO_STRLIST gone = gone_read(r);
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *v = json_object();
	struct err why = ERR_INIT;
	struct todo_file now;
	size_t before = strlist_len(gone);

	if (fs_read(AT_FDCWD, r->settings.todo_file, TODO_MAX, &text, &why) < 0 &&
	    why.code != ENOENT)
		return err_pass(err, &why);
	todo_file_parse(&now, text.data, text.len, NULL);
	for (char **id = ids; id != NULL && *id != NULL; id++)
		if (todo_file_find(&now, *id) == NULL && !strlist_has(gone, *id) &&
		    !is_completed(r, completed, *id))
			gone = strlist_add(gone, *id);
	todo_file_release(&now);
	if (strlist_len(gone) == before)
		return 0;
	json_put(v, "run", r->state.uid);
	(void)json_object_set_new(v, "tasks", json_strlist(gone));
	return leader_save(path, v, err);
}

int
boxes_restore(const struct running *r, const char *completed, json_t *out, struct err *err)
{
	AUTO_FREE char *path = boxes_path(r, BOXES_FILE);
	AUTO_JSON *v = leader_load(path);
	AUTO_STRLIST ticked = NULL;
	AUTO_STRLIST wrong = NULL;
	struct err why = ERR_INIT;
	int rc = v == NULL ? 0 : list_ids(&r->settings, LISTED_DONE, &ticked, &why);

	if (v != NULL && rc == 0) {
		wrong = find_wrong(r, v, ticked, completed);
		rc = boxes_put_back(r, path, v, wrong, ticked, &why);
	}
	/* A list that is not there any more has no boxes. */
	if (rc < 0 && why.code == ENOENT)
		rc = 0;
	if (rc >= 0 && v != NULL)
		rc = gone_find(r, json_object_get(v, "work"), completed, &why);
	if (rc >= 0)
		rc = fs_unlink(AT_FDCWD, path, &why);
	if (rc < 0)
		return err_pass(err, &why);
	if (wrong != NULL)
		(void)json_object_set_new(out, "ticked", json_strlist(wrong));
	return 0;
}

/* ---- after the job --------------------------------------------------------------------- */

/* Adds the ids that the user was not told of in this run to those that he was told of, and to
 * `names`; returns how many there are. */
static size_t
boxes_names_add(char *const *ids, char ***told, struct buf *names)
{
	size_t n = 0;

	for (; ids != NULL && *ids != NULL; ids++) {
		if (strlist_has(*told, *ids))
			continue;
		*told = strlist_add(*told, *ids);
		buf_addf(names, "%s%s", n++ > 0 ? ", " : "", *ids);
	}
	return n;
}

void
boxes_tell_gone(struct running *r, bool known)
{
	AUTO_STRLIST gone = gone_read(r);
	AUTO_BUF line = BUF_INIT;
	size_t n = boxes_names_add(gone, &leader_of(r)->gone, &line);

	for (char **id = gone; r->source != NULL && id != NULL && *id != NULL; id++)
		todo_source_lost(r->source, *id);
	if (known || n == 0)
		return;
	buf_adds(&line, ": removed from the list while a worker had a task, and not by us");
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
}

/* Tells the user about each box once a run, even if a worker ticks it again. */
void
boxes_tell(struct running *r, const json_t *v)
{
	AUTO_STRLIST ticked = json_to_strlist(json_object_get(v, "ticked"));
	AUTO_BUF line = BUF_INIT;
	size_t n = boxes_names_add(ticked, &leader_of(r)->ticked, &line);

	boxes_tell_gone(r, false);
	if (n == 0)
		return;
	buf_addf(&line,
	    ": ticked while the worker had a task, and not by us: the box%s put back",
	    n == 1 ? " was" : "es were");
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
}

static int
settle_run(const void *arg, struct buf *out, struct err *err)
{
	AUTO_JSON *v = json_object();
	int rc = boxes_restore(arg, NULL, v, err);

	json_print(v, true, out);
	return rc;
}

static void
boxes_on_settled(
    struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
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
	AUTO_FREE char *path = boxes_path(r, BOXES_FILE);

	if (access(path, F_OK) < 0)
		return;
	running_hold(r);
	step_start(r, &(struct step_spec){
			  .session = "",
			  .what = "boxes",
			  .run = settle_run,
			  .done = boxes_on_settled,
			  .arg = r,
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

	(void)!list_ids(&r->settings, LISTED_DONE, &ticked, NULL);
	for (char **id = ticked; id != NULL && *id != NULL; id++) {
		if (strlist_has(leader_of(r)->views->story.completed, *id) ||
		    todo_done_was(&leader_of(r)->results, *id))
			continue;
		if (n++ < NAMED_MAX)
			buf_addf(out, "%s%s", n == 1 ? "marked by others: " : ", ", *id);
	}
	if (n > NAMED_MAX)
		buf_addf(out, " and %zu more", n - NAMED_MAX);
}
