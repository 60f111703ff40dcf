#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/inner.h"
#include "git/object.h"
#include "git/status.h"
#include <sys/stat.h>

/* Files of the user's that are bigger than this, or bigger in all, are not copied into the
 * repository: such files are data, as a rule, that nobody works on. */
#define BIG_BYTES ((off_t)32 << 20)
#define ALL_BYTES ((off_t)256 << 20)
/* So many changes of the user's are remembered, each by its times. */
#define BEFORE_MAX 2000
/* A file that was written so lately may be written again and keep its times: they move on with
 * the kernel's ticks, or, where they are whole seconds, after one or two of these. */
#define LATELY (100 * NSEC_PER_MSEC)
#define LATELY_COARSE (3 * NSEC_PER_SEC)
#define UNSURE INT64_C(-1)

/* Paths, each with a NUL. */
struct paths {
	struct buf gone, here;
};

#define PATHS_INIT                                 \
	{                                          \
		.gone = BUF_INIT, .here = BUF_INIT \
	}

/* The paths that `git status` prints, sorted by what is done with them. */
struct looking {
	struct place *place;
	const struct outside_list *known;
	const struct mark *start; /* NULL: there is none, or all paths are to be in the tree */
	struct paths paths;
	struct paths as_before; /* as they were when the task began */
	bool mixed;		/* the task has changed what was changed before */
	off_t bytes;
	bool unmerged;
	bool staged; /* the index is not as HEAD */
};

static enum outside_kind
turn_look_kind_of(const struct place *p, const char *path, bool module, struct stat *st)
{
	AUTO_FREE char *full = xasprintf("%s/%s", p->top, path);

	if (lstat(full, st) < 0)
		return OUTSIDE_NOT; /* the path has gone just now: the tree will lack it */
	if (S_ISLNK(st->st_mode) || (module && S_ISDIR(st->st_mode)))
		return OUTSIDE_NOT;
	if (!S_ISREG(st->st_mode) || access(full, R_OK) < 0)
		return OUTSIDE_UNREADABLE;
	return st->st_size > BIG_BYTES ? OUTSIDE_BIG : OUTSIDE_NOT;
}

static struct outside_path
path_stamp(enum outside_kind kind, const struct stat *st)
{
	return (struct outside_path){
	    .kind = kind,
	    .size = st->st_size,
	    .modified = st->st_mtim.tv_sec * NSEC_PER_SEC + st->st_mtim.tv_nsec,
	    .changed = st->st_ctim.tv_sec * NSEC_PER_SEC + st->st_ctim.tv_nsec,
	};
}

static void
path_outside(struct looking *l, const char *path, enum outside_kind kind, const struct stat *st)
{
	struct outside_path one = path_stamp(kind, st);

	outside_add(&l->place->outside, path, &one);
}

/* Takes a path that the tree is to have as the work tree has it.  `st` is zero for one that is
 * gone.  A submodule's times say nothing of its commit. */
static void
path_take(struct looking *l, const char *path, bool gone, bool module, const struct stat *st)
{
	struct outside_path now = path_stamp(OUTSIDE_NOT, st);
	struct outside_list *before = &l->place->before;
	const struct outside_path *then =
	    l->start != NULL ? outside_find(&l->start->before, path) : NULL;
	bool same = then != NULL && !module && now.size == then->size &&
		    now.modified == then->modified && now.changed == then->changed &&
		    then->changed != UNSURE;
	struct paths *paths = same ? &l->as_before : &l->paths;
	int64_t lately = now.changed % NSEC_PER_SEC == 0 ? LATELY_COARSE : LATELY;

	l->mixed |= then != NULL && !same;
	buf_add(gone ? &paths->gone : &paths->here, path, strlen(path) + 1);
	if (module || clock_wall() < now.changed + lately)
		now.changed = UNSURE;
	if (l->known == NULL && before->n <= BEFORE_MAX)
		outside_add(before, path, &now);
}

static void
path_here(struct looking *l, const char *path, const char *sub)
{
	/* A path kept out of the start tree must be kept out of the later one, too. */
	const struct outside_path *known = outside_only(l->known, path);
	struct stat st = {0};
	enum outside_kind kind = turn_look_kind_of(l->place, path, *sub == 'S', &st);

	if (*sub == 'S' && (sub[2] == 'M' || sub[3] == 'U'))
		path_outside(l, path, OUTSIDE_SUBMODULE, &st);
	/* A big file is kept apart only when it was there before the task: a file that the task
	 * makes is the task's work. */
	if (known != NULL)
		kind = known->kind;
	else if (kind == OUTSIDE_BIG && l->known != NULL)
		kind = OUTSIDE_NOT;
	else if (!kind && l->known == NULL && S_ISREG(st.st_mode) &&
		 (l->bytes += st.st_size) > ALL_BYTES)
		kind = OUTSIDE_BIG;
	if (kind)
		path_outside(l, path, kind, &st);
	else
		path_take(l, path, false, *sub == 'S' || S_ISDIR(st.st_mode), &st);
}

static void
turn_look_line_take(struct looking *l, const struct status_line *line)
{
	struct place *p = l->place;
	bool listed = line->kind == '1' || line->kind == 'u';
	const char *path = line->path;
	size_t len = strlen(path);

	if ((!listed && line->kind != '?') || len == 0)
		return;
	l->unmerged |= line->kind == 'u';
	l->staged |= line->staged;
	if (place_excepts(p, path) || hidden_is_users(l->known, path))
		return;
	if (path[len - 1] == '/') {
		AUTO_FREE char *dir = xstrndup(path, len - 1);

		path_outside(l, dir, OUTSIDE_REPOSITORY, &(struct stat){0});
	} else if (line->gone) {
		if (outside_only(l->known, path) != NULL)
			path_outside(l, path, OUTSIDE_BIG, &(struct stat){0});
		else
			path_take(l, path, true, false, &(struct stat){0});
	} else {
		path_here(l, path, listed ? line->sub : "N...");
	}
}

static void
busy_find(struct place *p, bool unmerged)
{
	const char *underway = status_underway(p->git_dir);

	if (underway != NULL)
		p->busy = xasprintf(
		    "a %s is under way in %s: finish it, or end it", underway, p->top);
	if (unmerged && p->busy == NULL)
		p->busy = xasprintf("there are conflicts to resolve in %s", p->top);
}

/* Copies the user's index to ours.  In the copy the task's hidden files are visible. */
static int
index_take(struct looking *l, struct err *err)
{
	struct place *p = l->place;
	int rc =
	    l->known != NULL ? hidden_copy(p, l->known, p->index, err) : hidden_note(p, err);

	if (rc != 0)
		return rc;
	rc = index_copy(p, p->index, err);
	p->index_was = rc == 0 ? index_print(p->index) : NULL;
	return rc;
}

/* Asks git for HEAD and for the paths that differ from it, with one process.  Git looks through
 * our copy of the index: so the answer is true of the copy, whatever others stage meanwhile. */
static int
status_read(struct looking *l, struct err *err)
{
	struct place *p = l->place;
	AUTO_BUF status = BUF_INIT;
	const char *at;
	struct status_line line;

	if (index_take(l, err) < 0 ||
	    inner_status(p->top, p->index,
		ARGS("--no-renames", "--untracked-files=all", "--ignored=no"), &status,
		err) < 0)
		return -1;
	at = status.data;
	while (status_next(&at, &status, &line)) {
		const char *head = status_header(&line, "branch.oid");

		if (head != NULL)
			p->head = xstrdup(head);
		else
			turn_look_line_take(l, &line);
	}
	if (l->staged)
		free(take_ptr(p->index_was));
	return 0;
}

/* The tree is to have what was changed before the task, too. */
static void
before_add(struct looking *l)
{
	l->place->apart = false;
	buf_add(&l->paths.gone, l->as_before.gone.data, l->as_before.gone.len);
	buf_add(&l->paths.here, l->as_before.here.data, l->as_before.here.len);
}

/* Brings our index, which has the tree of HEAD, up to the work tree.  Removes the paths that
 * are gone first: such a path may now be a directory, or a link to one. */
static int
paths_take(const struct looking *l, const char *replace, struct err *err)
{
	struct stage stage = place_stage(l->place);

	if (stage_paths(&stage, ARGS("--force-remove"), &l->paths.gone, err) < 0)
		return -1;
	return stage_paths(&stage, ARGS("--add", "--remove", replace), &l->paths.here, err);
}

/* Makes the tree of HEAD with everything that differs from HEAD.  The user's index, when
 * nothing is staged there, has the tree of HEAD, and git knows the files: no other file is
 * read.  A path of the task that is in the way of another one, which was to stay as it is,
 * takes more. */
static int
turn_look_tree_make(struct looking *l, struct err *err)
{
	struct place *p = l->place;
	struct stage stage = place_stage(p);

	p->whole = !l->staged && paths_take(l, NULL, NULL) == 0;
	if (p->whole && l->paths.gone.len + l->paths.here.len == 0) {
		p->tree = xstrdup(p->base);
		return 0;
	}
	if (!p->whole) {
		before_add(l);
		if (stage_read(&stage, p->base, err) < 0 || paths_take(l, "--replace", err) < 0)
			return -1;
	}
	p->tree = stage_write(&stage, err);
	return p->tree != NULL ? 0 : -1;
}

static int
turn_look_at(struct looking *l, struct err *err)
{
	struct place *p = l->place;

	if (status_read(l, err) < 0)
		return -1;
	busy_find(p, l->unmerged);
	p->base =
	    p->head != NULL ? place_tree(p, p->head, err) : object_tree_empty(p->top, err);
	if (p->base == NULL)
		return -1;
	p->apart = l->start != NULL && l->start->counted && !l->mixed &&
		   text_same(p->head, l->start->head);
	if (!p->apart)
		before_add(l);
	return turn_look_tree_make(l, err);
}

static void
paths_release(struct paths *paths)
{
	buf_release(&paths->gone);
	buf_release(&paths->here);
}

int
place_look(struct place *p, const struct outside_list *known, const struct mark *start,
    struct err *err)
{
	struct looking l = {
	    .place = p,
	    .known = known,
	    .start = start,
	    .paths = PATHS_INIT,
	    .as_before = PATHS_INIT,
	};
	int rc;

	place_forget(p);
	rc = turn_look_at(&l, err);
	p->counted = rc == 0 && known == NULL && p->before.n <= BEFORE_MAX;
	paths_release(&l.paths);
	paths_release(&l.as_before);
	return rc;
}
