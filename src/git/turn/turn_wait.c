/*
 * turn_wait.c - a task that is done and waits for its commit.
 *
 * Others have worked since the task's end: a person, who mended what the hook had refused, and
 * later tasks, some of which wait, too.  So the task's part is the set of paths that it
 * changed, and each path is committed as it is now.  Only a path that a later waiting task has
 * changed on top is committed as it was at the end of this task: the later task's commit has
 * the rest.
 */
#include "git/turn/turns.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include <fcntl.h>
#include <inttypes.h>

/* ------------------------------------------------------------ who waits */

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
	char **names = NULL;

	*out = (struct turns_waiting){NULL, 0};
	if (fs_list(AT_FDCWD, dir, &names, NULL) < 0)
		return;
	for (char **name = names; *name; name++) {
		AUTO_FREE char *file = xasprintf("%s/%s", dir, *name);
		struct mark m;

		if (mark_load(&(struct turn){.task = *name, .file = file}, &m, NULL) == 0 &&
		    m.waits) {
			struct turn_waiting one = {.task = xstrdup(*name), .since = m.since};

			one.about = take_ptr(m.about);
			one.summary = take_ptr(m.summary);
			one.why = take_ptr(m.waits);
			out->list = xreallocarray(out->list, out->n + 1, sizeof(*out->list));
			out->list[out->n++] = one;
		}
		mark_release(&m);
	}
	strlist_free(names);
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

/* ------------------------------------------------------------ what it did */

static int
turn_wait_changes_read(
    const struct place *p, const struct mark *m, struct run_result *out, struct err *err)
{
	AUTO_FREE char *start = xasprintf("%s^{tree}", m->commit);
	AUTO_FREE char *left = xasprintf("%s^{tree}", m->left);

	return deltas_read(p, start, left, out, err);
}

/* Adds the paths that another task has changed to the list. */
static char **
turn_wait_paths_add(char **paths, const struct place *p, const char *task)
{
	AUTO_FREE char *file = beside(p->turn->file, task);
	AUTO_RUN deltas = RUN_INIT;
	struct mark m;
	struct delta d;

	if (mark_load(&(struct turn){.task = task, .file = file}, &m, NULL) == 0 && m.left &&
	    turn_wait_changes_read(p, &m, &deltas, NULL) == 0)
		for (const char *at = deltas.out.data; delta_next(&at, &deltas, &d);)
			paths = strlist_add(paths, d.path);
	mark_release(&m);
	return paths;
}

char *
wait_find(struct place *p, const struct mark *m, struct err *err)
{
	struct edits before = EDITS_INIT, ended = EDITS_INIT;
	struct stage stage = place_stage(p);
	AUTO_RUN deltas = RUN_INIT;
	struct delta d;
	char **later = NULL;
	char *start = NULL, *end = NULL;

	for (char *const *id = p->turn->later; id && *id; id++)
		later = turn_wait_paths_add(later, p, *id);
	if (turn_wait_changes_read(p, m, &deltas, err) == 0) {
		for (const char *at = deltas.out.data; delta_next(&at, &deltas, &d);) {
			edits_add(&before, d.from_mode, d.from, d.path);
			if (strlist_has(later, d.path))
				edits_add(&ended, d.to_mode, d.to, d.path);
		}
		start = stage_change(&stage, p->tree, &before, err);
		if (start)
			end = stage_change(&stage, p->tree, &ended, err);
	}
	strlist_free(later);
	edits_release(&before);
	edits_release(&ended);
	if (!end) {
		free(start);
		return NULL;
	}
	free(p->tree);
	p->tree = end;
	return start;
}

/* Hashes paths and contents of the changes alone: other changes that HEAD gets meanwhile do not
 * matter. */
char *
wait_changes(const struct place *p, const char *tree)
{
	AUTO_RUN deltas = RUN_INIT;
	AUTO_BUF text = BUF_INIT;
	struct delta d;
	int rc = deltas_read(p, p->base, tree, &deltas, NULL);

	for (const char *at = deltas.out.data; rc == 0 && delta_next(&at, &deltas, &d);)
		buf_addf(
		    &text, "%s %s %s %s %s\n", d.from_mode, d.from, d.to_mode, d.to, d.path);
	return rc == 0 ? xasprintf("%016" PRIx64, text_hash(text.data)) : NULL;
}

/* Somebody may have stashed the task's work, or switched branches.  Only HEAD is compared: when
 * there is nothing to commit, the work tree has no more of the task's work than HEAD. */
bool
wait_is_away(const struct place *p, const struct mark *m)
{
	AUTO_FREE char *head = xasprintf("%s^{tree}", p->head ? p->head : m->commit);
	AUTO_FREE char *left = xasprintf("%s^{tree}", m->left);
	AUTO_RUN own = RUN_INIT, rest = RUN_INIT;
	struct delta d;
	AUTO_STRLIST missing = NULL;
	bool away = false;

	if (turn_wait_changes_read(p, m, &own, NULL) == 0 &&
	    deltas_read(p, head, left, &rest, NULL) == 0) {
		for (const char *at = rest.out.data; delta_next(&at, &rest, &d);)
			missing = strlist_add(missing, d.path);
		for (const char *at = own.out.data; !away && delta_next(&at, &own, &d);)
			away = strlist_has(missing, d.path);
	}
	return away;
}

bool
wait_is_behind(const struct place *p, const struct turn_result *r, struct buf *why)
{
	bool behind = false;

	for (char *const *id = p->turn->earlier; id && *id && !behind && r->nleft > 0; id++) {
		char **paths = turn_wait_paths_add(NULL, p, *id);

		for (size_t i = 0; i < r->nleft && !behind; i++) {
			behind = strlist_has(paths, r->left[i].path);
			if (behind)
				buf_addf(why,
				    "%s, which changed %s before, has to be committed first",
				    *id, r->left[i].path);
		}
		strlist_free(paths);
	}
	return behind;
}
