#include "git/landing/parts.h"

#include "base/alloc.h"
#include "git/delta.h"
#include "git/git.h"
#include "git/inner.h"
#include "git/repo.h"
#include "git/stage.h"
#include "git/status.h"

/* Git's warning about a directory that git takes for a submodule nobody declared. */
#define NESTED "warning: adding embedded git repository: "

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

bool
path_is_copied(const struct step *s, const char *path)
{
	for (char *const *c = s->note.copied; c && *c; c++) {
		size_t len = strlen(*c);

		if (strncmp(path, *c, len) == 0 && (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

static void
landing_snapshot_line_take(
    const struct step *s, const struct status_line *l, char *const *marked, struct changes *c)
{
	if (l->kind == '?' && path_is_copied(s, l->path))
		return;
	c->count++;
	c->unmerged |= l->kind == 'u';
	if (!c->first)
		c->first = xstrdup(l->path);
	for (; marked && *marked && !c->hidden; marked++)
		c->hidden = strcmp(*marked, l->path) == 0 ? xstrdup(l->path) : NULL;
	if (l->kind == '1' && *l->sub == 'S' && strncmp(l->sub, "S...", 4) != 0 && !c->foreign)
		c->foreign = xstrdup(l->path);
}

static void
status_take(
    const struct step *s, const struct buf *status, char *const *marked, struct changes *c)
{
	const char *at = status->data;
	struct status_line l;

	while (status_next(&at, status, &l)) {
		const char *head = status_header(&l, "branch.oid");

		if (head)
			c->head = xstrdup(head);
		else if (l.kind == '!')
			c->ignored = strlist_add(c->ignored, l.path);
		else if (l.kind != '#')
			landing_snapshot_line_take(s, &l, marked, c);
	}
}

int
changes_read(const struct step *s, const struct work *w, struct changes *c, struct err *err)
{
	AUTO_BUF status = BUF_INIT;
	const char *underway = status_underway(w->git_dir);
	AUTO_STRLIST marked = NULL;
	int rc;

	*c = (struct changes){0};
	/* A bisect has nothing that could be lost. */
	if (underway && strcmp(underway, "bisect") != 0)
		c->underway = xstrdup(underway);
	rc = flags_clear(s, w, &marked, err);
	if (rc == 0)
		rc = inner_status(s->path, NULL,
		    ARGS("--no-ahead-behind", "--no-renames", "--untracked-files=normal",
			s->plan->ignored ? "--ignored=traditional" : "--ignored=no"),
		    &status, err);
	if (rc == 0)
		status_take(s, &status, marked, c);
	return rc;
}

/* ---- the tree of a worktree ------------------------------------------------------------- */

/* ":(exclude,glob)[\.]env": git refuses to add anything when a path that it ignores is named,
 * be it to leave it out; a pattern names none. */
static char **
add_exclusion(char **args, const char *path, const char *tail)
{
	AUTO_BUF spec = BUF_INIT;

	buf_addf(&spec, ":(exclude,glob)[\\%c]", path[0]);
	for (const char *p = path + 1; *p != '\0'; p++) {
		if (strchr("*?[\\", *p))
			buf_addc(&spec, '\\');
		buf_addc(&spec, *p);
	}
	buf_adds(&spec, tail);
	return strlist_add(args, spec.data);
}

/* The arguments that add everything but the files that we copied ourselves and the repositories
 * within.  Files that an agent wrote outside of the cone of a sparse checkout are work, too;
 * files that the cone leaves out do not exist, and git does not take them for removed. */
static char **
add_args(const struct step *s, char *const *inner)
{
	char **args = strlist_add(strlist_add(NULL, "add"), "-A");

	args = strlist_add(args, "--sparse");
	args = strlist_add(strlist_add(args, "--"), ".");
	for (char *const *c = s->note.copied; c && *c; c++)
		args = add_exclusion(add_exclusion(args, *c, ""), *c, "/**");
	/* To add the repositories within, git would look into them first. */
	for (; inner && *inner; inner++)
		args = add_exclusion(args, *inner, "");
	return args;
}

/* Adds each repository within by the number of its commit, which git finds without looking at
 * the files in it. */
static int
inner_fill(const struct step *s, const struct work *w, char *const *inner, struct err *err)
{
	const struct stage stage = {.dir = s->path, .index = w->index, .unsynced = true};
	AUTO_BUF paths = BUF_INIT;

	for (; inner && *inner; inner++)
		buf_add(&paths, *inner, strlen(*inner) + 1);
	return stage_paths(&stage, ARGS("--add", "--remove"), &paths, err);
}

static int
index_fill(const struct step *s, const struct work *w, char **nested, struct err *err)
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

	if (rc == 0)
		rc = git_call(&add, &result, err);
	warning = strstr(result.err.data, NESTED);
	if (rc == 0 && warning) {
		warning += strlen(NESTED);
		*nested = xstrndup(warning, strcspn(warning, "\n"));
	}
	if (rc == 0)
		rc = inner_fill(s, w, inner, err);
	return rc;
}

char *
snapshot_take(const struct step *s, struct work *w, char **nested, struct err *err)
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

/* ---- repositories within ---------------------------------------------------------------- */

/* Has the repository at that place a commit that no other has, as far as it knows?  `from`:
 * where git rev-list begins. */
static bool
repository_has_own(const char *dir, const char *from)
{
	AUTO_FREE char *git = xasprintf("%s/.git", dir);
	AUTO_FREE char *own = NULL;

	if (!path_is_there(git))
		return false;
	own = git_call_line(
	    &(struct git_call){
		.dir = dir,
		.what = "git rev-list",
		.args = ARGS("rev-list", "-1", from, "--not", "--remotes"),
		.within = true,
	    },
	    NULL);
	return !own || *own != '\0';
}

/* Finds a repository within that has commits besides the one the work names: a branch that
 * nobody is on, a stash. */
static char *
inner_find(const struct step *s)
{
	AUTO_STRLIST all = NULL;
	char *found = NULL;

	if (inner_all(s->path, &all, NULL) == 0)
		for (char **dir = all; dir && *dir && !found; dir++)
			if (repository_has_own(*dir, "--branches") ||
			    repository_has_own(*dir, "--glob=refs/stas[h]"))
				found = xstrdup(*dir + strlen(s->path) + 1);
	return found;
}

/* Finds a repository within that the work has changed and whose named commit is nowhere else.
 */
static char *
named_find(const struct step *s, const char *commit)
{
	const char *start = s->note.start ? s->note.start : s->base;
	AUTO_RUN raw = RUN_INIT;
	struct delta d;
	char *found = NULL;

	if (!start)
		return NULL;
	if (delta_read(s->plan->top, start, commit, NULL, &raw, NULL) == 0)
		for (const char *at = raw.out.data; !found && delta_next(&at, &raw, &d);) {
			AUTO_FREE char *dir = xasprintf("%s/%s", s->path, d.path);

			if (strcmp(d.to_mode, "160000") == 0 && repository_has_own(dir, d.to))
				found = xstrdup(d.path);
		}
	return found;
}

char *
gitlinks_find(const struct step *s, const char *commit)
{
	char *found = named_find(s, commit);

	return found ? found : inner_find(s);
}
