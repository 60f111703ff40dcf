/*
 * loop.h - the only room that decides, and it is pure.
 *
 *     loop_decide(state, input) -> facts + effects
 *     loop_apply(state, fact)   -> state
 *
 * No clock, no file, no process: time comes in with every input, everything else goes out as an
 * effect.  The caller must, in this order: call loop_decide (which does not change the state),
 * write the facts to the journal and wait until they are on disk, loop_commit the decision,
 * carry out the effects.  Replay after a crash calls only loop_apply, so a newer version never
 * re-decides history; then one IN_RECOVER input asks for everything that is still pending.
 *
 * Effects that are pending are visible in the state: a session that is
 * STARTING has to be started, one that is ENDING has to be ended.  Fetching is
 * not a fact: after a crash it is simply done again.
 *
 * Invariants (the simulator checks them after every step):
 *   - never more than settings.parallel sessions; never two for one task;
 *   - started never exceeds max_iterations; further attempts at a task do not count;
 *   - FINISHED is said once, and only when no session is left;
 *   - a loop that was asked to leave (SIGTERM) leaves within term_wait, and ends no agent
 *     before that;
 *   - nothing starts while the wanted state is not RUN or before `hold`;
 *   - nothing starts between two passes of --once: after `left`, before the next supervisor;
 *   - a slot whose agent ended rests for policy.delay; others do not, nor does the end wait;
 *   - a decision leaves no deadline behind that has passed;
 *   - a verdict that is worth nothing leaves the failure count alone;
 *   - what a limit or a refused login stopped costs neither an iteration nor an attempt;
 *   - no two sessions whose components overlap; none for a task that is completed or failed
 *     for good in this run;
 *   - what another loop has is not started, costs nothing, and is waited for;
 *   - a session that is FREE is zero bytes.
 *
 * Where work lands (marks of a regime, loop/regime.h) a session that ended keeps its slot and
 * its components until its landing is over.
 *
 * A loop that leads listens to the words of its agents: it checks a done, answers a question
 * and nudges a silent agent.  A check or a word that the loop owes an agent is in the state
 * until it is over, so a crash loses no answer.  Where agents are kept, a task's turn ends
 * without its agent: the work lands, then the agent WAITS for its next task.  An agent on pipes
 * (policy.exits) cannot be told anything: words to such an agent are for the next attempt at
 * its task.  If it ends after a question, it has ASKED, which costs neither an attempt nor an
 * iteration.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "loop/fact.h"
#include "loop/regime.h"
#include "loop/settings.h"
#include <stddef.h>

#define LOOP_MAX_SESSIONS 64
/* How many tasks a run remembers, with the attempts at each and their outcome. */
#define LOOP_MAX_TASKS 4096
/* No decision makes more than a fact or two effects per session, and a few besides. */
#define LOOP_MAX_FACTS (LOOP_MAX_SESSIONS + 8)
#define LOOP_MAX_EFFECTS (2 * LOOP_MAX_SESSIONS + 8)

/* state of a session, its name in snapshots */
#define SESSION_STATE_ROWS(X)                                                             \
	X(FREE, "free")                                                                   \
	X(STARTING, "starting")                                                           \
	X(RUNNING, "running")                                                             \
	X(ENDING, "ending")                                                               \
	X(LANDING,                                                                        \
	    "landing") /* the agent is gone, or kept; its work is being landed or kept */ \
	X(WAITING, "waiting")	/* an agent without a task */                             \
	X(BRIEFING, "briefing") /* has its next task, which has to be delivered */

enum session_state {
#define X(id, name) SESSION_##id,
	SESSION_STATE_ROWS(X)
#undef X
	    SESSION_STATES
};

/* Messages to an agent besides its task. */
#define TELLS(X)                                                                        \
	X(NOTHING, "")                                                                  \
	X(HELP, "help")		    /* an answer to its question */                     \
	X(REMINDER, "reminder")	    /* that its word alone does not make a task done */ \
	X(UNVERIFIED, "unverified") /* that our own check refuses its work */           \
	X(PROBE, "probe")	    /* a probe: is the agent still there? */            \
	X(AGAIN, "again")	    /* the task, once more */

enum tell {
#define X(id, name) TELL_##id,
	TELLS(X)
#undef X
	    TELL_COUNT
};

/* The rows of these tables are those of FACT_FIELDS, with three letters more: P phase, A
 * session_state, T tell.  The struct and the snapshot are made of the same rows. */
#define SESSION_MEMBERS(F)                                                                   \
	F(enum session_state, state, , A)                                                    \
	F(char, id, [SESSION_ID_MAX], S)                                                     \
	F(char, task, [TASK_ID_MAX], S)                                                      \
	F(int64_t, iteration, , I)                                                           \
	F(int64_t, pid, , I)                                                                 \
	F(int64_t, seq, , I)	      /* last signal that is in the journal */               \
	F(enum verdict, verdict, , V) /* decided before the end: why we end it */            \
	F(struct when, started, , M)                                                         \
	F(bool, unseen, , B)	/* a new supervisor has not found it again yet */            \
	F(bool, promised, , B)	/* the agent said that it is done */                         \
	F(int64_t, resets, , I) /* when the limit passes, as the agent said (wall clock) */  \
	F(struct exit_status, exit, , X) /* while it lands */                                \
	F(int64_t, attempt, , I)                                                             \
	F(char, components, [COMPONENTS_MAX], S)                                             \
	/* Where the loop leads: */                                                          \
	F(bool, kept, , B)	/* while it lands: the agent stays */                        \
	F(bool, claimed, , B)	/* the agent's "done" is to be checked */                    \
	F(bool, reminded, , B)	/* the agent was told what `done` needs */                   \
	F(int64_t, nudges, , I) /* how many, since it moved last */                          \
	F(enum tell, tell, , T) /* the message that the agent is owed */                     \
	F(int64_t, tells, , I)	/* messages so far, with this one: the number of this one */ \
	F(char, about, [TEXT_MAX], S) /* the agent's question, or what was wrong */

struct loop_session {
#define F(type, name, dimension, letter) type name dimension;
	SESSION_MEMBERS(F)
#undef F
};

/* How often a question was asked, by a hash of task and question. */
struct loop_asked {
	uint64_t hash;
	int64_t times;
};
#define LOOP_MAX_ASKED 64

/* One task of the past of this run.  A hash of the id identifies the task: a collision takes
 * about 2^32 tasks, and costs no more than a ticket that waits for the next run. */
struct loop_task {
	uint64_t hash;
	uint16_t attempts;
	uint16_t questions; /* that were answered, and interventions of our own */
	bool completed;
	bool failed;   /* for good */
	bool unlanded; /* done, but its work is not where it belongs yet */
};

/* Where the source stands. */
enum fetch {
	FETCH_IDLE,
	FETCH_ASKED, /* an answer will come */
	FETCH_DRY,   /* had nothing; is asked again when a session has ended */
	FETCH_RESTS, /* was asked while all slots rest; is asked again when one has rested,
			or a session has ended */
};

/* phase, its name in snapshots */
#define PHASES(X)                                                                   \
	X(NEW, "new") /* no fact yet */                                             \
	X(OPEN, "open")                                                             \
	X(DRAINING, "draining") /* the end is decided, sessions are still ending */ \
	X(FINISHED, "finished")

enum loop_phase {
#define X(id, name) PHASE_##id,
	PHASES(X)
#undef X
	    PHASE_COUNT
};

/* The part of the settings that decisions depend on; edits change it.  The M rows are the
 * places of the regime's marks (loop/regime.h) among the members of a snapshot. */
#define POLICY_MEMBERS(F, M)                                                            \
	F(int64_t, max_iterations, , I) /* UNLIMITED or > 0 */                          \
	F(int64_t, max_failures, , I)                                                   \
	F(int64_t, parallel, , I)                                                       \
	F(int64_t, delay, , I)                                                          \
	F(int64_t, max_runtime, , I)                                                    \
	F(int64_t, inactivity_timeout, , I) /* for messages and views only */           \
	M(lands)                                                                        \
	F(int64_t, attempts, , I) /* of a task in a run */                              \
	F(int64_t, retry_on, , I) /* 1 << verdict: what gets another attempt */         \
	F(int64_t, untagged, , I) /* enum untagged */                                   \
	F(int64_t, success, , I)  /* enum success */                                    \
	F(int64_t, exits, , I)	  /* an agent that said it is done leaves by itself */  \
	M(leads)                                                                        \
	M(keeps)                                                                        \
	F(int64_t, interventions, , I) /* how often the same question is answered */    \
	F(int64_t, nudges, , I)                                                         \
	M(tracked)                                                                      \
	/* How long agents may finish when we are to leave; 0: for ever. */             \
	F(int64_t, term_wait, , I)                                                      \
	F(int64_t, judged, , I) /* how the iterations went decides how the loop ends */ \
	F(int64_t, sought, , I) /* there is a done pattern */                           \
	M(given)

struct policy {
	enum regime regime;
#define F(type, name, dimension, letter) type name dimension;
#define M(name)
	POLICY_MEMBERS(F, M)
#undef M
#undef F
};

/* An agent without a terminal hears nothing: words to such an agent are for the next
 * attempt. */
static inline bool
policy_is_deaf(const struct policy *policy)
{
	return policy->exits != 0;
}

#define STATE_MEMBERS(F)                                                                    \
	F(enum loop_phase, phase, , P)                                                      \
	F(enum wanted, wanted, , W)                                                         \
	F(char, uid, [20], S)                                                               \
	F(char, boot_id, [40], S) /* of the supervisor that wrote the last `supervised` */  \
	F(struct when, opened, , M)                                                         \
	/* Opened, taken over or resumed last: max_runtime counts from here. */             \
	F(struct when, resumed, , M)                                                        \
	F(struct when, leave_asked, , M) /* while WANT_LEAVE is wanted */                   \
	F(int64_t, iteration, , I)	 /* the number of the last one that was started */  \
	/* Numbers that do not count: given back, or of a further attempt. */               \
	F(int64_t, returned, , I)                                                           \
	F(int64_t, ended, , I)	  /* how many ended */                                      \
	F(int64_t, failures, , I) /* consecutive */                                         \
	F(int64_t, total_failures, , I)                                                     \
	/* Iterations that failed, as the loop's end is judged (verdict_tally). */          \
	F(int64_t, spoilt, , I)                                                             \
	F(int64_t, idled, , I) /* and those of which nobody can tell */                     \
	F(struct when, iteration_started, , M)                                              \
	F(struct when, iteration_ended, , M)                                                \
	F(struct when, hold, , M) /* nothing starts before this moment; {0,0}: no hold */   \
	/* The last supervisor left when a pass was over; a crash leaves no such word. */   \
	F(bool, left, , B)                                                                  \
	F(bool, hold_is_backoff, , B)                                                       \
	F(bool, hold_is_limit, , B)                                                         \
	F(int64_t, limits, , I)	    /* how often in a row a limit stopped an agent */       \
	F(int64_t, unanswered, , I) /* how often in a row the source could not tell */      \
	F(struct when, unread, , M) /* since when */                                        \
	F(char, unread_why, [TEXT_MAX], S)                                                  \
	F(bool, unread_told, , B)	/* an alert has told of that */                     \
	F(enum end_reason, reason, , R) /* decided (DRAINING) or final (FINISHED) */        \
	F(char, text, [TEXT_MAX], S)	/* the reason's sentence, or "" */                  \
	F(struct when, finished, , M)                                                       \
	F(int64_t, completed, , I)  /* tasks, where work lands or the source knows */       \
	F(int64_t, failed, , I)	    /* for good; or of a source that knows: iterations */   \
	F(int64_t, nasked, , I)	    /* the oldest are forgotten */                          \
	F(int64_t, unfinished, , I) /* of a source that knows: ended well, task not done */ \
	/* Tasks that are done, but whose work is not where it belongs yet. */              \
	F(int64_t, unlanded, , I)

struct loop_state {
	struct policy policy;
#define F(type, name, dimension, letter) type name dimension;
	STATE_MEMBERS(F)
#undef F
	struct when rests[LOOP_MAX_SESSIONS]; /* each keeps one slot empty until then */
	struct loop_asked asked[LOOP_MAX_ASKED];
	enum fetch fetch; /* not in the journal */
	size_t ntasks;
	/* The large arrays come last: most loops use a corner of them, and loop_copy leaves the
	 * rest alone. */
	struct loop_session sessions[LOOP_MAX_SESSIONS];
	struct loop_task tasks[LOOP_MAX_TASKS];
};

/*
 * Everything that can happen to a loop: input, then the on_* function (loop/loop.c) that
 * decides the input while the loop is NEW, OPEN, DRAINING, FINISHED.  `session`: the state of
 * the session that the input names decides (loop/sessions.c).  `illegal`: the input cannot
 * occur then, and is logged.
 */
#define INPUTS(X)                                                                              \
	/* a new loop: uid */                                                                  \
	X(OPEN, open, illegal, illegal, illegal)                                               \
	/* a supervisor took over: pid, boot_id; first input after a replay */                 \
	X(RECOVER, illegal, recover, recover, recover_finished)                                \
	/* wanted; for STOP also the reason (END_STOPPED, END_INTERRUPTED ...) */              \
	X(WANT, illegal, want, want_draining, reopen)                                          \
	/* the source's answer: candidates, best first; waiting, text: those that cannot be    \
	 * done now, and why */                                                                \
	X(TASKS, illegal, tasks, late_answer, late_answer)                                     \
	/* reason (END_NO_WORK, END_WAITING, END_SOME_FAILED: what is left waits for one that  \
	 * failed, END_SOURCE_ERROR, END_QUERY_ERROR), text; END_NONE: it could not tell, and  \
	 * is asked again later */                                                             \
	X(NO_TASK, illegal, no_task, late_answer, late_answer)                                 \
	/* session: it was to be started and is not there */                                   \
	X(ABSENT, illegal, session, session, illegal)                                          \
	/* session: it was to be started, but another loop has its task */                     \
	X(TAKEN, illegal, session, session, illegal)                                           \
	/* session, pid: the agent was started (or found running) */                           \
	X(RUNNING, illegal, session, session, illegal)                                         \
	/* session, seq, turn, signal, text, resets */                                         \
	X(SIGNAL, illegal, session, session, illegal)                                          \
	/* session, turn, verdict (DONE, NOT_CLOSED, UNVERIFIED), text */                      \
	X(CHECKED, illegal, session, session, illegal)                                         \
	/* text: somebody outside thinks that nothing moves */                                 \
	X(NUDGE, illegal, nudge, nudge, illegal)                                               \
	/* session, verdict (TIMEOUT: its time is over; else NONE), text: its keeper does not  \
	 * answer any more */                                                                  \
	X(SILENT, illegal, session, session, illegal)                                          \
	/* session, exit, closed: it and its tree are gone; EXIT_UNKNOWN: lost */              \
	X(ENDED, illegal, session, session, illegal)                                           \
	/* session, verdict (DONE, CONFLICT, UNVERIFIED, FAILED), fate, text, key (commit) */  \
	X(LANDED, illegal, session, session, illegal)                                          \
	/* task, verdict, fate, text, key: what another run made of it, or what became of work \
	 * that waited */                                                                      \
	X(SETTLED, illegal, settled, illegal, illegal)                                         \
	/* the source may have something new */                                                \
	X(NEWS, illegal, news, timer, timer)                                                   \
	/* loop_deadline passed */                                                             \
	X(TIMER, illegal, timer, timer, timer)                                                 \
	/* one look and one filling of slots were wanted (--once), and are over */             \
	X(PASS, illegal, pass, illegal, illegal)                                               \
	/* the agents' terminal was closed: they end, the loop goes on */                      \
	X(HANGUP, illegal, hangup, hangup, illegal)                                            \
	/* key, value */                                                                       \
	X(EDIT, illegal, edit, edit, edit)                                                     \
	/* text: a room wants the user told */                                                 \
	X(ALERT, illegal, alert, alert, alert)

enum loop_input_kind {
#define X(id, new, open, draining, finished) IN_##id,
	INPUTS(X)
#undef X
	    IN_COUNT
};

/* A task that could be started. */
struct candidate {
	const char *id;
	const char *components; /* joined by commas; "" or NULL: none are known */
	const char *title;
	bool taken; /* another loop has it now; IN_NEWS comes when that is over */
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
	const struct candidate *candidates;
	size_t ncandidates;
	size_t waiting;
	int64_t seq;
	int64_t turn; /* the iteration it belongs to; 0: whichever it is */
	enum signal_kind signal;
	struct exit_status exit;
	bool closed; /* the source says that the task is done */
	enum verdict verdict;
	enum fate fate;
	const char *text;
	const char *key;
	const char *others; /* tasks: of an answer, those that somebody else said are done; of a
			       landing, those that its agent meddled with; NULL */
	bool unchecked;	    /* of an answer: nobody knows who closed some of `others` */
	const char *left;   /* of a landing: what git ignored, and what became of it; or the
			       commit that an agent made by itself; NULL */
	const char *unlanded; /* of any: what is done and waits for its branch, or was
				 taken off it; NULL */
	const char *blocked;  /* of a stop, and where the time is used: tasks that wait for
				 something, and  for what; NULL: none does, or it is not known */
	int64_t value;
	int64_t resets; /* of SIGNAL_LIMIT: when it passes (wall clock); 0: not said */
};

enum effect_kind {
	EFFECT_FETCH,  /* ask the source for tasks -> IN_TASKS | IN_NO_TASK; `looks`: none of
			  them will be started */
	EFFECT_START,  /* start the session -> IN_RUNNING, later IN_ENDED; or IN_TAKEN */
	EFFECT_PROBE,  /* after a crash: look for the session -> as EFFECT_START, or IN_ENDED
			  lost, or IN_ABSENT */
	EFFECT_END,    /* end the session's family -> IN_ENDED; `politely`: let it finish first;
			  `forced`: its keeper with it, which does not answer */
	EFFECT_LAND,   /* land (verdict DONE) or keep (others) its work -> IN_LANDED */
	EFFECT_ASSIGN, /* give the session its next task -> SIGNAL_DELIVERED */
	EFFECT_CHECK,  /* is the task done as the agent says? -> IN_CHECKED */
	EFFECT_TELL,   /* tell, number, text: say it to the agent -> SIGNAL_TOLD */
	EFFECT_NUDGE,  /* look whether the agent moves -> SIGNAL_IDLE if it does not */
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
	int64_t attempt;
	enum verdict verdict;
	bool politely;
	bool forced;
	bool paused;
	bool looks;
	bool kept; /* EFFECT_LAND: the agent lives on, and what it did was checked */
	enum tell tell;
	int64_t number;
	int code;
	char text[TEXT_MAX];
};

/* Why a slot stays empty though there is work: the first candidate that has to wait, and for
 * which session.  Empty strings: no slot does. */
struct idle_slot {
	char task[TASK_ID_MAX];
	char session[SESSION_ID_MAX];
	char component[COMPONENTS_MAX]; /* a component of both; "": one of them has none */
};

struct decision;

/* A decision being made (loop/deciding.h).  It is a part of struct decision because it is too
 * large for the stack of a process that waits for days. */
struct deciding {
	struct loop_state s;
	const struct loop_input *in;
	struct decision *out;
};

/* One decision after the other may be made in the same struct, which begins as zero bytes. */
struct decision {
	size_t nfacts;
	size_t neffects;
	enum fetch fetch;
	bool illegal; /* the input fits no cell of the tables: nothing was decided; log it */
	struct idle_slot idle;
	size_t resting; /* slots that rest though there is a task to start in them */
	struct fact facts[LOOP_MAX_FACTS];
	struct effect effects[LOOP_MAX_EFFECTS];
	struct deciding deciding; /* private to loop_decide */
};

/* Makes of a state, or of zero bytes, a state before its first fact; loop_clear keeps its
 * policy. */
void loop_init(struct loop_state *state, const struct settings *settings, enum regime regime);
void loop_clear(struct loop_state *state);
void loop_decide(
    const struct loop_state *state, const struct loop_input *in, struct decision *out);
void loop_apply(struct loop_state *state, const struct fact *fact);
/* Applies all facts of a decision.  Call once the facts are on disk. */
void loop_commit(struct loop_state *state, const struct decision *decision);
/* The moment at which IN_TIMER is due; false when there is none.  `now` (boot time) is that of
 * the last decision. */
bool loop_deadline(const struct loop_state *state, int64_t now, struct when *at);
/* The moment before which nothing can start, though nothing is under way; false when there
 * is none. */
bool loop_waits(const struct loop_state *state, int64_t now, struct when *until);

/* Has the loop had all of its time (max_runtime)? */
bool loop_out_of_time(const struct loop_state *state, int64_t now);

/* How long to wait after the n-th consecutive failure: min(2^(n-1), 300) s. */
int64_t loop_backoff(int64_t failures);
/* How long to wait after the n-th limit in a row, when no agent names one: min(60 * 2^(n-1),
 * 600) s. */
int64_t loop_limit_wait(int64_t limits);
/* The seed's word: running, paused, stopped or failed.  Of a loop that its supervisor left when
 * a pass of --once was over: between-turns. */
const char *loop_status(const struct loop_state *state);
/* As loop_status, but with a word for each kind of end: complete, incomplete, blocked ...  A
 * loop that keeps the seed's words has only those. */
const char *loop_word(const struct loop_state *state);
/* Was the loop made by `swarm`, or by a version that judged nothing?  Then its ends have the
 * words and the exit codes of the original. */
bool loop_keeps_seed(const struct loop_state *state);
const struct loop_session *loop_find_session(const struct loop_state *state, const char *id);
/* May the agent of a session that is ENDING finish first?  The agent said that it is done. */
bool loop_may_finish(const struct loop_session *one);
size_t loop_active(const struct loop_state *state); /* sessions that are not FREE */
size_t loop_busy(const struct loop_state *state);   /* those that have a task */
/* A hash of a task and a question about it; questions that only look different have the same
 * hash. */
uint64_t loop_question(const char *task, const char *question);
/* How often the question was asked, this time included. */
int64_t loop_times_asked(
    const struct loop_state *state, const char *task, const char *question);
/* The parse functions are -1 when the name is unknown. */
const char *tell_name(enum tell t);
int tell_parse(const char *name);
const char *phase_name(enum loop_phase p);
int phase_parse(const char *name);
const char *session_state_name(enum session_state s);
int session_state_parse(const char *name);
bool loop_can_resume(const struct loop_state *state);
/* Copies what is used of *from to *to, which is a state or zero bytes. */
void loop_copy(struct loop_state *to, const struct loop_state *from);
/* The task as this run remembers it; NULL when this run does not know the task. */
const struct loop_task *loop_find_task(const struct loop_state *state, const char *id);

#endif
