/*
 * leader.h - the parts of a loop over todo.md (private to kind_todo).
 *
 *   leader.c   the kind: its life
 *   lead.c     a task's turn: how it begins, and what becomes of its work
 *   commit.c   its commit, made or waited for
 *   branch.c   where commits go, when that changes
 *   boxes.c    who ticked what, and which lines vanished
 *   check.c    is a task done as its agent says?
 *   tell.c     what an agent is told besides its task
 *   answers.c  answers for an agent without a terminal, in the prompt of its next attempt
 *   story.c    what happened so far, folded from facts, for the views and the last words
 *   listen.c   what comes on stdin: nudges, and answers to "commit?"
 *   picture.c  pictures of the screen
 *   voice.c    the lines of its facts on the console
 */
#ifndef WORK_TODO_LEADER_H
#define WORK_TODO_LEADER_H

#include "git/turn/turn.h"
#include "session/token.h"
#include "supervisor/running.h"
#include "work/shared/astray.h"
#include "work/todo/todo_done.h"
#include "work/todo/views/todo.h"

struct check;
struct lines_in;
struct lead_step;

/* State of a run over a todo list: `own` of struct running. */
struct leader {
	struct todo_view *views;
	struct astray *astray;
	int project; /* the lock of the project; -1 */
	char *dir;   /* of the done files */
	struct todo_results results;
	char *facts;		  /* JSON for the worker channel */
	struct check *check;	  /* that is under way */
	struct lead_step *asking; /* a landing: somebody has to agree to its commit */
	struct lines_in *in;	  /* stdin; NULL when nobody can say anything there */
	char **ticked;		  /* boxes that were put back, as far as that was said; NULL */
	char **gone;		  /* tasks that vanished from the list; NULL */
	struct ev_timer assign;	  /* tries again to give out a task */
	struct effect unassigned;
	int64_t assign_delay;
	bool settling; /* commits that wait are being made */
	bool patient;  /* then: hooks are not asked again about what they have refused */
	bool settled;  /* all of them were tried, and nothing was committed since */
	bool detached; /* the user was told that HEAD is on no branch */
	char *branch;  /* the branch of HEAD; "": none; NULL: not known */
	/* The task that we gave out last, as opposed to a supervisor before us: its iteration
	 * and session. */
	int64_t given;
	char given_to[SESSION_ID_MAX];
};

static inline struct leader *
leader_of(const struct running *r)
{
	return r->own;
}

/* leader.c: records of ours, in JSON.  NULL: there is none that can be read. */
json_t *leader_load(const char *path) NODISCARD;
int leader_save(const char *path, const json_t *v, struct err *err) NODISCARD;

/* lead.c.  lead_give: gives a task to a session, which it starts for EFFECT_START. */
void lead_give(struct running *r, const struct effect *e);
bool lead_closed(struct running *r, const char *session);
void lead_land(struct running *r, const struct effect *e);
/* lead_answered: somebody answered the question whether to commit.  lead_unasked: nobody will
 * answer. */
void lead_answered(struct running *r, bool yes);
bool lead_unasked(struct running *r, const char *session);
/* Directory of the records of how tasks began.  The caller frees the path. */
char *lead_turns(const struct running *r) NODISCARD;
/* The token of a turn: in its prompt, and in whatever else the agent is told to run. */
void lead_token(
    const struct running *r, const char *session, int64_t turn, char out[TOKEN_LEN + 1]);
/* Removes the record of a task that is done, or not on the list any more. */
void lead_forget(struct running *r, const char *task);
/* Frees the landing that waits for an answer: nobody will answer any more. */
void lead_free(struct running *r);

/* commit.c */
/* Lists files that belong to no task: ours, and the list itself. */
char **commit_excepts(const struct settings *s) NODISCARD;
/* Lists the other tasks that wait to be committed, when `task` is done. */
char **commit_earlier(const struct running *r, const char *task) NODISCARD;
/* Commits a turn, in a job.  `summary` is the worker's; NULL: the done file has the summary.
 * `out` gets "text", "commit" (short) when there is a commit, and "waits", the reason, when no
 * commit could be made now; then "summary", too. */
int commit_turn(const struct running *r, const struct turn_spec *t,
    const struct turn_words *words, json_t *out, struct err *err) NODISCARD;
/* Says what a commit had to leave out, if it did; `landed` is what commit_turn filled in. */
void commit_tell_left(struct running *r, const char *task, const json_t *landed);
/* Commits the tasks that wait for their commit; the source is not asked meanwhile.  `patient`:
 * leaves out changes that a hook has refused, as long as the changes are the same. */
void commit_waiting(struct running *r, bool patient);
/* Call before the source is asked: tries waiting commits once more when no other work is
 * left. */
void commit_before_end(struct running *r);

/* branch.c.  branch_note, in a job: writes the branch of HEAD to out's "branch".  branch_tell,
 * after the job: tells the user when the branch has changed. */
void branch_note(const char *root, json_t *out);
void branch_tell(struct running *r, const json_t *v);

/* boxes.c.  In a job: boxes_note notes which boxes are open when a task is given out.
 * boxes_restore, at the end of the task, opens boxes again that others ticked since, lists them
 * in out's "ticked", and writes down the tasks that have no line any more.  `completed`: the
 * task that the caller has just completed; NULL: none. */
int boxes_note(const struct running *r, struct err *err) NODISCARD;
int boxes_restore(
    const struct running *r, const char *completed, json_t *out, struct err *err) NODISCARD;
/* Tells the user which boxes boxes_restore has opened again, and which tasks vanished. */
void boxes_tell(struct running *r, const json_t *v);
/* Puts boxes back and tells the user, for a task that ended without landing, or with another
 * supervisor.  The source is not asked meanwhile. */
void boxes_settle(struct running *r);
/* Tells the user and the source which tasks vanished from the list; known: the user was told
 * before. */
void boxes_tell_gone(struct running *r, bool known);
/* "marked by others: T005", or nothing. */
void boxes_others(const struct running *r, struct buf *out);

/* check.c */
void check_start(struct running *r, const struct effect *e);
void check_free(struct running *r);
/* Runs the verify command, in a job: 0, or 1 with its last output in why. */
int check_verify(const struct settings *s, struct buf *why, struct err *err) NODISCARD;

/* tell.c */
void tell_start(struct running *r, const struct effect *e);
/* The answer to a question about the task, gathered in a job (help.h); a new reference. */
json_t *tell_gather(const struct running *r, const char *task, const char *question,
    const char *screen) NODISCARD;
/* Writes down the help that a worker gets for its question, and says why the help command did
 * not give it. */
void tell_help(struct running *r, const char *task, const char *question, const json_t *answer,
    const char *context);
/* After a job that was to take a picture (picture.h): says why there is none. */
void tell_unseen(struct running *r, const char *task, const json_t *v);
/* Has the worker /ralph_done and its like, as `ralph todo init --claude` makes them? */
bool tell_has_commands(const struct running *r);
/* Tells the agent what was missing when the agent said that the task is done: a TELL_REMINDER
 * or TELL_UNVERIFIED.  `token` is the token of the turn in which the agent is told. */
void tell_lack(const struct running *r, enum tell what, const char *task, const char *token,
    const char *why, struct buf *out);

/* answers.c: for agents without a terminal.  answers_gather, in a job, gathers answers and
 * keeps them in `file`; answers_add adds the answers (NULL: none) to the prompt of the next
 * attempt. */
json_t *answers_gather(const struct running *r, const char *task, const char *file) NODISCARD;
void answers_add(struct running *r, const char *task, const char *token, const json_t *gathered,
    struct buf *prompt);

/* listen.c */
void listen_start(struct running *r);
void listen_stop(struct running *r);
bool listen_can_ask(const struct running *r);

/* voice.c */
voice_fn voice_line;

#endif
