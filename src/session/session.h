/*
 * session.h - one run of one agent, from the supervisor's side.
 *
 * The supervisor forks a keeper (ralph executed anew with a hidden first
 * argument) for every session.  The keeper owns the agent's terminal or pipes, its
 * process tree, the recording, the screen and the watching, and outlives a crash of
 * the supervisor.  What they have in common is the session's directory:
 *
 *   meta.json      what was asked for (session_spec), written before the agent starts
 *   prompt         the prompt's bytes, likewise
 *   keeper.json    identity of the keeper and of the agent, once it runs
 *   output.raw, output.times   the recording
 *   signals.jsonl  every signal, with its sequence number, before it is sent
 *   exit.json      once, atomically, when agent and tree are gone
 *   sock           the keeper's socket (wire.h)
 *   worker         the worker channel: the only socket named in the agent's environment
 *                  (channel.h)
 *   task.lock      flock held by the keeper and inherited by the agent's whole tree
 *
 * The supervisor makes directory, lock and keeper under the name .next, possibly while
 * another session still runs (session_spare_new).  A start gives the directory its name,
 * says over their connection what to run, and the keeper gives its sockets theirs before it
 * starts the agent.  So a directory that is locked is a session that is starting, and one
 * that is not locked and has no `worker` is one that never started.
 *
 * Calls: session_start (new) or session_adopt (after a crash), then callbacks from
 * the event loop, session_end any time, session_free after `ended` or to let go: the
 * keeper and its agent go on.
 *
 * A session with a task may carry several, one after the other: a turn is one task in one
 * session, numbered by its iteration.  The agent tells how its task stands by tags on its
 * screen or in its words (watch/promise.h), or by commands through the worker channel: DONE,
 * STUCK, BLOCKED and PROGRESS.  These, IDLE, ACTIVE, TOLD and DELIVERED come as often as they
 * happen, each with its turn; all other signals once, or once a turn (STALL, UNDELIVERED,
 * ASKS). Nothing that was said before the prompt of a turn was given belongs to it.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/buf.h"
#include "base/err.h"
#include "base/ev.h"
#include "base/exit.h"
#include "loop/settings.h"
#include "loop/verdict.h"

struct session;
struct session_spare;

struct session_spec {
	const char *id;	   /* directory name below sessions_dirfd, and RALPH_SESSION */
	const char *loop;  /* the loop's name, for RALPH_LOOP */
	int64_t iteration; /* RALPH_ITERATION */
	const struct settings *settings; /* command, cwd, env, mode, timeouts, pattern ... */
	const struct buf *prompt;
	int rows, cols;		      /* 0: 40 x 120 */
	int64_t record_cap;	      /* bytes; 0: 1 GiB */
	struct session_spare **spare; /* where one may be; it is used up.  NULL: nowhere */

	int64_t beat; /* `alive` at most so often (ns), while the agent writes; 0: never */

	/* Of a session with tasks: */
	const char *task;  /* id of the first, and RALPH_TASK; NULL: a session without */
	const char *token; /* of the first turn (token.h); NULL: words need none */
	const char *facts; /* a JSON object for the worker channel, or NULL */
	const char *clear; /* what to type between turns; NULL: as the agent's profile says, "":
			      nothing */
};

struct session_signal {
	int64_t seq;
	int64_t turn; /* 0: the session has no tasks */
	enum signal_kind kind;
	const char *text;
	int64_t resets; /* when what it tells of passes (wall clock); 0: nobody knows */
};

struct session_callbacks {
	void (*running)(void *ctx, struct session *s, pid_t agent);
	void (*signal)(void *ctx, struct session *s, const struct session_signal *sig);
	/* Agent and tree are gone (or never came to be: EXIT_NOSTART, text says why). */
	void (*ended)(
	    void *ctx, struct session *s, struct exit_status status, const char *text);
	void *ctx;
	void (*alive)(void *ctx, struct session *s); /* it has written something; may be NULL */
	/* Its keeper has not answered for so long (ns), though a promise about time has passed;
	 * late: the agent's time is over.  Once.  Nothing was done about it. */
	void (*silent)(void *ctx, struct session *s, int64_t span, bool late);
};

/* -1/NULL only when the directory or the keeper could not be made; an agent that cannot
 * be executed comes as ended(EXIT_NOSTART). */
struct session *session_start(struct ev *ev, int sessions_dirfd,
    const struct session_spec *spec, const struct session_callbacks *cb,
    struct err *err) NODISCARD;

/*
 * A keeper that waits in a directory without a name, so that a session can start at once.  It
 * goes when its supervisor does; freeing one ends it and leaves nothing.  Nobody needs one:
 * session_start makes what it lacks.  There is one at most below a directory.
 */
struct session_spare *session_spare_new(
    struct ev *ev, int sessions_dirfd, struct err *err) NODISCARD;
/* -1: all but its directory is gone. */
int session_spare_free(struct session_spare *spare, struct err *err);
/* Takes away what one of a killed supervisor left; for who holds the loop's lock. */
int session_spare_sweep(int sessions_dirfd, struct err *err) NODISCARD;

enum session_probe {
	PROBE_ABSENT,  /* never started: no keeper was made for it */
	PROBE_RUNNING, /* keeper alive: adopted, callbacks will follow */
	PROBE_ENDED,   /* exit.json is there: `ended` will be called from the event loop */
	PROBE_LOST, /* keeper gone without exit.json; its tree, if any was left, has been ended
		     */
};
/* `seq`: the last signal the journal has; later ones are delivered again.
 * A keeper that is starting is waited for (up to 5 s).  NULL when there is nothing to
 * adopt: absent, lost, or, with PROBE_RUNNING and a sentence in err, a session that lives
 * but cannot be reached or ended; that one must not be taken for over. */
struct session *session_adopt(struct ev *ev, int sessions_dirfd, const char *id, int64_t seq,
    const struct session_callbacks *cb, enum session_probe *probe, struct err *err) NODISCARD;

const char *session_id(const struct session *s);
/* TERM, grace, KILL, sweep until no process is left.  Politely: first let it finish by
 * itself (its exit, or 2 s of silence, at most 30 s). */
void session_end(struct session *s, bool politely);
/* Its keeper does not answer: KILL to all below it, then to itself.  `ended` follows, also when
 * the keeper waits for a disk and cannot go. */
void session_kill(struct session *s);
/* The same for a session that could not be adopted. */
void session_kill_lost(int sessions_dirfd, const char *id);
void session_notice(struct session *s, const char *json);

/*
 * The next turn of a session with tasks in a terminal: what the agent says from now on belongs
 * to it.  Clears the agent's context, waits until its screen is at rest and ready again (10 s
 * at most), pastes the prompt; then SIGNAL_DELIVERED of that turn.  A turn that has begun
 * already is not begun again: a supervisor that came back may ask for it once more and is told
 * by the replay of signals whether it was delivered.
 */
int session_assign(struct session *s, int64_t turn, const char *task, const char *token,
    const char *facts, const struct buf *prompt, struct err *err) NODISCARD;
/* Pastes a text and Enter; SIGNAL_TOLD with that number when it is with the agent,
 * SIGNAL_UNDELIVERED when the agent does not take it.  Numbers grow within a session: one that
 * was told is not told again.  Of another turn: dropped. */
int session_tell(struct session *s, int64_t turn, int64_t number, const char *text, size_t len,
    struct err *err) NODISCARD;
/* Somebody thinks that nothing moves: SIGNAL_IDLE when the agent has been still for 10 s, else
 * SIGNAL_ACTIVE.  Of another turn: dropped. */
void session_nudge(struct session *s, int64_t turn);
void session_free(struct session *s);

/*
 * For a supervisor: what an agent leaves that has killed its own keeper comes to this process,
 * and is ended before the session counts as ended.  From then on a child of ours that was
 * started neither through base/process/child.h nor as a job is taken for such a one when a
 * keeper is lost, unless its environment has that entry ("K=V"; NULL: none), which must stay
 * valid, or it is the tmux server of a window of ours.
 */
int session_gather(const char *entry) NODISCARD;

/* The keeper's main; argv as the supervisor made it.  Never returns to a command. */
int keeper_main(int argc, char **argv);
#define KEEPER_ARG "--keeper"
#define SESSION_LOCK "task.lock"

/*
 * Ends a session that no supervisor has: its keeper is asked to (TERM, grace, KILL, sweep), and
 * what is left after `patience` (ns), or without a keeper, is killed.  1: something was ended,
 * 0: nothing of it lived.  -1 as session_sweep.
 */
int session_end_lost(
    int sessions_dirfd, const char *id, int64_t patience, struct err *err) NODISCARD;
/* Ends whatever is left of a session whose keeper is gone.  -1 with code EBUSY when someone
 * still holds its lock and cannot be ended; a session that never was is clear. */
int session_sweep(int sessions_dirfd, const char *id, struct err *err) NODISCARD;

/* The directory that a session was to work in; NULL when it is not known.  The caller frees it.
 */
char *session_cwd(int sessions_dirfd, const char *id) NODISCARD;

/* What a directory tells without a keeper, for status and ls. */
struct session_info {
	bool has_keeper, keeper_alive;
	pid_t agent;
	bool ended;
	struct exit_status exit;
};
int session_info(
    int sessions_dirfd, const char *id, struct session_info *info, struct err *err) NODISCARD;

#endif
