/*
 * graph_place.h - a project's task graph: taking a task of it, and what becomes of the task.
 *
 * Everything here takes the one lock of claims.h, looks, writes and lets go; the longest wait
 * for others is GRAPH_WAIT.  The order of the writes makes every crash between them harmless:
 *
 *   claim      the claim, then the graph (in-progress, claimed_at, claimed_by): in between,
 *              the claim of a dead process is void;
 *   complete   the graph, then the ticket, then the claim: in between, the graph says it all,
 *              and refresh brings the ticket in line;
 *   reset      the ticket, then the graph, then the claim: in between, the task is still
 *              taken, and can be reset again;
 *   refresh    the graph, then tickets that lag behind it.
 *
 * Counts in `meta` and `last_updated` are kept right where the file has them.
 *
 * Events go to logs/task-audit.jsonl; a log that cannot be written is a note, no failure.
 */
#ifndef WORK_GRAPH_GRAPH_PLACE_H
#define WORK_GRAPH_GRAPH_PLACE_H

#include "base/clock.h"
#include "work/graph/graph.h"
#include "work/graph/graph_tickets.h"
#include "work/shared/asking.h"

extern const struct source_ops source_graph;

#define GRAPH_WAIT (5 * NSEC_PER_SEC)
#define GRAPH_AUDIT "task-audit.jsonl" /* in logs */

/* A project: the directory with the graph. */
struct graph_place {
	char *root; /* absolute */
	int fd;
	struct claims *claims;
	char *story;	     /* WORKTREE_STORY: only its tasks are given out; NULL: all */
	char *who;	     /* claimed_by: $WORKTREE, else the name of the work tree */
	const char *trigger; /* for the audit: the command that runs */
	int64_t wait;
};

/* The nearest directory with a graph, from `from` upwards to the top of the repository; code
 * ENOENT when there is none. */
int graph_place_open(struct graph_place *p, const char *from, struct err *err) NODISCARD;
void graph_place_close(struct graph_place *p);

/* Reads graph and claims without the lock, and lays one over the other.  The result is typed so
 * that nobody has to read sentences: CLAIM_CLAIMED stands for success. */
enum claim_result graph_look(
    struct graph_place *p, struct graph *g, struct buf *problems, struct err *err) NODISCARD;

struct graph_request {
	const char *id; /* NULL: the next one */
	bool force;	/* also of another story */
	pid_t owner;	/* the claim ends with this process; 0: it does not */
	/* A task that the owner was about to get when a write failed.  The owner gets the task
	 * now, if the owner still holds the claim. */
	const char *half;
};

/* A task that was given out.  Release with graph_offer_release. */
struct graph_offer {
	char *id, *title;
	struct buf prompt;
	struct buf notes; /* a line each, for people */
	bool failed;	  /* CLAIM_BLOCKED: a task has failed and was not looked at since */
};

void graph_offer_init(struct graph_offer *o);
void graph_offer_release(struct graph_offer *o);

/* err has a sentence for everything but CLAIM_CLAIMED: "all tasks complete", "blocked: ..." */
enum claim_result graph_claim(struct graph_place *p, const struct graph_request *request,
    struct graph_offer *offer, struct err *err) NODISCARD;
/* Chooses the task that graph_claim would give out, in a graph that graph_look filled. */
enum claim_result graph_choose(const struct graph_place *p, const struct graph *g,
    const struct graph_request *request, struct graph_task **out, struct err *err) NODISCARD;

/* CLAIM_CLAIMED: done, also when the task was in that state already.  CLAIM_REFUSED with code
 * ENOENT: no task has that id.  `notes` is for people.  Without force, neither function touches
 * a task that somebody in another worktree works on. */
enum claim_result graph_complete(struct graph_place *p, const char *id, bool force,
    struct buf *notes, struct err *err) NODISCARD;
enum claim_result graph_reset(struct graph_place *p, const char *id, bool force,
    struct buf *notes, struct err *err) NODISCARD;
/* For a loop, on a claim of its own.  graph_fail: the attempt failed, and the task stays in
 * progress until somebody resets the task.  graph_release_task: nothing was done, and the task
 * is ready again.  graph_hand_over: another process has the task from now on, and `agent` (0:
 * none) works on it. */
enum claim_result graph_fail(
    struct graph_place *p, const char *id, const char *note, struct err *err) NODISCARD;
enum claim_result graph_release_task(
    struct graph_place *p, const char *id, struct err *err) NODISCARD;
enum claim_result graph_hand_over(
    struct graph_place *p, const char *id, pid_t owner, pid_t agent, struct err *err) NODISCARD;

/* graph_refresh.c: makes the graph say what the tickets say; nodes without a ticket stay. */
enum claim_result graph_refresh(
    struct graph_place *p, struct buf *problems, struct buf *notes, struct err *err) NODISCARD;

/* graph_prompt.c: what an agent is told. */
void graph_prompt(const struct graph_place *p, const struct graph *g,
    const struct graph_task *t, struct buf *out);

/* graph_command.c: a command gives out tasks instead of us.  Its environment says for whom the
 * command claims, and of which story. */
char **graph_command_env(const struct graph_place *p, pid_t owner) NODISCARD;
/* Call before the command runs, in a loop that has no task: gives back the tasks that an
 * earlier command claimed. */
enum claim_result graph_command_clear(
    struct graph_place *p, pid_t owner, struct err *err) NODISCARD;
/* Takes the answer of the command; the result is that of graph_claim.  CLAIM_CLAIMED: the owner
 * has a task now. */
enum claim_result graph_command_take(struct graph_place *p, const struct asked *asked,
    pid_t owner, struct graph_offer *offer, struct err *err) NODISCARD;
/* Keeps the prompt of the command in the directory `dir` across a restart, since the command
 * cannot be asked for the prompt again. */
int graph_command_keep(int dir, const struct graph_offer *offer, struct err *err) NODISCARD;
bool graph_command_kept(int dir, const char *task, struct buf *prompt);

/* graph_audit.c: NULL for what does not apply. */
struct graph_event {
	const char *event, *task, *before, *after, *notes;
};
void graph_audit(const struct graph_place *p, const struct graph_event *e, struct buf *notes);

/* graph_watch.c: remembers the status of all other tasks when a task is given out.  Tasks that
 * somebody marks by hand after that are put back; each gets a line in notes. */
struct graph_watch {
	int dir;	/* of the loop, where the watch is kept; -1: nowhere */
	char *task;	/* the task of the agent; NULL: nothing is watched */
	char **before;	/* id, status, id, status ... */
	size_t audited; /* bytes of the audit log */
	bool over;	/* the session of the task is, and nobody has compared yet */
	char **gone; /* tasks that were taken out of the graph meanwhile, in this run; NULL */
};
/* Loads the watch that an earlier process kept in `dir`.  `over`: no session of that process is
 * left. */
void graph_watch_keep(struct graph_watch *w, int dir, bool over);
void graph_watch_begin(
    struct graph_place *p, struct graph_watch *w, const char *task, struct buf *notes);
/* Compares and puts back.  After a failure, call again. */
int graph_watch_end(
    struct graph_place *p, struct graph_watch *w, struct buf *notes, struct err *err) NODISCARD;
void graph_watch_release(struct graph_watch *w);

/* ---- shared by the files of graph_place ------------------------------------------------ */

/* Returns `result`; err gets the sentence. */
enum claim_result graph_answer(enum claim_result result, struct err *err, const char *fmt, ...)
    PRINTF(3, 4);
/* Returns CLAIM_REFUSED; err says that no task has that id. */
enum claim_result graph_unknown(const char *id, int code, struct err *err);
/* Takes the lock, for a call that is about claims alone; claims_unlock lets go of it. */
enum claim_result graph_lock(struct graph_place *p, struct err *err) NODISCARD;
/* Takes the lock, reads, and lays the claims over the graph; ended by graph_end. */
enum claim_result graph_begin(
    struct graph_place *p, struct graph *g, struct buf *problems, struct err *err) NODISCARD;
void graph_end(struct graph_place *p, struct graph *g);

/* Changes to the file of a graph that is open; `status` of the tasks changes with them. */
struct yedits;
void graph_set_status(struct yedits *e, struct graph_task *t, enum task_status status);
/* graph_verify.c: checks that the new text is a graph of the same tasks, each with the status
 * that it has in g.  graph_verify_edits reads only what changes, and what is next to a
 * change. */
int graph_verify(const struct graph *g, struct buf *text, struct err *err) NODISCARD;
int graph_verify_edits(const struct graph *g, struct yedits *e, struct err *err) NODISCARD;
/* Counts anew (graph_meta), verifies and writes the file.  Nothing to change: 0. */
int graph_write(
    struct graph_place *p, struct graph *g, struct yedits *e, struct err *err) NODISCARD;
/* Sets a ready or pending task to ready when its dependencies are complete, else to pending;
 * tasks of another status stay. */
void graph_settle(struct yedits *e, struct graph_task *t);

/* graph_meta.c: sets the counts of meta where the file has them, and the date of the last
 * change. */
void graph_meta(struct yedits *e, const struct graph *g);

#endif
