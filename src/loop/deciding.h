/*
 * deciding.h - one decision being made (private to this room).
 *
 *   decision.c   its facts and effects
 *   schedule.c   when the next agent starts, and when the loop is over
 *   tasks.c      which of the candidates may start now
 *   sessions.c   what happens to one session: state x input
 *   led.c        what an agent that is led says, and is told
 *   question.c   whether two questions are the same
 *   past.c       what a run remembers of tasks and questions
 *   loop.c       what happens to the loop: phase x input
 *   regime.c     in what the kinds of loops differ
 *   state.c      how a state begins, and what it says of the loop
 *   apply.c      what each fact does to the state
 *
 * A decision is made on a copy of the state: every fact is applied to the copy as soon as it is
 * decided, so that the rest of the same decision sees the fact.
 */
#ifndef LOOP_DECIDING_H
#define LOOP_DECIDING_H

#include "base/compiler.h"
#include "loop/ending.h"
#include "loop/loop.h"

#define NSEC INT64_C(1000000000)

/* A source that could not tell so often in a row, or for so long, is worth an alert. */
#define UNREAD_OFTEN 5
#define UNREAD_LONG (300 * NSEC)

/* Is it an agent that nobody has asked to end? */
static inline bool
is_at_work(const struct loop_session *one)
{
	return one->state == SESSION_STARTING || one->state == SESSION_RUNNING ||
	       one->state == SESSION_BRIEFING;
}

/* regime.c.  The row of a regime. */
struct regime_row {
	struct regime_marks marks;
	bool knows; /* the source knows which tasks there are: work lands, or is tracked */
	const char *thing; /* "ticket", "task" */
	enum end_voice voice;
	/* Returns the verdict of an end that went well: did the session achieve anything? */
	enum verdict (*weigh)(
	    const struct policy *policy, const struct loop_session *one, bool closed);
	/* How did the session of this input end? */
	enum verdict (*judge)(const struct deciding *d, const struct loop_session *one);
	/* Called when the agent says that it is done (SIGNAL_DONE). */
	void (*said_done)(struct deciding *d, const struct loop_session *one);
	/* Would the next agent meet the same failure, so that the loop waits?  A task that a
	 * source knows to be failed, or has given out, is not given out again, but an agent
	 * that cannot be started fails all. */
	bool (*backs_off)(const struct deciding *d);
	/* Called when there were as many failures in a row as there may be. */
	void (*give_up)(struct deciding *d);
	/* Called when the iterations are used, and a task is left to start. */
	void (*at_limit)(struct deciding *d);
	/* Where iterations are judged: did any go wrong? */
	bool (*spoilt)(const struct loop_state *s);
};
const struct regime_row *regime_row(const struct policy *policy);

/* decision.c.  fact_new gives the place of the next fact; fact_emit makes it one. */
struct fact *fact_new(struct deciding *d, enum fact_kind kind);
struct fact *fact_for(struct deciding *d, enum fact_kind kind, const struct loop_session *one);
void fact_emit(struct deciding *d, const struct fact *f);
struct effect *effect_new(struct deciding *d, enum effect_kind kind);
void effect_for(
    struct deciding *d, enum effect_kind kind, const struct loop_session *one, bool politely);
void loop_text_copy(char *to, size_t size, const char *from); /* NULL is "" */
void decide_alert(struct deciding *d, const char *fmt, ...) PRINTF(2, 3);
/* Emits FACT_WANTED; reason and text are of a stop. */
void decide_want(
    struct deciding *d, enum wanted wanted, enum end_reason reason, const char *text);
/* Asks a session to end; `verdict` is what its end will be called. */
void decide_end_session(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, bool politely);
void decide_end_session_for(struct deciding *d, const struct loop_session *one,
    enum verdict verdict, bool politely, const char *why);

/* tasks.c.  Starts as many tasks as there is room for; false when no task could be started
 * though there was room. */
bool tasks_start(struct deciding *d);
/* Is there a candidate that this run may still try?  And one that another loop has? */
bool tasks_any_eligible(const struct deciding *d);
bool tasks_any_taken(const struct deciding *d);
/* A candidate that can never be started, because its id is too long to be kept; NULL: none. */
const char *tasks_too_long(const struct deciding *d);

/* schedule.c */
bool schedule_iterations_used(const struct loop_state *s);
/* Is there a free slot, and is it time to start a session?  schedule_may_start: of a task, too,
 * that this run has not tried yet? */
bool schedule_has_room(const struct loop_state *s, int64_t now);
bool schedule_may_start(const struct loop_state *s, int64_t now);
/* How many slots are free, but rest. */
size_t schedule_slots_resting(const struct loop_state *s, int64_t now);
/* May the source be asked?  While slots only rest, a source that knows its tasks may say that
 * there are no more. */
bool schedule_may_look(const struct loop_state *s, int64_t now);
void schedule_hold(struct deciding *d, enum fact_kind kind, int64_t delay);
/* Holds the loop for the limit that stopped this session. */
void schedule_hold_for_limit(struct deciding *d, const struct loop_session *one);
/* Decides that the loop is over.  Its sessions are asked to end as `verdict` says, or may
 * finish by themselves (VERDICT_NONE); the last one to go finishes. */
void schedule_close(
    struct deciding *d, enum end_reason reason, const char *text, enum verdict verdict);
/* The end of every decision: asks for work where there is room for it. */
void schedule_next(struct deciding *d);

/* Where work lands: why the run is over when there is nothing left to start. */
enum end_reason schedule_tasks_over(const struct deciding *d, enum end_reason otherwise);
/* END_SOME_FAILED where iterations are judged and went wrong, else `otherwise`. */
enum end_reason schedule_iterations_over(const struct loop_state *s, enum end_reason otherwise);

/* led.c.  The words of a signal: a question or an obstacle without words is "unknown". */
const char *led_words(const struct loop_input *in);
/* Call only where the loop leads. */
void led_signalled(struct deciding *d, const struct loop_session *one);
void led_checked(struct deciding *d, const struct loop_session *one);
/* The first NOT_CLOSED of a check may be an oversight: it costs a reminder, but no
 * intervention, and is not counted. */
bool led_is_oversight(const struct loop_session *one, enum verdict checked);
/* Emits EFFECT_TELL for the words that the agent is owed and does not have yet. */
void led_tell_again(struct deciding *d, const struct loop_session *one);
/* About agents without a task.  led_dismissed: this agent is gone.  The other functions: all
 * of them have to go; one that could take a task, or NULL. */
void led_dismissed(struct deciding *d, const struct loop_session *one);
void led_dismiss_waiting(struct deciding *d);
const struct loop_session *led_waiting_agent(const struct loop_state *s);

/* past.c.  Continues a hash, which begins as PAST_HASH_BEGIN. */
#define PAST_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t past_hash_add(uint64_t h, char c);
/* Facts change the past through these functions. */
/* Call only where work lands: a prompt has no past.  NULL when the table of tasks is full. */
struct loop_task *past_task_note(struct loop_state *s, const char *id);
void past_task_unstarted(struct loop_state *s, const char *id); /* takes the attempt back */
void past_task_outcome(struct loop_state *s, const struct fact *f);
void past_asked_note(struct loop_state *s, const char *id, const char *question);

/* loop.c.  The source may have something new: lets it be asked again. */
void on_news(struct deciding *d);

/* sessions.c */
void sessions_land(struct deciding *d, const struct loop_session *one);
/* Begins the fact that the session's turn is over; the caller fills in the rest. */
struct fact *fact_ended(
    struct deciding *d, const struct loop_session *one, enum verdict verdict);
void on_session(struct deciding *d);

#endif
