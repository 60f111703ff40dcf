/*
 * gone.c - a task that vanishes from the list while a worker has one is not done.
 *
 * Workers rewrite lists, and a task that is not in the list any more would silently count as
 * done.  boxes.c writes down which tasks were to be done when a task was given out.  Those of
 * them that have no line at its end are kept beside the turns (.gone), so that they outlive a
 * crash; they are told at once, and again by the source when nothing else is left
 * (todo_source_lost).  A line that somebody else removed meanwhile counts as removed by the
 * worker.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "work/todo/todo.h"
#include "work/todo/todo_file.h"
#include <errno.h>
#include <fcntl.h>

#define GONE_FILE ".gone"
#define GONE_MAX ((size_t)64 << 20)

/* ---- in a job -------------------------------------------------------------------------- */

/* The numbers of all tasks in the list, in any section and state. */
struct numbers {
	uint64_t *list;
	size_t n;
};

static int
todo_gone_by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Reads the numbers; a list that does not exist has none. */
static int
numbers_read(const char *path, struct numbers *out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;
	struct todo_file file;

	*out = (struct numbers){.list = NULL};
	if (fs_read(AT_FDCWD, path, TODO_MAX, &text, &why) < 0 && why.code != ENOENT) {
		*err = why;
		return -1;
	}
	todo_file_parse(&file, text.data, text.len, NULL);
	out->list = xcalloc(file.n + 1, sizeof(*out->list));
	for (; out->n < file.n; out->n++)
		out->list[out->n] = file.tasks[out->n].line.number;
	qsort(out->list, out->n, sizeof(*out->list), todo_gone_by_size);
	todo_file_release(&file);
	return 0;
}

static bool
numbers_have(const struct numbers *n, const char *id)
{
	uint64_t number;

	return todo_id_parse(id, &number) &&
	       bsearch(&number, n->list, n->n, sizeof(number), todo_gone_by_size) != NULL;
}

/* The vanished tasks of this run. */
static char **
gone_read(const struct running *r)
{
	AUTO_FREE char *turns = lead_turns(r);
	AUTO_FREE char *path = xasprintf("%s/" GONE_FILE, turns);
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *v = NULL;

	if (fs_read(AT_FDCWD, path, GONE_MAX, &text, NULL) < 0)
		return NULL;
	v = json_parse(text.data, text.len, GONE_FILE, NULL);
	if (strcmp(json_str(v, "run", ""), r->state.uid) != 0)
		return NULL;
	return json_to_strlist(json_object_get(v, "tasks"));
}

static int
gone_write(const struct running *r, char *const *ids, struct err *err)
{
	AUTO_FREE char *turns = lead_turns(r);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, turns, err);
	AUTO_JSON *v = json_object();
	AUTO_BUF text = BUF_INIT;

	json_put(v, "run", r->state.uid);
	(void)json_object_set_new(v, "tasks", json_strlist(ids));
	json_print(v, true, &text);
	return dir < 0 ? -1 : fs_replace(dir, GONE_FILE, text.data, text.len, FS_NOSYNC, err);
}

int
gone_find(const struct running *r, const json_t *work, const char *completed, struct err *err)
{
	AUTO_STRLIST ids = json_to_strlist(work);
	AUTO_STRLIST gone = gone_read(r);
	size_t before = gone == NULL ? 0 : strlist_len(gone);
	struct numbers now;
	int rc = numbers_read(r->settings.todo_file, &now, err);

	for (char **id = ids; rc == 0 && id != NULL && *id != NULL; id++)
		if (!numbers_have(&now, *id) && !strlist_has(gone, *id) &&
		    !strlist_has(leader_of(r)->story.completed, *id) &&
		    (completed == NULL || strcmp(completed, *id) != 0))
			gone = strlist_add(gone, *id);
	if (rc == 0 && gone != NULL && strlist_len(gone) > before)
		rc = gone_write(r, gone, err);
	free(now.list);
	return rc;
}

/* ---- and after it ---------------------------------------------------------------------- */

void
gone_tell(struct running *r, bool known)
{
	char **gone = gone_read(r);
	AUTO_BUF line = BUF_INIT;

	for (char **id = gone; id != NULL && *id != NULL; id++) {
		if (strlist_has(leader_of(r)->gone, *id))
			continue;
		leader_of(r)->gone = strlist_add(leader_of(r)->gone, *id);
		buf_addf(&line, "%s%s", line.len > 0 ? ", " : "", *id);
		if (r->source != NULL)
			todo_source_lost(r->source, *id);
	}
	strlist_free(gone);
	if (known || line.len == 0)
		return;
	buf_adds(&line, ": removed from the list while a worker had a task, and not by us");
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
}
