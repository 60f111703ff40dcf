/*
 * turn_wait.c - a task that is done and waits for its commit.
 *
 * Others have worked since the task's end: a person, who mended what the hook had refused, and
 * later tasks, some of which wait, too.  So the task's part is the set of paths that it
 * changed, and each path is committed as it is now.  Only a path that a later waiting task has
 * changed on top is committed as it was at the end of this task: the later task's commit has
 * the rest.
 */
#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include <fcntl.h>
#include <inttypes.h>

/* ---- who waits ----------------------------------------------------------------------- */

static char *
beside(const char *file, const char *task)
{
	return xasprintf("%.*s/%s", (int)(strrchr(file, '/') - file), file, task);
}

static int
since_compare(const void *a, const void *b)
{
	const struct turn_waiting *x = a, *y = b;

	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return strcmp(x->task, y->task);
}

void
turns_waiting_find(const char *dir, struct turns_waiting *out)
{
	AUTO_STRLIST names = NULL;

	*out = (struct turns_waiting){NULL, 0};
	if (fs_list(AT_FDCWD, dir, &names, NULL) < 0)
		return;
	for (char **name = names; *name != NULL; name++) {
		AUTO_FREE char *file = xasprintf("%s/%s", dir, *name);
		AUTO_MARK m;

		if (mark_load(&(struct turn_spec){.task = *name, .file = file}, &m, NULL) ==
			0 &&
		    m.waits != NULL) {
			struct turn_waiting one = {.task = xstrdup(*name), .since = m.since};

			one.about = take_ptr(m.about);
			one.summary = take_ptr(m.summary);
			one.why = take_ptr(m.waits);
			out->list = xreallocarray(out->list, out->n + 1, sizeof(*out->list));
			out->list[out->n++] = one;
		}
	}
	if (out->n > 0)
		qsort(out->list, out->n, sizeof(*out->list), since_compare);
}

void
turns_waiting_release(struct turns_waiting *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->list[i].task);
		free(w->list[i].about);
		free(w->list[i].summary);
		free(w->list[i].why);
	}
	free(w->list);
	*w = (struct turns_waiting){NULL, 0};
}

/* ---- what it did --------------------------------------------------------------------- */

static int
task_deltas(struct deltas *w, const struct place *p, const struct mark *m, struct err *err)
{
	AUTO_FREE char *start = xasprintf("%s^{tree}", m->commit);
	AUTO_FREE char *left = xasprintf("%s^{tree}", m->left);

	return deltas_open(w, p, start, left, err);
}

/* Adds the paths that another task has changed to the list. */
static char **
turn_wait_paths_add(char **paths, const struct place *p, const char *task)
{
	AUTO_FREE char *file = beside(p->turn->file, task);
	AUTO_DELTAS w = DELTAS_INIT;
	AUTO_MARK m;

	if (mark_load(&(struct turn_spec){.task = task, .file = file}, &m, NULL) == 0 &&
	    m.left != NULL && task_deltas(&w, p, &m, NULL) == 0)
		while (deltas_next(&w))
			paths = strlist_add(paths, w.d.path);
	return paths;
}

char *
wait_find(struct place *p, const struct mark *m, struct err *err)
{
	struct edits before = EDITS_INIT, ended = EDITS_INIT;
	AUTO_DELTAS w = DELTAS_INIT;
	AUTO_STRLIST later = NULL;
	AUTO_FREE char *start = NULL;
	char *end = NULL;

	for (char *const *id = p->turn->later; id != NULL && *id != NULL; id++)
		later = turn_wait_paths_add(later, p, *id);
	if (task_deltas(&w, p, m, err) < 0)
		return NULL;
	while (deltas_next(&w)) {
		edits_add(&before, w.d.from_mode, w.d.from, w.d.path);
		if (strlist_has(later, w.d.path))
			edits_add(&ended, w.d.to_mode, w.d.to, w.d.path);
	}
	start = place_change(p, p->tree, &before, err);
	if (start != NULL)
		end = place_change(p, p->tree, &ended, err);
	edits_release(&before);
	edits_release(&ended);
	if (end == NULL)
		return NULL;
	free(p->tree);
	p->tree = end;
	p->whole = false;
	return take_ptr(start);
}

/* Hashes paths and contents of the changes alone: other changes that HEAD gets meanwhile do not
 * matter. */
char *
wait_changes(const struct place *p, const char *tree)
{
	AUTO_DELTAS w = DELTAS_INIT;
	AUTO_BUF text = BUF_INIT;

	if (deltas_open(&w, p, p->base, tree, NULL) < 0)
		return NULL;
	while (deltas_next(&w))
		buf_addf(&text, "%s %s %s %s %s\n", w.d.from_mode, w.d.from, w.d.to_mode,
		    w.d.to, w.d.path);
	return xasprintf("%016" PRIx64, text_hash(text.data));
}

/* Somebody may have stashed the task's work, or switched branches.  Comparing with HEAD is
 * enough: this is asked when there is nothing to commit, so the work tree has no more of the
 * task's work than HEAD. */
bool
wait_is_away(const struct place *p, const struct mark *m)
{
	AUTO_FREE char *head = xasprintf("%s^{tree}", p->head != NULL ? p->head : m->commit);
	AUTO_FREE char *left = xasprintf("%s^{tree}", m->left);
	AUTO_DELTAS own = DELTAS_INIT;
	AUTO_DELTAS missing = DELTAS_INIT;

	if (task_deltas(&own, p, m, NULL) < 0 || deltas_open(&missing, p, head, left, NULL) < 0)
		return false;
	while (deltas_next(&own))
		if (deltas_reach(&missing, own.d.path))
			return true;
	return false;
}

bool
wait_is_behind(const struct place *p, const struct turn_result *r, struct buf *why)
{
	bool behind = false;

	for (char *const *id = p->turn->earlier;
	     id != NULL && *id != NULL && !behind && r->nleft > 0; id++) {
		AUTO_STRLIST paths = turn_wait_paths_add(NULL, p, *id);

		for (size_t i = 0; i < r->nleft && !behind; i++) {
			behind = strlist_has(paths, r->left[i].path);
			if (behind)
				buf_addf(why,
				    "%s, which changed %s before, has to be committed first",
				    *id, r->left[i].path);
		}
	}
	return behind;
}
