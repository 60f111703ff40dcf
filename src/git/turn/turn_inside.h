/*
 * turn_inside.h - what turn.h is made of (private to this room).
 */
#ifndef GIT_TURN_TURN_INSIDE_H
#define GIT_TURN_TURN_INSIDE_H

#include "git/delta.h"
#include "git/merged.h"
#include "git/stage.h"
#include "git/turn/turn.h"

/* ---- turn_mark.c --------------------------------------------------------------------- */

/* Why a path is outside of the trees. */
enum outside_kind {
	OUTSIDE_NOT, /* none: a tree holds the path */
	OUTSIDE_BIG,
	OUTSIDE_REPOSITORY,
	OUTSIDE_SUBMODULE,  /* a submodule with changes of its own; the tree holds its commit */
	OUTSIDE_UNREADABLE, /* the path is no file, or cannot be read */
	OUTSIDE_HIDDEN,	    /* the user had told git not to look at it */
};

/* A path that a tree cannot hold, or need not hold; known by its kind, size and times. */
struct outside_path {
	char *path;
	enum outside_kind kind;
	int64_t size, modified, changed;
};

struct outside_list {
	struct outside_path *list;
	size_t n;
	bool hidden; /* the list has the paths that are OUTSIDE_HIDDEN, too */
};

void outside_release(struct outside_list *o);
void outside_add(struct outside_list *o, const char *path, const struct outside_path *one);
/* Finds a path in the list of a mark that was loaded; NULL: none. */
const struct outside_path *outside_find(const struct outside_list *o, const char *path);
/* As outside_find, without submodules, whose commits trees hold. */
const struct outside_path *outside_only(const struct outside_list *o, const char *path);
/* Why a path that was `then` (NULL: in the trees) when the task began is not committed; NULL:
 * the task did nothing to it. */
const char *outside_why(const struct outside_path *now, const struct outside_path *then);

/* The texts in the file of a turn, by their keys; each may be NULL. */
#define MARK_TEXTS(X)                                                          \
	X(head)	  /* HEAD at the start; NULL: no commit yet */                 \
	X(commit) /* the commit of S, the work tree at the start */            \
	X(left)	  /* E: the work tree when the last attempt came to nothing */ \
	X(run)                                                                 \
	X(about)                                                               \
	X(made)	   /* the commit that HEAD was about to move to */             \
	X(waits)   /* why the task, which is done, could not be committed */   \
	X(summary) /* the worker's, of a task that waits */                    \
	X(refused) /* a hash of the changes that were refused */

/* The start of a task, as the file of the turn holds it. */
struct mark {
	bool none; /* there was no repository */
#define X(name) char *name;
	MARK_TEXTS(X)
#undef X
	int64_t since; /* when it began to wait, wall clock */
	struct outside_list outside;
	/* Paths of S that differ from HEAD, as they were; only if `counted`. */
	struct outside_list before;
	bool counted;
};

#define AUTO_MARK __attribute__((cleanup(mark_release))) struct mark
void mark_release(struct mark *m);
/* 0; -1, code ENOENT: none, or another task's. */
int mark_load(const struct turn_spec *t, struct mark *m, struct err *err) NODISCARD;
int mark_save(const struct turn_spec *t, const struct mark *m, struct err *err) NODISCARD;

/* ---- turn_place.c -------------------------------------------------------------------- */

struct seen_tree {
	char *commit, *tree;
};

/* The settings of git that commits depend on. */
struct customs {
	bool sign;
	bool named;	/* hooks may be commands of the settings */
	bool elsewhere; /* hooks may be in a directory of the settings */
};

struct place {
	const struct turn_spec *turn;
	bool none;
	char *top, *prefix, *common, *git_dir, *ref;
	char *index, *message; /* files of our own in git_dir */
	char *follow;	       /* another such file: the user's index as it is to become */
	int lock;	       /* -1 */
	/* Trees that place_open heard of: those of HEAD, and of the turn's start. */
	struct seen_tree seen[2];
	/* The state of the work tree, as place_look saw it. */
	char *head; /* NULL: no commit yet */
	char *base; /* the tree of head */
	char *tree; /* the work tree */
	/* Our index is the user's with the paths of the task, and has `tree`; nothing else in
	 * `tree` differs from `base`. */
	bool whole;
	/* The index_print of the user's index as it was then; NULL: not known, or something is
	 * staged in it. */
	char *index_was;
	/* `tree` has the task's changes alone: nobody has touched what was changed before. */
	bool apart;
	/* Paths that `tree` cannot hold (big, hidden, repositories). */
	struct outside_list outside;
	/* As in a mark, of a look at the start. */
	struct outside_list before;
	bool counted;
	char *busy;		/* the operation that is under way; NULL */
	struct customs customs; /* as make_commit read them */
};

/* `start`: the commit of the turn's start; NULL: its tree will not be asked for. */
int place_open(
    struct place *p, const struct turn_spec *t, const char *start, struct err *err) NODISCARD;
/* As place_open, for what needs no more of the place than its directories: as a rule, nobody
 * asks git for them. */
int place_open_known(struct place *p, const struct turn_spec *t, struct err *err) NODISCARD;
void place_close(struct place *p);
/* Forgets the state of the work tree. */
void place_forget(struct place *p);
bool place_excepts(const struct place *p, const char *path);
/* Makes a commit of ours, for merging and keeping; parent may be NULL. */
char *place_commit(const struct place *p, const char *tree, const char *parent,
    const char *message, struct err *err) NODISCARD;
/* Our own index of the place. */
struct stage place_stage(const struct place *p);
/* As stage_change (git/stage.h), in our own index. */
char *place_change(
    struct place *p, const char *tree, const struct edits *e, struct err *err) NODISCARD;
/* The tree of a commit; NULL + err. */
char *place_tree(const struct place *p, const char *commit, struct err *err) NODISCARD;

/* ---- turn_look.c --------------------------------------------------------------------- */

/* Reads the work tree; the paths of `known` stay out of p->tree, as at the start (NULL: this is
 * the start). `start` (NULL: not so): what was changed when the task began, and is as it was,
 * may stay out, too; p->apart says whether it does. */
int place_look(struct place *p, const struct outside_list *known, const struct mark *start,
    struct err *err) NODISCARD;

/* ---- turn_hidden.c ------------------------------------------------------------------- */

/* Adds the paths that are hidden now to p->outside. */
int hidden_note(struct place *p, struct err *err) NODISCARD;
/* Was the path hidden when the task began? */
bool hidden_is_users(const struct outside_list *known, const char *path);
/* Copies the user's index, without the task's marks.  1: the copy is made; 0: there are no such
 * marks, and no copy; -1. */
int hidden_copy(const struct place *p, const struct outside_list *known, const char *to,
    struct err *err) NODISCARD;
/* Removes the task's marks from the user's index, unless somebody holds its lock. */
void hidden_unmark(const struct place *p, const struct outside_list *known);

/* ---- turn_part.c --------------------------------------------------------------------- */

/* Differences of two trees, path by path in git's order; `at` is NULL until deltas_open. */
struct deltas {
	struct run_result list;
	const char *at;
	struct delta d; /* the present one; its path is NULL before the first */
};

#define DELTAS_INIT               \
	{                         \
		.list = RUN_INIT, \
	}
#define AUTO_DELTAS __attribute__((cleanup(deltas_release))) struct deltas

/* Trees or commits of the place; `to` as in delta.h. */
int deltas_open(struct deltas *w, const struct place *p, const char *from, const char *to,
    struct err *err) NODISCARD;
void deltas_release(struct deltas *w);
bool deltas_next(struct deltas *w);
/* Goes on to the first path that does not come before this one.  Is it this one? */
bool deltas_reach(struct deltas *w, const char *path);
/* Merges trees in memory. `base` is a commit. */
int merge_since(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err) NODISCARD;
/* As merge_since, with a tree for `base`. */
int merge_three(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err) NODISCARD;

/* Makes the tree to commit: H with the task's part; fills in result->left. */
char *part_find(struct place *p, const struct mark *m, struct turn_result *result,
    struct err *err) NODISCARD;

/* Finds S for another attempt; call place_look first. */
char *again_find(struct place *p, const struct mark *m, struct err *err) NODISCARD;

/* ---- turn_wait.c --------------------------------------------------------------------- */

/* Returns S of a turn that waits, and sets p->tree to the tree that counts as the work tree at
 * that turn's end; call place_look first. */
char *wait_find(struct place *p, const struct mark *m, struct err *err) NODISCARD;
/* A hash of the changes that a commit of the tree would make; NULL. */
char *wait_changes(const struct place *p, const char *tree) NODISCARD;
/* Did the task change something that neither HEAD nor the work tree has now? */
bool wait_is_away(const struct place *p, const struct mark *m);
/* Has an earlier turn that waits changed a path in r->left?  Then `why` names the turn and the
 * path. */
bool wait_is_behind(const struct place *p, const struct turn_result *r, struct buf *why);

/* ---- turn_make.c turn_index.c turn_lock.c -------------------------------------------- */

/* Sets the outcome; `text` may be NULL.  Returns 1. */
int outcome_end(struct turn_result *r, enum turn_outcome outcome, const char *text);
/* Runs the hooks and commits the tree onto p->head; m->made is the commit.  0: result has the
 * outcome; 1: HEAD has moved, look again. */
int make_commit(struct place *p, struct mark *m, const char *tree, struct turn_result *result,
    struct err *err) NODISCARD;
void make_after(const struct place *p, struct turn_result *result);

/*
 * The lock of the user's index, as git takes it. Our lock is a second name of a file of ours,
 * so that a lock that a kill left behind can be told from everybody else's: no git of ours ever
 * takes this lock.  0; 1 + err: somebody has it; -1 + err.
 */
int index_lock(const struct place *p, struct err *err) NODISCARD;
void index_unlock(const struct place *p);
/* Removes a lock of ours that a kill left behind; the caller must have the turn. */
void index_lock_sweep(const struct place *p);
/* Copies the user's index, which may not exist, to another name in git_dir. */
int index_copy(const struct place *p, const char *to, struct err *err) NODISCARD;
/* Tells the index in that file from any other by its size and git's checksum of it.  NULL: it
 * has no checksum.  The caller frees the text. */
char *index_print(const char *file) NODISCARD;
/* Makes that file in git_dir, p->follow or p->index, the user's index; call with the lock. */
int index_replace(const struct place *p, const char *file, struct err *err) NODISCARD;

/* Makes the user's index follow the commit, which has the tree p->base below it; when that is
 * NULL, git is asked for it. */
int index_follow(
    const struct place *p, const char *commit, struct buf *text, struct err *err) NODISCARD;
/* Is the error about somebody's lock?  Then pauses and returns true; false when *tries says
 * that it was tried too often. */
bool lock_is_in_the_way(const struct err *err, int *tries);

#endif
