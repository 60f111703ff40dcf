/*
 * worktree.c - ralph graph worktree: a work tree of its own for every loop.
 */
#include "cmd/graph/graph.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "git/git.h"
#include "git/worktree.h"

struct worktree_options {
	bool force;
};

#define OPTIONS struct worktree_options
static const struct opt worktree_opts[] = {
    ROW_FLAG("force", force,
	"remove: take the worktree away also when work would be lost, or while a task is in "
	"progress there"),
};

#define AUTO_WORKTREE __attribute__((cleanup(worktree_release))) struct worktree

static int
worktree_fail(const struct err *err)
{
	error("%s", err->text);
	return EX_FAILED;
}

/* Fills in ../REPO-NAME, on the branch feature/NAME. */
static int
worktree_named(const char *name, struct worktree *w, struct err *err)
{
	AUTO_FREE char *parent = NULL;

	if (!name_is_valid(name))
		return err_set(err, "that cannot be a name: letters, digits, '-', '_' and '.'");
	if (worktree_repo(".", &w->repo, err) < 0)
		return -1;
	parent = fs_parent(w->repo);
	w->path = xasprintf("%s/%s-%s", parent, basename(w->repo), name);
	w->branch = xasprintf("feature/%s", name);
	return 0;
}

/* ---- new ----------------------------------------------------------------------------- */

/* A worktree has only committed files: a graph that is not committed is missing there. */
static void
warn_of_no_graph(const struct worktree *made)
{
	struct graph_place p;
	AUTO_FREE char *below = NULL;
	AUTO_FREE char *file = NULL;
	AUTO_FREE char *committed = NULL;
	AUTO_BUF text = BUF_INIT;

	if (graph_place_open(&p, ".", NULL) < 0)
		return;
	below = git_line(p.root, "git rev-parse", ARGS("rev-parse", "--show-prefix"), NULL);
	file = xasprintf("%s/%s" GRAPH_FILE, made->path, below == NULL ? "" : below);
	committed = xasprintf("HEAD:%s" GRAPH_FILE, below == NULL ? "" : below);
	if (access(file, F_OK) < 0) {
		text_addf(&text,
		    "there is no " GRAPH_FILE " in it, since its branch has none; in %s type: "
		    "%sgit -C '%s' merge \"$(git rev-parse HEAD)\"",
		    p.root,
		    git_yes(p.root, ARGS("cat-file", "-e", committed))
			? ""
			: "git add " GRAPH_FILE " && git commit -m 'Add the task graph' && ",
		    made->path);
		warning("%s", text.data);
	}
	graph_place_close(&p);
}

static int
graph_worktree_make(const char *name)
{
	AUTO_WORKTREE wanted = {.path = NULL}, made = {.path = NULL};
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;

	if (worktree_named(name, &wanted, &err) < 0 ||
	    worktree_create(".", basename(wanted.path), wanted.branch, ".", &made, &err) < 0)
		return worktree_fail(&err);
	buf_addf(&out, "%s %s on branch %s\n", made.made ? "made" : "there is already",
	    made.path, made.branch);
	cmd_print(&out);
	warn_of_no_graph(&made);
	return EX_OK;
}

/* ---- list ---------------------------------------------------------------------------- */

/* Adds the tasks that are in progress in that work tree. */
static void
graph_worktree_add_tasks(const struct claims *claims, const char *path, struct buf *out)
{
	bool said = false;

	for (size_t i = 0; i < claims_count(claims); i++) {
		const struct claim *c = claims_at(claims, i);

		if (c->state == CLAIM_COMPLETE || strcmp(c->worktree, path) != 0)
			continue;
		text_addf(out, "%s%s", said ? ", " : "  in progress: ", c->task);
		said = true;
	}
}

/* Adds one entry of git's list: lines up to an empty one.  Returns what follows. */
static const char *
worktree_add(const char *p, bool first, const struct claims *claims, struct buf *out)
{
	const char *path = p + strlen("worktree "), *branch = "(detached)";
	bool missing = false;

	for (; *p != '\0'; p += strlen(p) + 1) {
		if (strncmp(p, "branch refs/heads/", 18) == 0)
			branch = p + 18;
		missing = missing || strncmp(p, "prunable", 8) == 0;
	}
	text_addf(out, "%s  %s%s", path, branch,
	    first     ? "  (main)"
	    : missing ? "  (its directory is gone)"
		      : "");
	graph_worktree_add_tasks(claims, path, out);
	buf_addc(out, '\n');
	return p + 1;
}

static int
graph_worktree_list(const struct graph_place *p)
{
	AUTO_RUN r = RUN_INIT;
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;

	if (claims_read(p->claims, &err) < 0 ||
	    git_run(p->root, "git worktree list", ARGS("worktree", "list", "--porcelain", "-z"),
		&r, &err) < 0)
		return worktree_fail(&err);
	for (const char *at = r.out.data; at < r.out.data + r.out.len;)
		at = worktree_add(at, at == r.out.data, p->claims, &out);
	cmd_print(&out);
	return EX_OK;
}

/* ---- remove -------------------------------------------------------------------------- */

/* Finds a task that somebody works on there, whose owner has not died and that has not failed;
 * NULL: none. */
static const struct claim *
in_progress(const struct claims *claims, const char *path)
{
	for (size_t i = 0; i < claims_count(claims); i++) {
		const struct claim *c = claims_at(claims, i);

		if (c->state == CLAIM_HELD && !claim_is_void(c) &&
		    strcmp(c->worktree, path) == 0)
			return c;
	}
	return NULL;
}

static void
say_removed(const struct worktree *w, const char *ignored, struct buf *out)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);

	buf_addf(out, "removed %s", w->path);
	if (ignored != NULL)
		buf_addf(out, ", with what git ignores: %s", ignored);
	if (git_yes(w->repo, ARGS("show-ref", "--verify", "--quiet", ref)))
		buf_addf(out, "; the branch %s has commits that are nowhere else, and stays",
		    w->branch);
	buf_addc(out, '\n');
}

static int
graph_worktree_forget(const struct graph_place *p, const char *name, bool force)
{
	AUTO_WORKTREE w = {.path = NULL};
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;
	AUTO_FREE char *ignored = NULL;
	const struct claim *c;
	int rc = worktree_named(name, &w, &err);

	if (rc == 0)
		rc = claims_read(p->claims, &err);
	c = rc == 0 && !force ? in_progress(p->claims, w.path) : NULL;
	if (c != NULL)
		rc = err_set(&err,
		    "%s is in progress in %s; complete or reset it first, or use --force",
		    c->task, w.path);
	else if (rc == 0 && access(w.path, F_OK) < 0)
		rc = err_set(&err, "there is no worktree %s", w.path);
	if (rc < 0)
		return worktree_fail(&err);
	ignored = worktree_ignored(&w);
	if (worktree_remove(&w, force, &err) < 0)
		return worktree_fail(&err);
	say_removed(&w, ignored, &out);
	cmd_print(&out);
	return EX_OK;
}

static int
run(const struct cmd_args *args)
{
	const struct worktree_options *o = args->opts;
	const char *verb = args->operands.args[0];
	const char *name = args->operands.nargs > 1 ? args->operands.args[1] : NULL;
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	int rc;

	if ((strcmp(verb, "list") == 0) != (name == NULL) ||
	    (strcmp(verb, "new") != 0 && strcmp(verb, "list") != 0 &&
		strcmp(verb, "remove") != 0)) {
		error("it is: new NAME, list, or remove NAME");
		return EX_USAGE;
	}
	if (strcmp(verb, "new") == 0)
		return graph_worktree_make(name);
	rc = graph_session_open(&s, args);
	if (rc != EX_OK)
		return rc;
	return name == NULL ? graph_worktree_list(&s.place)
			    : graph_worktree_forget(&s.place, name, o->force);
}

const struct cmd cmd_graph_worktree = {
    .name = "graph worktree",
    .usage = "new NAME | list | remove NAME [--force]",
    .summary = "Make, list and remove work trees for loops",
    .about =
	"new makes ../REPO-NAME on the branch feature/NAME; a branch that is there already is "
	"used as it is. It has what is committed: commit the graph first. list shows all work "
	"trees of the repository and what is in progress "
	"in them. remove refuses while a task is in progress there, and when something "
	"would be lost: uncommitted changes, also in files that git was told to overlook, and "
	"commits of a submodule that are nowhere else. What git ignores goes, and how much it "
	"is, is said. The branch is deleted only when all of its commits are on another one.",
    .examples = "  ralph graph worktree new parser\n"
		"  ralph graph worktree list\n"
		"  ralph graph worktree remove parser\n",
    CMD_OPTIONS(worktree_opts),
    .min_args = 1,
    .max_args = 2,
    .run = run,
};
