/*
 * session.h - one run of one agent, from the supervisor's side.
 *
 * The supervisor forks a keeper (ralph executed anew with a hidden first argument) for every
 * session.  The keeper owns the agent's terminal or pipes, its family, the recording, the
 * screen and the watching, and outlives a crash of the supervisor.  Supervisor and keeper share
 * the session's directory:
 *
 *   meta.json      what was asked for (session_spec), written before the agent starts
 *   prompt         the prompt's bytes, likewise
 *   keeper.json    identity of the keeper and of the agent, once it runs
 *   output.raw, output.times   the recording
 *   signals.jsonl  every signal, with its sequence number, before it is sent
 *   exit.json      once, atomically, when the family is gone
 *   sock           the keeper's socket (wire.h)
 *   worker         the worker channel: the only socket named in the agent's environment
 *                  (channel.h)
 *   task.lock      flock held by the keeper and inherited by the whole family
 *
 * The supervisor makes directory, lock and keeper under the name .next, possibly while another
 * session still runs (session_spare_new).  A start gives the directory its name, says over
 * their connection what to run, and the keeper gives its sockets theirs before it starts the
 * agent.  So a locked directory is a session that is starting, and a directory without a lock
 * and without `worker` is a session that never started.
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
 * ASKS). Words from before the prompt of a turn was given do not belong to the turn.
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
	struct session_spare **spare; /* NULL, or the caller's spare, which is used up */

	int64_t beat; /* least time (ns) between two calls of `alive`; 0: it is never called */

	/* Of a session with tasks: */
	const char *task;  /* id of the first task, and RALPH_TASK; NULL: no tasks */
	const char *token; /* of the first turn (token.h); NULL: words need no token */
	const char *facts; /* a JSON object for the worker channel, or NULL */
	/* The command to type between turns; NULL: as the agent's profile says; "": none. */
	const char *clear;
};

struct session_signal {
	int64_t seq;
	int64_t turn; /* 0: the session has no tasks */
	enum signal_kind kind;
	const char *text;
	int64_t resets; /* when the limit that it tells of passes (wall clock); 0: unknown */
};

struct session_callbacks {
	void (*running)(void *ctx, struct session *s, pid_t agent);
	void (*signal)(void *ctx, struct session *s, const struct session_signal *sig);
	/* The family is gone (or never came to be: EXIT_NOSTART, text says why). */
	void (*ended)(
	    void *ctx, struct session *s, struct exit_status status, const char *text);
	void *ctx;
	void (*alive)(void *ctx, struct session *s); /* the agent wrote; may be NULL */
	/* The keeper has not answered for `span` (ns), and a time limit that it should have
	 * kept has passed; `late`: that of the task.  Called once; what to do is up to the
	 * caller. */
	void (*silent)(void *ctx, struct session *s, int64_t span, bool late);
};

/* NULL + err only when the directory or the keeper could not be made; an agent that cannot be
 * executed is reported by `ended` (EXIT_NOSTART). */
struct session *session_start(struct ev *ev, int sessions_dirfd,
    const struct session_spec *spec, const struct session_callbacks *cb,
    struct err *err) NODISCARD;

/*
 * A spare is a keeper that waits in a directory without a name, so that a session can start at
 * once.  The spare goes when its supervisor goes; freeing a spare ends the keeper and leaves
 * nothing.  A spare is optional: session_start makes what it lacks.  There is at most one spare
 * below a directory.
 */
struct session_spare *session_spare_new(
    struct ev *ev, int sessions_dirfd, struct err *err) NODISCARD;
/* -1: the keeper is gone, but the directory is not. */
int session_spare_free(struct session_spare *spare, struct err *err);
/* Removes what the spare of a killed supervisor left.  The caller holds the loop's lock. */
int session_spare_sweep(int sessions_dirfd, struct err *err) NODISCARD;

enum session_probe {
	PROBE_ABSENT,  /* never started: no keeper was made for it */
	PROBE_RUNNING, /* keeper alive: adopted, callbacks will follow */
	PROBE_ENDED,   /* exit.json is there: `ended` will be called from the event loop */
	PROBE_LOST, /* keeper gone without exit.json; what was left of the family was ended */
};
/* `seq`: the last signal the journal has; later ones are delivered again.  Waits for a keeper
 * that is starting (up to 5 s).  NULL when there is nothing to adopt: absent, lost, or, with
 * PROBE_RUNNING and a sentence in err, a session that lives but cannot be reached or ended;
 * such a session must not be taken for over. */
struct session *session_adopt(struct ev *ev, int sessions_dirfd, const char *id, int64_t seq,
    const struct session_callbacks *cb, enum session_probe *probe, struct err *err) NODISCARD;

const char *session_id(const struct session *s);
/* TERM, grace, KILL, sweep until no process is left.  Politely: first lets the agent finish by
 * itself (its exit, or 2 s of silence, at most 30 s). */
void session_end(struct session *s, bool politely);
/* For a session whose keeper does not answer: sends KILL to all processes below the keeper,
 * then to the keeper.  `ended` follows, also when the keeper waits for a disk and cannot go. */
void session_kill(struct session *s);
/* As session_kill, for a session that could not be adopted. */
void session_kill_lost(int sessions_dirfd, const char *id);
void session_notice(struct session *s, const char *json);

/*
 * Begins the next turn of a session with tasks in a terminal: the agent's words from now on
 * belong to that turn.  Clears the agent's context, waits until its screen is at rest and ready
 * again (10 s at most), pastes the prompt; then SIGNAL_DELIVERED of that turn.  A turn that has
 * begun already is not begun again: a supervisor that came back may ask for the turn once more,
 * and the replay of signals tells whether the turn was delivered.
 */
int session_assign(struct session *s, int64_t turn, const char *task, const char *token,
    const char *facts, const struct buf *prompt, struct err *err) NODISCARD;
/* Pastes a text and Enter; SIGNAL_TOLD with that number follows when the agent has the text,
 * SIGNAL_UNDELIVERED when the agent does not take the text.  Numbers grow within a session: a
 * number that was told is not told again.  A text for another turn is dropped. */
int session_tell(struct session *s, int64_t turn, int64_t number, const char *text, size_t len,
    struct err *err) NODISCARD;
/* Asks whether the agent moves: SIGNAL_IDLE when the agent has been still for 10 s, else
 * SIGNAL_ACTIVE.  A nudge for another turn is dropped. */
void session_nudge(struct session *s, int64_t turn);
void session_free(struct session *s);

/*
 * For a supervisor: when an agent has killed its own keeper, the processes that it leaves
 * become children of this process, and are ended before the session counts as ended.  From then
 * on, when a keeper is lost, a child of ours counts as such a process if it was started neither
 * through base/process/child.h nor as a job.  Exceptions are a child whose environment has
 * `entry` ("K=V"; NULL: none), which must stay valid, and the tmux server of a window of ours.
 */
int session_gather(const char *entry) NODISCARD;

/* The keeper's main; argv as the supervisor made it.  Never returns to a command. */
int keeper_main(int argc, char **argv);
#define KEEPER_ARG "--keeper"
#define SESSION_LOCK "task.lock"

/*
 * Ends a session that no supervisor has: asks the keeper to end the session (TERM, grace, KILL,
 * sweep), and kills the processes that are left after `patience` (ns), or that have no keeper.
 * 1: something was ended, 0: no process of the session lived.  -1 as session_sweep.
 */
int session_end_lost(
    int sessions_dirfd, const char *id, int64_t patience, struct err *err) NODISCARD;
/* Ends every process that is left of a session whose keeper is gone.  -1 with code EBUSY when a
 * process still holds the session's lock and cannot be ended.  0 for a session that never
 * was. */
int session_sweep(int sessions_dirfd, const char *id, struct err *err) NODISCARD;

/* The directory that a session was to work in; NULL when not known.  The caller frees the
 * path. */
char *session_cwd(int sessions_dirfd, const char *id) NODISCARD;

/* Facts that a session's directory tells without its keeper, for status and ls. */
struct session_info {
	bool has_keeper, keeper_alive;
	pid_t agent;
	bool ended;
	struct exit_status exit;
};
int session_info(
    int sessions_dirfd, const char *id, struct session_info *info, struct err *err) NODISCARD;

#endif
