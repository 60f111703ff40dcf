/*
 * loop.h - the only room that decides, and it is pure.
 *
 *     loop_decide(state, input) -> facts + effects
 *     loop_apply(state, fact)   -> state
 *
 * No clock, no file, no process: time comes in with every input, everything
 * else goes out as an effect.  The caller must, in this order: call
 * loop_decide (which does not change the state), write the facts to the journal
 * and wait until they are on disk, loop_commit the decision, carry out the
 * effects.  Replay after a crash calls only loop_apply, so a newer version
 * never re-decides history; then one IN_RECOVER input asks for whatever is
 * still pending.
 *
 * Effects that are pending are visible in the state: a session that is
 * STARTING has to be started, one that is ENDING has to be ended.  Fetching is
 * not a fact: after a crash it is simply done again.
 *
 * Invariants (the simulator checks them after every step):
 *   - never more than settings.parallel sessions; never two for one task;
 *   - started never exceeds max_iterations;
 *   - FINISHED is said once, and only when no session is left;
 *   - nothing starts while the wanted state is not RUN or before `hold`;
 *   - a verdict that is worth nothing leaves the failure count alone.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "loop/fact.h"
#include "loop/settings.h"
#include <stddef.h>

#define LOOP_MAX_SESSIONS 64
/* No decision makes more than two of either per session, and a few of its own. */
#define LOOP_MAX_FACTS (LOOP_MAX_SESSIONS + 8)
#define LOOP_MAX_EFFECTS (2 * LOOP_MAX_SESSIONS + 8)

enum session_state {
	SESSION_FREE,
	SESSION_STARTING,
	SESSION_RUNNING,
	SESSION_ENDING,
	SESSION_STATES
};

struct loop_session {
	enum session_state state;
	char id[SESSION_ID_MAX];
	char task[TASK_ID_MAX];
	int64_t iteration;
	int64_t pid;
	int64_t seq;	      /* last signal that is in the journal */
	enum verdict verdict; /* decided before the end: why we end it */
	struct when started;
	bool unseen; /* a new supervisor has not found it again yet */
};

/* Where the source stands. */
enum fetch {
	FETCH_IDLE,
	FETCH_ASKED, /* an answer will come */
	FETCH_DRY,   /* it had nothing; ask again when a session has ended */
};

enum loop_phase {
	PHASE_NEW, /* no fact yet */
	PHASE_OPEN,
	PHASE_DRAINING, /* the end is decided, sessions are still ending */
	PHASE_FINISHED,
	PHASE_COUNT
};

/* The part of the settings that decisions depend on; edits change it. */
struct policy {
	int64_t max_iterations; /* UNLIMITED or > 0 */
	int64_t max_failures;
	int64_t parallel;
	int64_t delay;
	int64_t max_runtime;
	int64_t inactivity_timeout; /* for messages and views only */
};

struct loop_state {
	struct policy policy;
	enum loop_phase phase;
	enum wanted wanted;
	char uid[20];
	char boot_id[40]; /* of the supervisor that wrote the last `supervised` */
	struct when opened;
	struct when
	    resumed; /* opened, taken over or resumed last: max_runtime counts from here */
	int64_t iteration; /* how many were started */
	int64_t ended;	   /* how many ended */
	int64_t failures;  /* consecutive */
	int64_t total_failures;
	struct when iteration_started;
	struct when iteration_ended;
	struct when hold; /* nothing starts before this moment; {0,0}: no hold */
	bool hold_is_backoff;
	enum end_reason reason; /* decided (DRAINING) or final (FINISHED) */
	char text[TEXT_MAX];	/* its sentence, if it has one */
	struct when finished;
	struct loop_session sessions[LOOP_MAX_SESSIONS];
	enum fetch fetch; /* not in the journal */
};

enum loop_input_kind {
	IN_OPEN,    /* a new loop: uid */
	IN_RECOVER, /* a supervisor took over: pid, boot_id; first input after a replay */
	IN_WANT,    /* wanted; for STOP also the reason (END_STOPPED, END_INTERRUPTED ...) */
	IN_TASK,    /* the source's answer: task */
	IN_NO_TASK, /* nothing to do: reason (END_NO_WORK, END_SOURCE_ERROR), text */
	IN_RUNNING, /* session, pid: the agent was started (or found running) */
	IN_SIGNAL,  /* session, seq, signal, text */
	IN_ENDED,   /* session, exit: it and its tree are gone; EXIT_UNKNOWN: lost */
	IN_TIMER,   /* loop_deadline passed */
	IN_HANGUP,  /* the agents' terminal was closed: they end, the loop goes on */
	IN_EDIT,    /* key, value */
	IN_ALERT,   /* text: a room wants the user told */
	IN_COUNT
};

struct loop_input {
	enum loop_input_kind kind;
	struct when now;
	const char *uid;
	const char *boot_id;
	int64_t pid;
	enum wanted wanted;
	enum end_reason reason;
	const char *session;
	const char *task;
	int64_t seq;
	enum signal_kind signal;
	struct exit_status exit;
	const char *text;
	const char *key;
	int64_t value;
};

enum effect_kind {
	EFFECT_FETCH,  /* ask the source for a task -> IN_TASK | IN_NO_TASK */
	EFFECT_START,  /* start the session -> IN_RUNNING, later IN_ENDED */
	EFFECT_PROBE,  /* after a crash: look for the session -> as EFFECT_START, or IN_ENDED
			  lost */
	EFFECT_END,    /* end the session's tree -> IN_ENDED; `politely`: let it finish first */
	EFFECT_NOTICE, /* tell the sessions that a pause is wanted (or over) */
	EFFECT_ALERT,  /* run --on-alert with text */
	EFFECT_EXIT,   /* the supervisor leaves with this code */
	EFFECT_COUNT
};

struct effect {
	enum effect_kind kind;
	char session[SESSION_ID_MAX];
	char task[TASK_ID_MAX];
	int64_t iteration;
	bool politely;
	bool paused;
	int code;
	char text[TEXT_MAX];
};

struct decision {
	size_t nfacts;
	size_t neffects;
	enum fetch fetch;
	bool illegal; /* the input fits no cell of the tables: nothing was decided; log it */
	struct fact facts[LOOP_MAX_FACTS];
	struct effect effects[LOOP_MAX_EFFECTS];
};

/* A state before its first fact. */
void loop_init(struct loop_state *state, const struct settings *settings);
void loop_decide(
    const struct loop_state *state, const struct loop_input *in, struct decision *out);
void loop_apply(struct loop_state *state, const struct fact *fact);
/* Once the facts are on disk: applies them all. */
void loop_commit(struct loop_state *state, const struct decision *decision);
/* The moment at which IN_TIMER is due; false when there is none. */
bool loop_deadline(const struct loop_state *state, struct when *at);

/* How long to wait after the n-th consecutive failure: min(2^(n-1), 300) s. */
int64_t loop_backoff(int64_t failures);
/* The seed's word: running, paused, stopped or failed. */
const char *loop_status(const struct loop_state *state);
const struct loop_session *loop_find_session(const struct loop_state *state, const char *id);
size_t loop_active(const struct loop_state *state); /* sessions that are not FREE */
bool loop_can_resume(const struct loop_state *state);

#endif
