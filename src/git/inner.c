#include "git/inner.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/delta.h"
#include "git/git.h"
#include "git/index.h"
#include "git/repo.h"
#include "git/status.h"
#include "git/trust/trust_place.h"
#include <string.h>
#include <sys/stat.h>

#define DEPTH 16 /* repositories within repositories */
#define LINK "160000 "

/* ---- which there are ----------------------------------------------------------------- */

/* A link to a directory is no repository within: git does not follow it, either. */
static bool
is_populated(const char *dir, const char *path)
{
	AUTO_FREE char *whole = xasprintf("%s/%s", dir, path);
	AUTO_FREE char *git = xasprintf("%s/.git", whole);
	struct stat st;

	return lstat(whole, &st) == 0 && S_ISDIR(st.st_mode) && path_is_there(git);
}

/* Adds a path once: a path with conflicts has up to three entries in a row. */
static void
inner_path_add(char ***list, const char *path)
{
	size_t n = strlist_len(*list);

	if (n == 0 || strcmp((*list)[n - 1], path) != 0)
		*list = strlist_add(*list, path);
}

static bool
entry_take(const struct index_entry *e, void *list)
{
	if (e->link)
		inner_path_add(list, e->path);
	return false;
}

/* Asks git for the entries of the index: "MODE OBJECT STAGE\tPATH" each. */
static int
links_ask(const char *dir, char ***list, struct err *err)
{
	const struct git_call call = {
	    .dir = dir,
	    .what = "git ls-files",
	    .args = ARGS("ls-files", "--stage", "-z"),
	    .unguarded = true,
	};
	AUTO_RUN r = RUN_INIT;

	if (git_call(&call, &r, err) < 0)
		return -1;
	for (const char *at = NULL; (at = buf_next(&r.out, at)) != NULL;)
		if (strncmp(at, LINK, strlen(LINK)) == 0 && strchr(at, '\t') != NULL)
			inner_path_add(list, strchr(at, '\t') + 1);
	return 0;
}

static int
links_read(const char *dir, char ***list, struct err *err)
{
	AUTO_FREE char *git = trust_git_dir(dir);

	if (git == NULL || index_read(git, entry_take, list))
		return 0;
	strlist_free(take_ptr(*list));
	return links_ask(dir, list, err);
}

int
inner_list(const char *dir, char ***list, struct err *err)
{
	AUTO_STRLIST links = NULL;

	*list = NULL;
	if (links_read(dir, &links, err) < 0)
		return -1;
	for (char **path = links; path != NULL && *path != NULL; path++)
		if (is_populated(dir, *path))
			*list = strlist_add(*list, *path);
	return 0;
}

static int
all_add(const char *dir, int depth, char ***all, struct err *err)
{
	AUTO_STRLIST list = NULL;
	int rc = inner_list(dir, &list, err);

	for (char **path = list; rc == 0 && depth > 0 && path != NULL && *path != NULL;
	     path++) {
		AUTO_FREE char *whole = xasprintf("%s/%s", dir, *path);

		*all = strlist_add(*all, whole);
		rc = all_add(whole, depth - 1, all, err);
	}
	return rc;
}

int
inner_all(const char *dir, char ***list, struct err *err)
{
	*list = NULL;
	return all_add(dir, DEPTH, list, err);
}

/* ---- their state --------------------------------------------------------------------- */

/* The state of a work tree, as a status in format 2 tells it. */
struct state {
	bool changed, untracked;
};

static int status_at(const char *dir, const char *index, const char *const *options, int depth,
    struct buf *out, struct err *err) NODISCARD;

static void
state_add(const struct buf *status, struct state *s)
{
	const char *at = status->data;
	struct status_line l;

	while (status_next(&at, status, &l)) {
		/* Git reports a submodule within by changes of the same kinds. */
		s->changed |= l.kind == '1' || l.kind == 'u';
		s->untracked |= l.kind == '?';
	}
}

/* When git fails (the repository is broken, or a filter in it is not trusted), the repository
 * counts as changed: it may hold work, and nothing else depends on it.  -1: git could not be
 * run. */
static int
inner_state_read(const char *dir, int depth, struct state *s, struct err *err)
{
	const char *const *options = ARGS(
	    "--no-renames", "--untracked-files=normal", "--ignored=no", "--no-ahead-behind");
	struct err why = ERR_INIT;
	AUTO_BUF status = BUF_INIT;

	*s = (struct state){.changed = depth == 0};
	if (depth == 0 || status_at(dir, NULL, options, depth - 1, &status, &why) == 0) {
		state_add(&status, s);
		return 0;
	}
	s->changed = true;
	return why.code != 0 ? err_pass(err, &why) : 0;
}

/* The submodule field in the line of a path that git itself found changed, staged or at another
 * commit; NULL: no such line. */
static char *
sub_find(struct buf *status, const char *path)
{
	const char *at = status->data;
	struct status_line l;

	while (status_next(&at, status, &l))
		if ((l.kind == '1' || l.kind == 'u') && strcmp(l.path, path) == 0)
			return status->data + (l.sub - status->data);
	return NULL;
}

static void
state_put(struct buf *status, const char *path, const struct state *s)
{
	static const char none[] = "0000000000000000000000000000000000000000";
	char *sub = sub_find(status, path);

	if (!s->changed && !s->untracked)
		return;
	if (sub == NULL) {
		buf_addf(status, "1 .M S.%c%c 160000 160000 160000 %s %s %s",
		    s->changed ? 'M' : '.', s->untracked ? 'U' : '.', none, none, path);
		buf_addc(status, '\0');
	} else if (*sub == 'S') {
		sub[2] = s->changed ? 'M' : sub[2];
		sub[3] = s->untracked ? 'U' : sub[3];
	}
}

static int
status_at(const char *dir, const char *index, const char *const *options, int depth,
    struct buf *out, struct err *err)
{
	/* Format 2 is used, since format 1 has no field for the state of submodules. */
	const struct git_call call = {
	    .dir = dir,
	    .what = "git status",
	    .args =
		ARGS("status", "--porcelain=v2", "--branch", "-z", "--ignore-submodules=dirty"),
	    .more = options,
	    .index = index,
	    .within = depth < DEPTH,
	};
	AUTO_RUN r = RUN_INIT;
	AUTO_STRLIST list = NULL;
	int rc = git_call(&call, &r, err);

	buf_add(out, r.out.data, r.out.len);
	if (rc == 0)
		rc = inner_list(dir, &list, err);
	for (char **path = list; rc == 0 && path != NULL && *path != NULL; path++) {
		AUTO_FREE char *whole = xasprintf("%s/%s", dir, *path);
		struct state s;

		rc = inner_state_read(whole, depth, &s, err);
		if (rc == 0)
			state_put(out, *path, &s);
	}
	return rc;
}

int
inner_status(const char *dir, const char *index, const char *const *options, struct buf *out,
    struct err *err)
{
	return status_at(dir, index, options, DEPTH, out, err);
}

/* ---- their commits ------------------------------------------------------------------- */

/* Does the repository at dir have a commit that no remote repository has, as far as it knows?
 * `from`: an argument of git rev-list, which names the commits to begin with. */
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
	return own == NULL || *own != '\0';
}

/* Finds a repository within that has commits besides the one the work names: a branch that
 * nobody is on, a stash. */
static char *
stashed_find(const char *around)
{
	AUTO_STRLIST all = NULL;

	if (inner_all(around, &all, NULL) < 0)
		return NULL;
	for (char **dir = all; dir != NULL && *dir != NULL; dir++)
		if (repository_has_own(*dir, "--branches") ||
		    repository_has_own(*dir, "--glob=refs/stas[h]"))
			return xstrdup(*dir + strlen(around) + 1);
	return NULL;
}

/* Finds a repository within that the work has changed and whose named commit is nowhere
 * else. */
static char *
named_find(const struct inner_work *w)
{
	AUTO_RUN raw = RUN_INIT;
	struct delta d;

	if (w->start == NULL || delta_read(w->top, w->start, w->commit, NULL, &raw, NULL) < 0)
		return NULL;
	for (const char *at = raw.out.data; delta_next(&at, &raw, &d);) {
		AUTO_FREE char *dir = xasprintf("%s/%s", w->dir, d.path);

		if (strcmp(d.to_mode, "160000") == 0 && repository_has_own(dir, d.to))
			return xstrdup(d.path);
	}
	return NULL;
}

char *
inner_unpushed(const struct inner_work *w)
{
	char *found = named_find(w);

	return found != NULL ? found : stashed_find(w->dir);
}

bool
inner_has_unpushed(const struct inner_work *w, struct err *err)
{
	AUTO_FREE char *path = inner_unpushed(w);
	AUTO_BUF shown = BUF_INIT;

	if (path == NULL)
		return false;
	text_quote(&shown, path);
	err_set(err,
	    "the repository %s in %s has commits that are nowhere else: push them first",
	    shown.data, w->dir);
	return true;
}
