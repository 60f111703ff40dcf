/*
 * turn_place.c - where a turn happens: the checkout, its repository, and files of ours in
 * there.
 *
 * As a rule one process tells all of it: where the work tree and its git directories are, and
 * the trees of HEAD and of the turn's start.  When git has no answer to one of these (there is
 * no repository, or no commit yet; the start is gone), or when a path has a line end, git is
 * asked one question after the other.
 */
#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/object.h"
#include "git/refs.h"
#include "git/repo.h"
#include "git/trust/trust_place.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

/* Instead of a branch's name, as no branch has a space in its name. */
#define TURN_LOCK "a turn"
#define BRANCHES "refs/heads/"

/* ---- finding it ---------------------------------------------------------------------- */

/* The lines of git's answer, in the order of the questions. */
enum { IS_INSIDE, GIT_DIR, TOP, COMMON, PREFIX, HEAD, HEAD_TREE, START_TREE, LINES };

/* Cuts the text into its lines; false: there are more, or less. */
static bool
lines_cut(char *text, char **lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end = strchr(text, '\n');

		if (end == NULL)
			return false;
		*end = '\0';
		lines[i] = text;
		text = end + 1;
	}
	return *text == '\0';
}

/* Is no `.git` nearer to the root than the one that git uses?  Git passes by those that it
 * cannot use; repo_search refuses them. */
static bool
is_nearest(char *const *lines)
{
	AUTO_FREE char *own = xasprintf("%s/.git", lines[TOP]);
	AUTO_FREE char *real = realpath(own, NULL);
	struct stat st;

	for (const char *at = lines[PREFIX]; (at = strchr(at, '/')) != NULL; at++) {
		AUTO_FREE char *inner = xasprintf(
		    "%s/%.*s/.git", lines[TOP], (int)(at - lines[PREFIX]), lines[PREFIX]);

		if (path_is_there(inner))
			return false;
	}
	return text_same(real, lines[GIT_DIR]) ||
	       (real != NULL && stat(real, &st) == 0 && S_ISREG(st.st_mode));
}

static void
tree_keep(struct seen_tree *t, const char *commit, const char *tree)
{
	xstrset(&t->commit, commit);
	xstrset(&t->tree, tree);
}

/* Asks everything at once; false: git has to be asked otherwise, or there is no such place. */
static bool
place_ask(struct place *p, const char *start)
{
	AUTO_FREE char *there = trust_git_dir(p->turn->root);
	AUTO_FREE char *tree = start != NULL ? xasprintf("%s^{tree}", start) : NULL;
	char *lines[LINES];
	AUTO_RUN r = RUN_INIT;

	if (there == NULL || (start != NULL && !object_is_name(start)))
		return false;
	if (git_run(p->turn->root, "git rev-parse",
		ARGS("rev-parse", "--path-format=absolute", "--is-inside-work-tree",
		    "--absolute-git-dir", "--show-toplevel", "--git-common-dir",
		    "--show-prefix", "HEAD", "HEAD^{tree}", tree),
		&r, NULL) < 0 ||
	    !lines_cut(r.out.data, lines, start != NULL ? LINES : START_TREE) ||
	    strcmp(lines[IS_INSIDE], "true") != 0 || !object_is_name(lines[HEAD]) ||
	    !is_nearest(lines))
		return false;
	p->git_dir = xstrdup(lines[GIT_DIR]);
	p->top = xstrdup(lines[TOP]);
	p->common = xstrdup(lines[COMMON]);
	p->prefix = xstrdup(lines[PREFIX]);
	tree_keep(&p->seen[0], lines[HEAD], lines[HEAD_TREE]);
	if (start != NULL)
		tree_keep(&p->seen[1], start, lines[START_TREE]);
	return true;
}

/* Asks one question after the other. */
static int
place_search(struct place *p, struct err *err)
{
	const char *root = p->turn->root;
	int there = repo_search(root, err);

	p->none = there == 0;
	if (there <= 0)
		return there;
	p->top = repo_top(root, err);
	if (p->top != NULL)
		p->prefix =
		    git_line(root, "git rev-parse", ARGS("rev-parse", "--show-prefix"), err);
	if (p->prefix != NULL)
		p->git_dir = git_line(root, "git rev-parse",
		    ARGS("rev-parse", "--path-format=absolute", "--git-dir"), err);
	if (p->git_dir != NULL)
		p->common = repo_common(p->top, err);
	return p->common != NULL ? 0 : -1;
}

/* Finds the place by its files, without git; false: they do not say for sure. */
static bool
place_guess(struct place *p)
{
	AUTO_FREE char *own = NULL;

	p->top = trust_tree(p->turn->root);
	p->git_dir = trust_git_dir(p->turn->root);
	p->common = p->git_dir != NULL ? trust_place(p->turn->root, NULL) : NULL;
	own = p->top != NULL && p->common != NULL ? tree_git_dir(p->top, p->common) : NULL;
	return text_same(own, p->git_dir);
}

/* ---- opening it ---------------------------------------------------------------------- */

/* Removes files that a killed process left; the caller has the lock, so nobody else uses
 * them. */
static void
files_remove(const struct place *p)
{
	index_lock_sweep(p);
	stage_drop(p->index);
	stage_drop(p->follow);
	(void)!fs_unlink(AT_FDCWD, p->message, NULL);
}

/* Takes the turn of the place, and removes what is left of a turn that was killed. */
static int
place_enter(struct place *p, struct err *err)
{
	AUTO_CLOSE int dir = -1;

	p->ref = xasprintf(
	    "refs/ralph/turn/%s-%08" PRIx32, p->turn->task, (uint32_t)text_hash(p->turn->file));
	p->index = xasprintf("%s/ralph-turn-index", p->git_dir);
	p->message = xasprintf("%s/ralph-turn-message", p->git_dir);
	p->follow = xasprintf("%s/ralph-turn-follow", p->git_dir);
	p->lock = repo_turn(p->git_dir, TURN_LOCK, err);
	if (p->lock < 0)
		return -1;
	files_remove(p);
	refs_sweep(p->common);
	dir = fs_open_dir(AT_FDCWD, p->git_dir, NULL);
	if (dir >= 0)
		(void)!fs_sweep(dir, NULL);
	return 0;
}

static int
place_begin(struct place *p, const struct turn_spec *t, struct err *err)
{
	*p = (struct place){.turn = t, .lock = -1};
	return name_is_valid(t->task) && *t->file == '/'
		   ? 0
		   : err_set(err, "%s cannot be committed: its name will not do", t->task);
}

int
place_open(struct place *p, const struct turn_spec *t, const char *start, struct err *err)
{
	if (place_begin(p, t, err) < 0 || (!place_ask(p, start) && place_search(p, err) < 0))
		return -1;
	return p->none ? 0 : place_enter(p, err);
}

int
place_open_known(struct place *p, const struct turn_spec *t, struct err *err)
{
	if (place_begin(p, t, err) < 0)
		return -1;
	if (place_guess(p))
		return place_enter(p, err);
	place_close(p);
	return place_open(p, t, NULL, err);
}

void
place_forget(struct place *p)
{
	free(take_ptr(p->head));
	free(take_ptr(p->base));
	free(take_ptr(p->tree));
	free(take_ptr(p->busy));
	free(take_ptr(p->index_was));
	outside_release(&p->outside);
	outside_release(&p->before);
	p->whole = false;
	p->apart = false;
}

void
place_close(struct place *p)
{
	place_forget(p);
	if (p->lock >= 0)
		files_remove(p);
	lock_release(&p->lock);
	for (size_t i = 0; i < ARRAY_LEN(p->seen); i++) {
		free(p->seen[i].commit);
		free(p->seen[i].tree);
	}
	free(p->top);
	free(p->prefix);
	free(p->common);
	free(p->git_dir);
	free(p->ref);
	free(p->index);
	free(p->message);
	free(p->follow);
}

/* ---- questions ----------------------------------------------------------------------- */

/* Is the path `dir`, or is it below `dir`? */
static bool
path_is_in(const char *path, const char *dir, size_t len)
{
	while (len > 0 && dir[len - 1] == '/')
		len--;
	return strncmp(path, dir, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

bool
place_excepts(const struct place *p, const char *path)
{
	size_t len = strlen(p->prefix);
	size_t top = strlen(p->top);
	bool below = strncmp(path, p->prefix, len) == 0;

	for (char *const *e = p->turn->except; e != NULL && *e != NULL; e++) {
		const char *absolute =
		    strncmp(*e, p->top, top) == 0 && (*e)[top] == '/' ? *e + top + 1 : NULL;

		if (absolute != NULL ? path_is_in(path, absolute, strlen(absolute))
				     : below && path_is_in(path + len, *e, strlen(*e)))
			return true;
	}
	return false;
}

char *
place_commit(const struct place *p, const char *tree, const char *parent, const char *message,
    struct err *err)
{
	return object_commit(
	    &(struct object_commit){
		.dir = p->top,
		.tree = tree,
		.parents = (const char *const[]){parent, NULL},
		.message = message,
		.by = OBJECT_BY_RALPH,
		.later = true,
	    },
	    err);
}

struct stage
place_stage(const struct place *p)
{
	return (struct stage){.dir = p->top, .index = p->index, .later = true};
}

char *
place_change(struct place *p, const char *tree, const struct edits *e, struct err *err)
{
	const struct stage stage = place_stage(p);

	p->whole = p->whole && edits_is_empty(e);
	return stage_change(&stage, tree, e, err);
}

char *
place_tree(const struct place *p, const char *commit, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(p->seen); i++)
		if (text_same(p->seen[i].commit, commit))
			return xstrdup(p->seen[i].tree);
	return object_tree(p->top, commit, err);
}

/* ---- the branch ---------------------------------------------------------------------- */

char *
turn_branch(const char *root)
{
	AUTO_FREE char *git_dir = trust_git_dir(root);
	AUTO_FREE char *common = git_dir != NULL ? trust_place(root, NULL) : NULL;
	AUTO_FREE char *ref =
	    common != NULL && refs_are_files(common) ? head_target(git_dir) : NULL;

	if (ref != NULL && strncmp(ref, BRANCHES, strlen(BRANCHES)) == 0)
		return xstrdup(ref + strlen(BRANCHES));
	return git_line(
	    root, "git symbolic-ref", ARGS("symbolic-ref", "-q", "--short", "HEAD"), NULL);
}

bool
turn_is_detached(const char *root)
{
	return git_yes(root, ARGS("rev-parse", "-q", "--verify", "HEAD")) &&
	       !git_yes(root, ARGS("symbolic-ref", "-q", "HEAD"));
}
