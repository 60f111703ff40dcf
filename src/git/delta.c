#include "git/delta.h"

#include "base/alloc.h"
#include "git/git.h"
#include <stdio.h>

int
delta_read(const char *dir, const char *from, const char *to, char *const *paths,
    struct run_result *result, struct err *err)
{
	/* Overrides settings of the repository that could hide repositories within. */
	const struct git_call call = {
	    .dir = dir,
	    .what = to != NULL ? "git diff-tree" : "git diff-index",
	    .args = to != NULL ? ARGS("diff-tree", "-r", "--raw", "-z", "--no-renames",
				     "--ignore-submodules=none", from, to, "--")
			       : ARGS("diff-index", "--cached", "--raw", "-z", "--no-renames",
				     "--ignore-submodules=none", from, "--"),
	    .more = (const char *const *)paths,
	};

	return git_call(&call, result, err);
}

/* ":100644 100755 <object> <object> M\0path\0" */
bool
delta_next(const char **at, const struct run_result *result, struct delta *d)
{
	const char *end = result->out.data + result->out.len;

	if (*at >= end || sscanf(*at, ":%6s %6s %64s %64s %c", d->from_mode, d->to_mode,
			      d->from, d->to, &d->kind) != 5)
		return false;
	d->path = *at + strlen(*at) + 1;
	if (d->path >= end)
		return false;
	*at = d->path + strlen(d->path) + 1;
	return true;
}

bool
delta_is_gone(const char *mode)
{
	return strcmp(mode, "000000") == 0;
}
