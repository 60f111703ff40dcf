/*
 * fact.h - one thing that was decided or happened.
 *
 * The journal is a list of facts; the state of a loop is their fold (loop_apply).  A fact is a
 * flat value without pointers, so that it can be copied, compared and kept in arrays.  The row
 * of a kind names the members that it uses; only those are written to the journal.
 */
#ifndef LOOP_FACT_H
#define LOOP_FACT_H

#include "base/exit.h"
#include "base/when.h"
#include "loop/verdict.h"

#define SESSION_ID_MAX 48 /* "<16 hex>-<iteration>" */
#define TASK_ID_MAX 96
#define TEXT_MAX 320
#define TITLE_MAX 160
#define COMPONENTS_MAX \
	160 /* "api,ui"; what is longer is kept as "*", which overlaps with all */

/*
 * The members of a fact: C type, name, dimension, letter.  struct fact, its mask of members and
 * its JSON (record/value.h) are made of these rows, in this order.  Letters: I int64, B bool, S
 * text, M moment, X exit status, W wanted, V verdict, R end reason, G signal, K fate.
 */
#define FACT_FIELDS(F)                                                                      \
	F(char, uid, [20], S)                                                               \
	F(char, boot_id, [40], S)                                                           \
	F(int64_t, pid, , I)                                                                \
	F(enum wanted, wanted, , W)                                                         \
	F(char, session, [SESSION_ID_MAX], S)                                               \
	F(char, task, [TASK_ID_MAX], S)                                                     \
	F(int64_t, iteration, , I)                                                          \
	F(int64_t, seq, , I)                                                                \
	F(enum signal_kind, signal, , G)                                                    \
	F(enum verdict, verdict, , V)                                                       \
	F(struct exit_status, exit, , X)                                                    \
	F(int64_t, duration, , I) /* ns */                                                  \
	F(int64_t, failures, , I) /* consecutive, after this fact; limited: how often */    \
	F(struct when, until, , M)                                                          \
	F(int64_t, delay, , I) /* ns */                                                     \
	F(enum end_reason, reason, , R)                                                     \
	F(char, text, [TEXT_MAX], S)                                                        \
	F(char, key, [32], S) /* landed: the commit */                                      \
	F(int64_t, value, , I)                                                              \
	F(int64_t, attempt, , I) /* of its task, in this run: 1.. */                        \
	F(char, components, [COMPONENTS_MAX], S)                                            \
	F(char, title, [TITLE_MAX], S)                                                      \
	F(int64_t, landing, , I) /* 1: its work is to be landed; `landed` follows */        \
	F(int64_t, retry, , I)	 /* 1: the task may be tried again in this run */           \
	F(int64_t, kept, , I)	 /* 1: the agent stays for the next task */                 \
	F(char, why, [TEXT_MAX], S)                                                         \
	F(enum fate, fate, , K)                                                             \
	/* "a, b"; landed: tasks that its agent meddled with; finished: tasks that somebody \
	 * else said are done */                                                            \
	F(char, others, [TEXT_MAX], S)                                                      \
	F(int64_t, resets, , I) /* when the agent's limit passes (wall clock); 0: not said */

enum fact_field {
#define F(type, name, dimension, letter) FIELD_##name,
	FACT_FIELDS(F)
#undef F
	    FIELD_COUNT
};
#define HAS(name) (1u << FIELD_##name)
/* Members that are written only when they are not zero or empty: loops without tickets do not
 * have them. */
#define FACT_OPTIONAL                                                                          \
	(HAS(attempt) | HAS(components) | HAS(title) | HAS(landing) | HAS(retry) | HAS(kept) | \
	    HAS(why) | HAS(key) | HAS(fate) | HAS(others) | HAS(resets))

/* kind, name, apply_* function (loop/apply.c), members, what it says */
#define FACTS(X)                                                                              \
	X(OPENED, "opened", opened, HAS(uid), "the loop was created")                         \
	X(SUPERVISED, "supervised", supervised, HAS(pid) | HAS(boot_id),                      \
	    "a supervisor took the loop")                                                     \
	X(WANTED, "wanted", wanted, HAS(wanted) | HAS(reason) | HAS(text),                    \
	    "someone asked to run, pause, leave or stop")                                     \
	X(STARTED, "started", started,                                                        \
	    HAS(session) | HAS(task) | HAS(iteration) | HAS(attempt) | HAS(components) |      \
		HAS(title),                                                                   \
	    "an iteration began; its session is to be started")                               \
	X(UNSTARTED, "unstarted", unstarted, HAS(session) | HAS(task) | HAS(iteration),       \
	    "it was given back: no agent came, and none is wanted now")                       \
	X(RUNNING, "running", running, HAS(session) | HAS(pid), "the agent runs")             \
	X(SIGNALLED, "signalled", signalled,                                                  \
	    HAS(session) | HAS(seq) | HAS(signal) | HAS(text) | HAS(resets),                  \
	    "its keeper told something")                                                      \
	X(ENDING, "ending", ending, HAS(session) | HAS(verdict) | HAS(why),                   \
	    "the agent is asked to end")                                                      \
	X(ENDED, "ended", ended,                                                              \
	    HAS(session) | HAS(task) | HAS(iteration) | HAS(verdict) | HAS(exit) |            \
		HAS(duration) | HAS(failures) | HAS(landing) | HAS(kept) | HAS(why),          \
	    "the agent and its tree are gone; kept: only its turn is over")                   \
	X(ASSIGNED, "assigned", assigned,                                                     \
	    HAS(session) | HAS(task) | HAS(iteration) | HAS(attempt) | HAS(title),            \
	    "an iteration began: an agent that waited gets its next task")                    \
	X(DISMISSED, "dismissed", dismissed, HAS(session),                                    \
	    "an agent that had no task any more is gone")                                     \
	X(CHECKED, "checked", checked, HAS(session) | HAS(verdict) | HAS(text),               \
	    "what the agent said was done was looked at")                                     \
	X(TELLING, "telling", telling, HAS(session) | HAS(key) | HAS(value) | HAS(text),      \
	    "the agent is to be told something: help, a reminder, a nudge")                   \
	X(NUDGED, "nudged", nothing, HAS(text), "somebody outside thinks that nothing moves") \
	X(LANDED, "landed", landed,                                                           \
	    HAS(session) | HAS(task) | HAS(iteration) | HAS(attempt) | HAS(verdict) |         \
		HAS(exit) | HAS(failures) | HAS(retry) | HAS(fate) | HAS(text) | HAS(key) |   \
		HAS(others) | HAS(why),                                                       \
	    "its work was landed, or kept where it can be found; why: what git ignored, "     \
	    "or the commit that an agent made by itself")                                     \
	X(SETTLED, "settled", settled,                                                        \
	    HAS(task) | HAS(verdict) | HAS(fate) | HAS(text) | HAS(key),                      \
	    "another run's outcome for a task was taken over, or what waited has landed")     \
	X(BACKOFF, "backoff", hold, HAS(until) | HAS(delay) | HAS(failures),                  \
	    "the next iteration waits because of a failure")                                  \
	X(DELAYED, "delayed", rest, HAS(until) | HAS(delay),                                  \
	    "the next iteration waits because the user wants a delay")                        \
	X(LIMITED, "limited", hold, HAS(until) | HAS(delay) | HAS(failures) | HAS(task),      \
	    "the next iteration waits for a usage or rate limit to pass")                     \
	X(UNANSWERED, "unanswered", hold, HAS(until) | HAS(delay) | HAS(text),                \
	    "the source could not say what to do; it is asked again later")                   \
	X(EDITED, "edited", edited, HAS(key) | HAS(value),                                    \
	    "a setting was changed while the loop runs")                                      \
	X(ALERT, "alert", nothing, HAS(text), "something the user should know")               \
	X(FINISHED, "finished", finished,                                                     \
	    HAS(reason) | HAS(iteration) | HAS(text) | HAS(why) | HAS(others),                \
	    "the loop is over; why: what of it waits for its branch")                         \
	X(REOPENED, "reopened", reopened, 0, "a finished loop was resumed")                   \
	X(LEFT, "left", left, 0,                                                              \
	    "a turn (--once) is over: the supervisor leaves, and the next turn goes on")

enum fact_kind {
#define X(id, name, apply, fields, help) FACT_##id,
	FACTS(X)
#undef X
	    FACT_COUNT
};

/* wish, its name in the record */
#define WISHES(X)                                                             \
	X(RUN, "run")                                                         \
	X(PAUSE, "pause") /* let the agents finish, start none */             \
	X(LEAVE, "leave") /* the same, then the supervisor exits (SIGTERM) */ \
	X(STOP, "stop")	  /* end the agents, then finish */

enum wanted {
#define X(id, name) WANT_##id,
	WISHES(X)
#undef X
	    WANT_COUNT
};

struct fact {
	enum fact_kind kind;
	struct when at;
#define F(type, name, dimension, letter) type name dimension;
	FACT_FIELDS(F)
#undef F
};

/* The parse functions are -1 when the name is unknown. */
const char *fact_name(enum fact_kind k);
unsigned fact_fields(enum fact_kind k);
int fact_parse(const char *name);
const char *wanted_name(enum wanted w);
int wanted_parse(const char *name);
const char *exit_how_name(enum exit_how how);
int exit_how_parse(const char *name);

#endif
