/*
 * turn.h - what one task changed in the user's own checkout, as one commit.
 *
 * turn_begin, called before the task is handed out, keeps the state of the work tree: HEAD, and
 * everything that is dirty or untracked (ignored files are not looked at), as a commit under
 * refs/ralph/turn/KEY and a small file that the caller names.  The start is kept once: a task
 * that goes on after a crash, or in another session, keeps its first start.  An attempt that
 * comes to nothing is left (turn_end): its work stays in the work tree, and belongs to the
 * next attempt.
 *
 * turn_commit commits the difference between the start and now, and nothing else.  It compares
 * three trees: S, the work tree at the start; N, the work tree now; H, HEAD now.  What S and N
 * have in common is not the task's.  The task's part is merged into H in memory (base S, ours
 * H, theirs N), so a file that the user had changed already gets the task's change without the
 * user's; where the two changes cannot be separated, the file stays uncommitted and is listed
 * in `left`; when all files of the task stay so, there is no commit yet (TURN_BUSY).  Somebody
 * who commits meanwhile moves H, and H alone.  Changes that others make to the same files while
 * the task runs cannot be told from the task's.
 *
 * Git is asked for no more than the result needs: it looks at the work tree through a copy of
 * the user's index, in which only the task's paths are brought up to date; what was changed
 * when the task began, and by its times is as it was, is not merged again; and when nothing was
 * staged, the copy becomes the user's index after the commit.  So a task is 13 runs of git as a
 * rule, and two of them look at every file.  Whatever stands against that (a path that both
 * have changed, a HEAD that has moved, something staged, a hook) takes more runs, and has the
 * same result.
 *
 * The work tree is never written to, and the index only after the commit: its entries for the
 * committed paths follow the commit, and changes that the user has staged there stay staged on
 * top (where they cannot be merged, the entry stays as it is, and `text` says so).
 *
 * Files that git was told not to look at (update-index --skip-worktree, --assume-unchanged)
 * before the task began are the user's: they are in no commit, whatever the task does with
 * them.  Files that were marked later are treated as any other file, and lose the mark when the
 * task ends.
 *
 * The hooks pre-commit, prepare-commit-msg, commit-msg and post-commit run as for `git commit`
 * with an index of its own, each with a deadline; signing is as configured. `git commit` itself
 * is not used: it takes the HEAD of that moment for the parent of the tree it was given, and
 * would revert a commit that somebody made in between.  Here HEAD moves by compare-and-swap,
 * and nothing has changed before that.
 *
 * Every step can be done again after a kill at any point.  The commit's name is in the file
 * before HEAD moves, so it is not made twice; after a rebase it is found by its trailer "Task:
 * ID" since the start.  Where nothing is left to commit, a commit with that trailer that
 * somebody else made (an agent that does not listen) is reported as if it were ours.
 *
 * A task that is done but cannot be committed now (a hook refuses, a merge is under way) waits
 * (turn_end): the work tree at its end is kept, as for an attempt that was left.  A later
 * turn_commit commits the files that the task changed as they are by then, so that a mended or
 * reverted file counts as it is.  When another waiting task that ended later has changed the
 * same file, turn_commit takes the file as it was at the end of the earlier task.  The caller
 * commits waiting tasks in their order; a task that changed a file which an earlier task has to
 * bring first waits, too.
 *
 * These functions wait for git and hooks, and become a child subreaper to end what hooks leave
 * running: they belong into a job (base/process/job.h).
 */
#ifndef GIT_TURN_TURN_H
#define GIT_TURN_TURN_H

#include "base/json.h"

struct turn_spec {
	const char *root;    /* absolute: the project, anywhere in a work tree */
	const char *task;    /* its id; name_is_valid */
	const char *file;    /* absolute: what turn_begin writes; its directory exists */
	char *const *except; /* files of ralph itself, never part of a task's commit; below root
				or absolute; NULL */
	const char *run;     /* the run that begins the task; NULL */
	const char *about;   /* the task's words; NULL */
	/* Ids of those that wait to be committed, and ended before this one or after; their
	 * files lie beside this one.  NULL: none. */
	char *const *earlier, *const *later;
	/* The run began in a repository: where there is none now, that is an error. */
	bool tracked;
	/* Changes that a hook refused are not tried again as long as they are the same. */
	bool patient;
	int64_t hook_timeout; /* ns, for each hook; 0: 10 min */
};

/* Any text; NULL as "". */
struct turn_words {
	const char *summary;	 /* the worker's, from the done file */
	const char *description; /* the task's */
};

enum turn_outcome {
	TURN_COMMITTED,	    /* commit, ...; text: what is to be said besides, or NULL */
	TURN_NOTHING,	    /* text: "no changes to commit" and perhaps more, or why */
	TURN_NO_REPOSITORY, /* there was no work tree of git's at the start */
	TURN_REFUSED,	    /* text: which hook, and its words */
	TURN_UNSIGNED,	    /* text: why it could not be signed */
	TURN_NO_IDENTITY,   /* text: git does not know who commits */
	/* text: a merge or a bisect is under way, index.lock, all that it changed is in `left`,
	 * ...; try again later */
	TURN_BUSY,
	TURN_OUTCOMES
};

struct turn_left {
	char *path, *why;
};

struct turn_result {
	enum turn_outcome outcome;
	bool found;	      /* the commit was there already */
	char *commit, *brief; /* full and short; NULL in a preview */
	char *moved;	      /* TURN_NOTHING: HEAD, if it has moved since the task began */
	int64_t committed;    /* s since the epoch, by the commit */
	char *message;
	char *diffstat;		/* of exactly this commit */
	struct turn_left *left; /* paths that the task changed and the commit lacks */
	size_t nleft;
	char *text;
};

void turn_result_release(struct turn_result *r);

/* Is the project in a work tree?  1, 0, or -1 + err: there is a repository that git cannot
 * use. */
int turn_can(const char *root, struct err *err) NODISCARD;

/*
 * Keeps the start of the task.  When there is no repository, the file says so; that is an error
 * only with `tracked`.  When the same run has begun the task before, nothing is done.  After
 * turn_end, by any run, the start is that of the attempt before plus what others changed
 * since that attempt ended: so the attempt's work is a part of the task's, and the others' is
 * not.  1 when that is impossible, because another run was interrupted or the task's words have
 * changed; what was left then counts as the user's.
 */
int turn_begin(const struct turn_spec *t, struct err *err) NODISCARD;
/* Keeps the state of the work tree for the next attempt or for the commit.  `waits`: the task
 * is done, and could not be committed because of that; NULL: the attempt has come to nothing.
 * `summary` (NULL: none) is for the commit that will be made.  When the repository is damaged
 * or gone, the work tree at the end of a task that waits cannot be kept: the task's part is
 * then what differs once the repository is mended.  Does nothing when the task was never
 * begun. */
int turn_end(const struct turn_spec *t, const char *waits, const char *summary,
    struct err *err) NODISCARD;

struct turn_waiting {
	char *task;
	char *about;   /* the task's words; NULL */
	char *summary; /* the worker's; NULL */
	char *why;
	int64_t since; /* wall clock */
};

struct turns_waiting {
	struct turn_waiting *list; /* in the order of their ends */
	size_t n;
};

/* Finds the tasks that wait and whose files are in that directory.  A file that cannot be read
 * as such is skipped. */
void turns_waiting_find(const char *dir, struct turns_waiting *out);
void turns_waiting_release(struct turns_waiting *w);

/* The branch that HEAD is on, also before its first commit; NULL: none.  The caller frees
 * it. */
char *turn_branch(const char *root) NODISCARD;
/* Is HEAD on no branch?  (A commit is made there all the same; nobody may find it later.) */
bool turn_is_detached(const char *root);

/* Says what turn_commit would do, as far as that is known without the hooks: outcome, message,
 * diffstat, paths, left. */
int turn_preview(const struct turn_spec *t, const struct turn_words *words,
    struct turn_result *result, struct err *err) NODISCARD;
/* With every outcome but TURN_COMMITTED, and with -1 + err, nothing has changed.  Once the
 * commit is made, the outcome is TURN_COMMITTED: `text` says what went wrong after that, and
 * then only `commit` is sure to be set.  Code ENOENT: turn_begin was not called.  Code EUCLEAN:
 * the repository in which the task began is damaged or gone; the task can wait (turn_end)
 * until the repository is mended. */
int turn_commit(const struct turn_spec *t, const struct turn_words *words,
    struct turn_result *result, struct err *err) NODISCARD;
/* The task is over, and its outcome written down: file and reference are not needed any
 * more. */
int turn_forget(const struct turn_spec *t, struct err *err) NODISCARD;

/*
 * The message: "ID: " and the summary's first line (without one: the description's), at most
 * 72 characters with "…" where it was cut; the bullets; the trailers "Request: " (the
 * description on one line, at most 100 characters) and "Task: ID".
 *
 * Bullets are the lines of the summary, without the marks of a list they may have; of a summary
 * that is one line, its sentences ('.', '!' or '?' before a space and something that is no
 * small letter).  At most 20, of at most 500 characters each.  White space is one space,
 * control characters go, bytes that are no UTF-8 become U+FFFD; so no line of it can begin a
 * comment, a trailer or a paragraph of its own.
 */
void turn_message(const char *task, const struct turn_words *words, struct buf *out);

#endif
