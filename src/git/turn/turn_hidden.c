/*
 * turn_hidden.c - files that git was told not to look at.
 *
 * Files that were marked before the task began are the user's, whatever the task does with
 * them.  Files that were marked later are treated as any other file: git looks at them through
 * a copy of the index without those marks, and the marks are removed when the task ends.
 * Otherwise the next task would take the marked files for the user's, and its changes to them
 * would be in no commit.
 */
#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "git/marks.h"

static void
users_add(const struct buf *paths, struct outside_list *out)
{
	for (const char *at = paths->data; at < paths->data + paths->len; at += strlen(at) + 1)
		outside_add(out, at, &(struct outside_path){.kind = OUTSIDE_HIDDEN});
}

int
hidden_note(struct place *p, struct err *err)
{
	struct marks m = MARKS_INIT;
	int rc = marks_find(&(struct marked){.dir = p->top, .git_dir = p->git_dir}, &m, err);

	if (rc == 0) {
		users_add(&m.assumed, &p->outside);
		users_add(&m.skipped, &p->outside);
		p->outside.hidden = true;
	}
	marks_release(&m);
	return rc;
}

bool
hidden_is_users(const struct outside_list *known, const char *path)
{
	const struct outside_path *one = outside_find(known, path);

	return one != NULL && one->kind == OUTSIDE_HIDDEN;
}

static void
users_drop(struct buf *paths, const struct outside_list *known)
{
	AUTO_BUF rest = BUF_INIT;

	for (const char *at = paths->data; at < paths->data + paths->len; at += strlen(at) + 1)
		if (!hidden_is_users(known, at))
			buf_add(&rest, at, strlen(at) + 1);
	buf_clear(paths);
	buf_add(paths, rest.data, rest.len);
}

int
hidden_copy(
    const struct place *p, const struct outside_list *known, const char *to, struct err *err)
{
	struct marked at = {.dir = p->top, .git_dir = p->git_dir, .index = to};
	struct marks m = MARKS_INIT;
	int rc = 0;

	/* An earlier version did not write down which marks are the user's. */
	if (known->hidden)
		rc = marks_find(&at, &m, err);
	users_drop(&m.assumed, known);
	users_drop(&m.skipped, known);
	if (rc == 0 && m.assumed.len + m.skipped.len > 0) {
		rc = index_copy(p, to, err);
		if (rc == 0)
			rc = marks_remove(&at, &m, err);
		rc = rc == 0 ? 1 : -1;
	}
	marks_release(&m);
	return rc;
}

void
hidden_unmark(const struct place *p, const struct outside_list *known)
{
	if (hidden_copy(p, known, p->follow, NULL) != 1 || index_lock(p, NULL) != 0)
		return;
	/* Makes the copy anew: now that we have the lock, nobody else marks anything. */
	if (hidden_copy(p, known, p->follow, NULL) == 1)
		(void)!index_replace(p, p->follow, NULL);
	index_unlock(p);
}
