/*
 * parts.h - what the steps of a landing are made of (private to this room).
 *
 * A step (prepare, merge, save, publish) looks at the repository once, decides, and acts. A
 * note holds what a step must know after a kill: one small file per ticket and project in the
 * repository's common directory, out of the agents' trees, written before the change that it
 * describes.  A name (of a branch and a worktree) belongs to the ticket whose note has it: a
 * note that takes a name is written under the repository's lock, so no two tickets, of whatever
 * projects, have the same name.
 */
#ifndef GIT_LANDING_PARTS_H
#define GIT_LANDING_PARTS_H

#include "base/process/run.h"
#include "git/changes.h"
#include "git/inner.h"
#include "git/landing/landing.h"
#include "git/stage.h"

/* ---- note.c -------------------------------------------------------------------------- */

enum note_state {
	NOTE_NONE,	/* no note: the names are the usual ones, what is there is work */
	NOTE_MAKING,	/* the worktree is being made: nothing in it is anybody's work yet */
	NOTE_READY,	/* the worktree is the agent's */
	NOTE_VERIFYING, /* the merge is checked out in it; all work is on the branch */
	NOTE_LEAVING,	/* all work is safe elsewhere: what is left is to be removed */
	NOTE_PAST,	/* nothing is left of it, or the branch alone, which stays */
	NOTE_STATES
};

struct note {
	enum note_state state;
	int64_t n;     /* which choice of names: 2 is ID-2 */
	char *start;   /* the commit that the branch was made from; NULL: not known */
	char *safe;    /* LEAVING: the branch may go when it is this commit; NULL: it stays */
	char **copied; /* the paths that the worktree got copies of: no work of the agent's */
	char *why;     /* why the work was kept instead of landed; NULL */
	char *session; /* the session whose place it is; NULL: an earlier version's note */
	bool nothing;  /* LEAVING, PAST: the session had left nothing to merge */
	bool former;   /* the note lies where earlier versions had the notes of all projects */
};

void note_release(struct note *n);
/* The directory of a project's notes; the caller frees it. */
char *notes_dir(const char *common, const char *key) NODISCARD;
/* A note that is missing or cannot be read is NOTE_NONE with the first choice. */
void note_load(const char *common, const char *dir, const char *id, struct note *n);
int note_save(const char *common, const char *dir, const char *id, struct note *n,
    struct err *err) NODISCARD;
void note_drop(const char *common, const char *dir, const char *id, struct note *n);
/* The n-th choice: "ID", "ID-2", ... */
void note_name(const char *id, int64_t n, struct buf *out);
/* The tickets that have a note; free with strlist_free. */
char **note_list(const char *common, const char *dir) NODISCARD;
int note_time(
    const char *common, const char *dir, const char *id, struct timespec *at) NODISCARD;
/* Does another ticket, of this project or of another one, have that name? */
bool note_is_taken(const char *common, const char *dir, const char *id, const char *name);

/* ---- site.c -------------------------------------------------------------------------- */

/* The place where a step works: the branches, the worktree and the note of a ticket, and what
 * git said of them. */
struct site {
	const struct land_plan *plan;
	const struct land_ticket *ticket; /* NULL: the step is about the branch alone */
	char *common;			  /* the repository's common directory */
	char *notes;			  /* the directory of the project's notes */
	char *dir;			  /* plan->dir, links resolved */
	char *target, *queue, *own;	  /* full names of B, L and the ticket's branch */
	struct note note;
	char *path, *branch; /* the ticket's worktree and the short name of own */
	int turn;	     /* lock; -1 */

	/* The state of the repository, as site_look saw it. */
	struct run_result trees; /* as trees_read tells */
	char *b, *l, *tip;	 /* commits of target, queue, own; NULL: no such ref */
	bool blocked;		 /* other branches are named as if own were a directory */
	char *base;		 /* what work is merged with; from base_find */
	bool published;		 /* by publish_move already */
	char *checkout;		 /* the work tree that took it; NULL */
	char *from, *to;	 /* the commits of that work tree before and now; NULL */
	char *obstacle;		 /* why B did not take all of L; NULL */
	char *clash;		 /* L cannot be merged with B: a sentence; NULL */
	char *lost;		 /* what waited is gone: a sentence, from line_mend; NULL */
	char *mended;		 /* what line_mend did: a sentence; NULL */
};

int site_open(struct site *s, const struct land_plan *plan, const struct land_ticket *ticket,
    struct err *err) NODISCARD;
void site_close(struct site *s);
/* Gives the ticket's worktree and branch the names that the note says. */
void site_name(struct site *s);
/* Do the names belong to another ticket? */
bool site_is_taken(const struct site *s);
/* Do the names belong to this session?  -1 + err when another session has the ticket by now. */
int site_is_own(const struct site *s, struct err *err) NODISCARD;
int site_look(struct site *s, struct err *err) NODISCARD;
/* As site_look, but at the worktrees alone, and at the references alone. */
int site_trees(struct site *s, struct err *err) NODISCARD;
int site_refs(struct site *s, struct err *err) NODISCARD;
/* Removes a lock from the ticket's branch: its holder is dead, we are the only ones here. */
void site_unlock(const struct site *s);
int site_save_note(struct site *s, enum note_state state, struct err *err) NODISCARD;
/* One transaction; the lines are those of `git update-ref --stdin`. */
int site_update_refs(const struct site *s, const struct buf *script, struct err *err) NODISCARD;
/* Appends the line that moves a ref to the commit `to` if it is at `from` (NULL: does not
 * exist). */
void script_set(struct buf *script, const char *ref, const char *to, const char *from);
/* Puts commit on the ticket's branch. */
int site_set_own(struct site *s, const char *commit, struct err *err) NODISCARD;
/* Is the commit in the history of `in`?  False when `in` is NULL. */
bool site_has(const struct site *s, const char *in, const char *commit);

/* A step, which works at its site. */
typedef int site_fn(struct site *s, struct land_result *result, struct err *err);
/* Opens a site, calls fn, and closes the site; -1: the result is empty. */
int site_do(const struct land_plan *plan, const struct land_ticket *ticket,
    enum land_outcome outcome, site_fn *fn, struct land_result *result,
    struct err *err) NODISCARD;

/* ---- work.c -------------------------------------------------------------------------- */

/* The work of a ticket, as far as it has been looked for. */
struct work {
	bool listed;	   /* git knows the worktree */
	bool there;	   /* its directory exists, and is the agent's */
	char *git_dir;	   /* of the worktree */
	char *head, *tree; /* its HEAD; the tree of it, from work_tree; NULL: none */
	char *on;	   /* full name of the branch it is on; NULL: detached */
	char *commit;	   /* all of the work, once it is known; NULL: there is none */
	char *index;	   /* an index that fits commit; NULL: the worktree's own does */
	bool fresh;	   /* commit was made of changes just now */
	bool synced;	   /* all of it is on the disk */
	char *left; /* how much git ignores in the worktree, as ignored_keep says it; NULL */
};

#define WORK_INIT               \
	{                       \
		.listed = false \
	}

void work_release(struct work *w);
/* Appends the path as a pattern of git's that names just that path. */
void pattern_add(struct buf *out, const char *path);
/* Finds worktree and HEAD, puts a lost .git file back, removes the locks of killed programs,
 * and ends a verification that was killed.  -1: the directory cannot be trusted. */
int work_find(struct site *s, struct work *w, struct err *err) NODISCARD;
/* The tree of HEAD, asked for when it is needed first; NULL: none. */
const char *work_tree(const struct site *s, struct work *w);
/* The changes in the worktree; with what git ignores there where the plan keeps that. */
int work_changes(
    const struct site *s, const struct work *w, struct changes *c, struct err *err) NODISCARD;
/* Sets w->commit to HEAD or the branch, whichever has all of the work; -1 when each has
 * something that the other has not. */
int work_choose(const struct site *s, struct work *w, struct err *err) NODISCARD;
/* Syncs all of w->commit, whoever made it. */
int work_sync(const struct site *s, struct work *w, struct err *err) NODISCARD;
/* The work that is the commit, for a look at the repositories within. */
struct inner_work work_inner(const struct site *s, const char *commit);
/* Makes the worktree's index fit commit, which its branch does not have yet. */
int work_stage(struct work *w, struct err *err) NODISCARD;
void work_unstage(struct work *w); /* drops w->index: the worktree's index stays as it is */
/* Puts commit on the ticket's branch and the worktree on it. */
int work_settle(struct site *s, struct work *w, struct err *err) NODISCARD;
/* Throws away what verifying did: checks out the branch again, with every file as it was
 * committed. */
int work_restore(struct site *s, struct work *w, struct err *err) NODISCARD;
/* All work is safe: removes directory, entry, branch (when it is `safe`; NULL: it stays) and
 * note; can be called again until it succeeds. */
int work_leave(struct site *s, const char *safe, struct err *err) NODISCARD;
/* As work_leave, for a note that is LEAVING; the caller has the repository's lock. */
int work_remove(struct site *s, struct err *err) NODISCARD;

/* ---- collect.c ----------------------------------------------------------------------- */

/* Sets w->commit to all of the work, leftovers too, unless the plan or an unusual state of the
 * worktree forbids it. */
int work_collect(struct site *s, struct work *w, struct err *err) NODISCARD;
/* As work_collect, but while others have their turn, and only for a worktree in its usual
 * state.  Errors are left to work_collect, which uses the result as long as branch and worktree
 * have not moved since. */
void work_collect_early(struct site *s, struct work *w);
/* As work_collect, for a worktree that stays: ignored files and repositories within stay,
 * too. */
int work_collect_here(struct site *s, struct work *w, struct err *err) NODISCARD;

/* ---- leave.c ------------------------------------------------------------------------- */

/* Removes what earlier steps could not remove, except where somebody has written into it since
 * then. */
void leave_finish_all(const struct land_plan *plan, const char *common);

/* Removes the kept work of tickets that are over, where B has all of it.  Returns those tickets
 * (free with strlist_free), or NULL. */
char **leave_merged_all(const struct land_plan *plan, const char *common) NODISCARD;

/* ---- save.c -------------------------------------------------------------------------- */

/* Makes a copy, under refs/ralph/interrupted/ID, of what the next agent may write over. */
int save_interrupted(struct site *s, struct work *w, struct err *err) NODISCARD;

/* ---- snapshot.c ---------------------------------------------------------------------- */

/* Makes the tree of everything in the worktree that git does not ignore, by way of w->index;
 * the tree is not yet sure to be on the disk. *nested: a repository within the worktree, of
 * which the tree has only the number of a commit. */
char *snapshot_take(
    const struct site *s, struct work *w, char **nested, struct err *err) NODISCARD;

/* ---- ignored_keep.c ------------------------------------------------------------------ */

/* Copies the ignored files to where the plan keeps them; w->left tells how many, and where they
 * are. */
int ignored_keep(
    const struct site *s, struct work *w, const struct changes *c, struct err *err) NODISCARD;

/* ---- merge.c ------------------------------------------------------------------------- */

/* Makes s->base: L with B's new commits.  When L and B conflict, s->clash says so and s->base
 * is L alone; B keeps the user's commits, and L waits until somebody has merged both by
 * hand. */
int base_find(struct site *s, struct err *err) NODISCARD;
/* When L and B conflict, base_begin chooses the base that a new worktree starts from, and
 * base_resume the base that work is merged with: B, which has the newest work of the user and
 * of the tickets; or L, for work that stands on merges that wait. */
int base_begin(struct site *s, struct err *err) NODISCARD;
void base_resume(struct site *s);
/* Appends at most so many names: "a, b and 3 more". */
void merge_names_add(char *const *names, size_t most, struct buf *out);
/* Merges in memory.  0: *tree is the result; 1: conflict, the files are in `files`. */
int merge_trees(const struct site *s, const char *ours, const char *theirs, char **tree,
    struct buf *files, struct err *err) NODISCARD;
/* Makes a commit with the tree of `commit`, but with the paths that the plan drops as base has
 * them; `commit` itself when the tree is the same.  Adds the dropped files that were changed
 * since the start to *dropped. */
char *merge_without(
    struct site *s, const char *commit, char ***dropped, struct err *err) NODISCARD;
/* Shows the merge of base to *tree to the plan's guard, and replaces *tree when the guard wants
 * another one.  Fills in `held` and `bare`. */
int merge_guard(
    struct site *s, char **tree, struct land_result *result, struct err *err) NODISCARD;
/* Makes a commit; parents ends with NULL. */
char *commit_make(const struct site *s, const char *tree, const char *const *parents,
    const char *message, struct err *err) NODISCARD;
/* Makes the tree of a commit with those edits; there must be at least one edit. */
char *tree_change(const struct site *s, const char *commit, const struct edits *edits,
    struct err *err) NODISCARD;
/* Appends the message of the merge: the plan's words and the trailers. */
void message_make(const struct site *s, struct buf *out);
/* Finds the merge of this session that is in base already; NULL: none. */
char *merge_find(const struct site *s);

/* ---- publish.c ----------------------------------------------------------------------- */

/* Sets L (or B at once, where nobody has B checked out) to commit, and the ticket's branch to
 * work (NULL: the branch stays), all or nothing.  0; 1: somebody else was faster, look again;
 * -1. */
int publish_move(
    struct site *s, const char *commit, const char *work, struct err *err) NODISCARD;
/* Sets B to commit, which is in L.  When B cannot take all of L, it takes what it can, one
 * merge at a time (queue.c), unless such a merge would have to be verified.  Fills in
 * `waiting`, `waits`, `tickets` and `text` for what is left. */
void publish_try(struct site *s, const char *commit, struct land_result *result);
/* Sets B to alone, which queue_apart made of `commit`; L stays as it is.  Says in result what
 * still waits. */
void publish_apart(
    struct site *s, const char *alone, const char *commit, struct land_result *result);
/* Syncs what was published: objects, references, and the index and files of the checkout. */
int publish_sync(const struct site *s, struct err *err) NODISCARD;

/* ---- line.c -------------------------------------------------------------------------- */

/*
 * A file in the repository's common directory records L as we left it: agents can remove and
 * move references, and the merges that waited would be gone without a word.  The file is
 * written after L was moved, under the repository's lock; so an L that has the commit of the
 * file is good, whatever else it has.
 */
struct queue;
/* Records that L is `commit` and that the merges of q wait in it; forgets L when there are
 * none. */
int line_remember(
    const struct site *s, const char *commit, const struct queue *q, struct err *err) NODISCARD;
void line_forget(const struct site *s);
/* Puts L back when neither L nor B has the merges that wait; s->mended says so.  The commit
 * that L was moved to is kept in refs/ralph/stray/.  When git has lost the commits, s->lost
 * says so, until a person removes the file. */
int line_mend(struct site *s, struct err *err) NODISCARD;
/* Says in result what line_mend did or found. */
void line_tell(struct site *s, struct land_result *result);
/* The commit that L is, or should be; nothing is changed.  NULL: none. */
char *line_find(struct site *s) NODISCARD;
/* Branches that have such a file; free with strlist_free. */
char **line_list(const char *common) NODISCARD;

/* ---- queue.c ------------------------------------------------------------------------- */

/* A merge in L that B has not got. */
struct pending {
	char *commit;
	const char *session, *ticket; /* as the trailers of the merge say */
	const char *after; /* the tickets that its ticket needed when it was merged */
};

struct queue {
	struct pending *list; /* oldest first */
	size_t n;
	size_t known; /* how many merges there are with those that B took one by one */
};

/* Reads the merges that B lacks of commit, which is L or will be L. */
int queue_read(
    const struct site *s, const char *commit, struct queue *q, struct err *err) NODISCARD;
void queue_release(struct queue *q);
const struct pending *queue_find(const struct queue *q, const char *commit);
/* The tickets whose merges wait; free with strlist_free. */
char **queue_tickets(const struct queue *q) NODISCARD;
/* "2 merges wait in refs/ralph/land/main (a, b)"; nothing when none does. */
void queue_tell(const struct site *s, const struct queue *q, struct buf *out);
int64_t queue_count(const struct queue *q);
/*
 * Makes a commit on top of B of a merge that waits only because of the merges before it.  That
 * is possible when the merge changes no file that the earlier ones change, and its ticket needs
 * none of their tickets.  L keeps the merge itself, with the agent's own commits; since both
 * make the same changes, L can be merged with B afterwards, which is checked.  NULL: the merge
 * has to wait with the others.
 */
char *queue_apart(struct site *s, const struct queue *q, const struct pending *p) NODISCARD;

/* ---- copy.c -------------------------------------------------------------------------- */

/* Copies what is at top/path to worktree/path unless there is something already; 1 when it was
 * copied.  Links are copied as links, and never followed out of the worktree. */
int copy_path(
    const char *top, const char *worktree, const char *path, struct err *err) NODISCARD;

#endif
