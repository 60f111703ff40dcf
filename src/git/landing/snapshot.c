#include "git/landing/parts.h"

#include "base/alloc.h"
#include "git/git.h"
#include "git/inner.h"
#include "git/stage.h"

/* Git's warning about a directory that git takes for a submodule nobody declared. */
#define NESTED "warning: adding embedded git repository: "

/* ":(exclude,glob)[\.]env": git refuses to add anything when a path that it ignores is named,
 * be it to leave it out; a pattern names none. */
static char **
add_exclusion(char **args, const char *path, const char *tail)
{
	AUTO_BUF spec = BUF_INIT;

	buf_addf(&spec, ":(exclude,glob)[\\%c]", path[0]);
	pattern_add(&spec, path + 1);
	buf_adds(&spec, tail);
	return strlist_add(args, spec.data);
}

/* The arguments that add everything but the files that we copied ourselves and the repositories
 * within.  Files that an agent wrote outside of the cone of a sparse checkout are work, too;
 * files that the cone leaves out do not exist, and git does not take them for removed. */
static char **
add_args(const struct site *s, char *const *inner)
{
	char **args = strlist_more(NULL, ARGS("add", "-A", "--sparse", "--", "."));

	for (char *const *c = s->note.copied; c != NULL && *c != NULL; c++)
		args = add_exclusion(add_exclusion(args, *c, ""), *c, "/**");
	/* To add the repositories within, git would look into them first. */
	for (; inner != NULL && *inner != NULL; inner++)
		args = add_exclusion(args, *inner, "");
	return args;
}

/* Adds each repository within by the number of its commit, which git finds without looking at
 * the files in it. */
static int
inner_fill(const struct site *s, const struct work *w, char *const *inner, struct err *err)
{
	const struct stage stage = {.dir = s->path, .index = w->index, .unsynced = true};
	AUTO_BUF paths = BUF_INIT;

	for (; inner != NULL && *inner != NULL; inner++)
		buf_add(&paths, *inner, strlen(*inner) + 1);
	return stage_paths(&stage, ARGS("--add", "--remove"), &paths, err);
}

static int
index_fill(const struct site *s, const struct work *w, char **nested, struct err *err)
{
	AUTO_STRLIST inner = NULL;
	int rc = inner_list(s->path, &inner, err);
	AUTO_STRLIST args = add_args(s, inner);
	const struct git_call add = {
	    .dir = s->path,
	    .what = "git add",
	    .args = (const char *const *)args,
	    .index = w->index,
	    .magic = true,
	    .unsynced = true,
	};
	AUTO_RUN result = RUN_INIT;
	const char *warning;

	if (rc < 0 || git_call(&add, &result, err) < 0)
		return -1;
	warning = strstr(result.err.data, NESTED);
	if (warning != NULL) {
		warning += strlen(NESTED);
		*nested = xstrndup(warning, strcspn(warning, "\n"));
	}
	return inner_fill(s, w, inner, err);
}

char *
snapshot_take(const struct site *s, struct work *w, char **nested, struct err *err)
{
	struct stage stage = {.dir = s->path, .unsynced = true};

	*nested = NULL;
	free(w->index);
	w->index = xasprintf("%s/ralph-index", w->git_dir);
	stage.index = w->index;
	stage_drop(w->index);
	/* Starts from the worktree's own index, so that git need not read every file again. */
	if (stage_copy(w->git_dir, "index", "ralph-index", err) < 0 ||
	    index_fill(s, w, nested, err) < 0)
		return NULL;
	return stage_write(&stage, err);
}
