#include "git/landing/landing.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/repo.h"
#include "git/status.h"
#include <inttypes.h>

#define FILES_SHOWN 5

/* Ignores changes to paths that the plan drops: they are in nobody's way. */
static int64_t
changes_list(const struct land_plan *plan, const struct buf *status, struct buf *names)
{
	const char *at = status->data;
	struct status_line l;
	int64_t n = 0;

	while (status_next(&at, status, &l))
		if (!paths_hold(plan->drop, l.path) && n++ < FILES_SHOWN) {
			buf_adds(names, names->len > 0 ? ", " : "");
			text_show(names, l.path, strlen(l.path), false);
		}
	if (n > FILES_SHOWN)
		buf_addf(names, " and %" PRId64 " more", n - FILES_SHOWN);
	return n;
}

static char *
tree_tell(const struct land_plan *plan, const char *path)
{
	AUTO_BUF names = BUF_INIT;
	AUTO_BUF where = BUF_INIT;
	AUTO_RUN status = RUN_INIT;
	int64_t n = 0;

	if (git_run(path, "git status",
		ARGS("status", "--porcelain=v2", "-z", "--untracked-files=no",
		    "--ignore-submodules=all"),
		&status, NULL) == 0)
		n = changes_list(plan, &status.out, &names);
	if (n == 0)
		return NULL;
	text_show(&where, path, strlen(path), false);
	return xasprintf("%" PRId64 " file%s in %s %s changes (%s): merges that touch %s wait "
			 "until %s committed or stashed",
	    n, n == 1 ? "" : "s", where.data, n == 1 ? "has" : "have", names.data,
	    n == 1 ? "it" : "them", n == 1 ? "it is" : "they are");
}

char *
land_dirty(const struct land_plan *plan)
{
	char *text = NULL;
	const char *at;
	struct site s;
	struct listed_tree e;

	if (site_open(&s, plan, NULL, NULL) == 0 && site_trees(&s, NULL) == 0)
		for (at = s.trees.out.data; text == NULL && trees_next(&at, &s.trees, &e);)
			if (text_same(e.branch, s.target) && !e.missing)
				text = tree_tell(plan, e.path);
	site_close(&s);
	return text;
}
