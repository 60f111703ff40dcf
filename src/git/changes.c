#include "git/changes.h"

#include "base/alloc.h"
#include "git/git.h"
#include "git/inner.h"
#include "git/marks.h"
#include "git/repo.h"
#include "git/status.h"

void
changes_release(struct changes *c)
{
	free(c->first);
	free(c->hidden);
	free(c->foreign);
	free(c->underway);
	free(c->head);
	strlist_free(c->ignored);
	*c = (struct changes){0};
}

static void
changes_take_line(const struct changes_look *look, const struct status_line *l,
    char *const *marked, struct changes *c)
{
	if (l->kind == '?' && paths_hold(look->copied, l->path))
		return;
	c->count++;
	c->unmerged |= l->kind == 'u';
	if (c->first == NULL)
		c->first = xstrdup(l->path);
	if (c->hidden == NULL && strlist_has(marked, l->path))
		c->hidden = xstrdup(l->path);
	if (l->kind == '1' && *l->sub == 'S' && strncmp(l->sub, "S...", 4) != 0 &&
	    c->foreign == NULL)
		c->foreign = xstrdup(l->path);
}

static void
changes_take(const struct changes_look *look, const struct buf *status, char *const *marked,
    struct changes *c)
{
	const char *at = status->data;
	struct status_line l;

	while (status_next(&at, status, &l)) {
		const char *head = status_header(&l, "branch.oid");

		if (head != NULL)
			c->head = xstrdup(head);
		else if (l.kind == '!')
			c->ignored = strlist_add(c->ignored, l.path);
		else if (l.kind != '#')
			changes_take_line(look, &l, marked, c);
	}
}

int
changes_read(const struct changes_look *look, struct changes *c, struct err *err)
{
	AUTO_BUF status = BUF_INIT;
	const char *underway = status_underway(look->git_dir);
	AUTO_STRLIST marked = NULL;

	*c = (struct changes){0};
	/* A bisect has nothing that could be lost. */
	if (underway != NULL && strcmp(underway, "bisect") != 0)
		c->underway = xstrdup(underway);
	if (marks_clear(look->dir, look->git_dir, &marked, err) < 0 ||
	    inner_status(look->dir, NULL,
		ARGS("--no-ahead-behind", "--no-renames", "--untracked-files=normal",
		    look->ignored ? "--ignored=traditional" : "--ignored=no"),
		&status, err) < 0)
		return -1;
	changes_take(look, &status, marked, c);
	return 0;
}
