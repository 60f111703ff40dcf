/*
 * verdict.h - how a session ended, how a loop ended, and what each is worth.
 *
 * Every vocabulary is written once here; names, exit codes, last words, the manual and the
 * JSON forms come from these rows.
 */
#ifndef LOOP_VERDICT_H
#define LOOP_VERDICT_H

#include <stdbool.h>

/* How a verdict changes the count of consecutive failures. */
enum verdict_worth { WORTH_NOTHING, WORTH_SUCCESS, WORTH_FAILURE };

/* How an iteration with this verdict counts when the loop's end is judged: not at all, as a
 * success, as a failure, or as one of which nobody can tell. */
enum verdict_tally { TALLY_NOTHING, TALLY_FINE, TALLY_FAILED, TALLY_IDLE };

/* The cost of an end of this kind.  ATTEMPT: the session was whole, its work can be judged.
 * INTERRUPTED: the agent was cut short; the iteration counts, the attempt does not.  NOTHING: a
 * cause outside the agent kept it from working; neither counts. */
enum verdict_cost { COST_ATTEMPT, COST_INTERRUPTED, COST_NOTHING };

/* The obstacle to going on after an end of this kind: nothing, the limit that stopped
 * the agent until it is over, or a cause that a person has to remove, who then resumes the
 * loop. */
enum verdict_hold { HOLD_NOTHING, HOLD_LIMIT, HOLD_PERSON };

/* Which of the three clocks ran out. */
enum verdict_clock { CLOCK_NONE, CLOCK_INACTIVITY, CLOCK_STALL, CLOCK_ITERATION };

/* The words of retry_on: for which causes a task gets another attempt. */
#define CAUSES(X)                   \
	X(NONE, "")                 \
	X(EXIT, "exit")             \
	X(TIMEOUT, "timeout")       \
	X(NOT_CLOSED, "not-closed") \
	X(VERIFY, "verify")         \
	X(CONFLICT, "conflict")

enum verdict_cause {
#define X(id, name) CAUSE_##id,
	CAUSES(X)
#undef X
	    CAUSE_COUNT
};

/*
 * Every verdict and what it is worth:
 *
 *      X(id, name, worth, worth once its work has landed, tally, cost, clock, cause, hold,
 *        help)
 *
 * The columns are the enums above without their prefixes.  Ends that are not whole never land:
 * their worth there is NOTHING.  New rows go to the end, and none goes away: snapshots have the
 * numbers (retry_on).  The manual leaves out verdicts without a help text.
 */
#define VERDICTS(X)                                                                           \
	X(NONE, "none", NOTHING, NOTHING, NOTHING, ATTEMPT, NONE, NONE, NOTHING,              \
	    NULL) /* not ended yet */                                                         \
	X(DONE, "done", SUCCESS, SUCCESS, FINE, ATTEMPT, NONE, NONE, NOTHING,                 \
	    "the agent ended by itself with exit code 0, or said it was done")                \
	X(FAILED, "failed", FAILURE, FAILURE, FAILED, ATTEMPT, NONE, EXIT, NOTHING,           \
	    "another exit code, a signal, or it could not be started")                        \
	X(IDLE, "idle", NOTHING, FAILURE, IDLE, ATTEMPT, INACTIVITY, TIMEOUT, NOTHING,        \
	    "its screen stood still for the inactivity timeout; whether it had finished "     \
	    "is not known")                                                                   \
	X(STUCK, "stuck", NOTHING, FAILURE, FAILED, ATTEMPT, STALL, TIMEOUT, NOTHING,         \
	    "it blinked but made no progress for the stall timeout")                          \
	X(BLOCKED, "blocked", NOTHING, NOTHING, FAILED, ATTEMPT, NONE, NONE, NOTHING,         \
	    "it said that it cannot go on")                                                   \
	X(TIMEOUT, "timeout", FAILURE, FAILURE, FAILED, ATTEMPT, ITERATION, TIMEOUT, NOTHING, \
	    "it ran longer than the iteration timeout")                                       \
	X(LIMITED, "limited", NOTHING, NOTHING, NOTHING, NOTHING, NONE, NONE, LIMIT,          \
	    "a usage or rate limit stopped it")                                               \
	X(REFUSED, "refused", NOTHING, NOTHING, NOTHING, NOTHING, NONE, NONE, PERSON,         \
	    "its login does not hold any more, or nothing is left to pay with")               \
	X(FATAL, "fatal", FAILURE, FAILURE, FAILED, ATTEMPT, NONE, EXIT, NOTHING,             \
	    NULL) /* no version gave it */                                                    \
	X(NOT_CLOSED, "not-closed", FAILURE, FAILURE, FAILED, ATTEMPT, NONE, NOT_CLOSED,      \
	    NOTHING, "exit code 0, but its ticket or task is not said to be done")            \
	X(UNVERIFIED, "unverified", FAILURE, FAILURE, FAILED, ATTEMPT, NONE, VERIFY, NOTHING, \
	    "the verify command refused its work")                                            \
	X(CONFLICT, "conflict", FAILURE, FAILURE, FAILED, ATTEMPT, NONE, CONFLICT, NOTHING,   \
	    "its work cannot be merged as it is")                                             \
	X(STOPPED, "stopped", NOTHING, NOTHING, NOTHING, INTERRUPTED, NONE, NONE, NOTHING,    \
	    "ended because the user stopped the loop")                                        \
	X(LOST, "lost", NOTHING, NOTHING, FAILED, INTERRUPTED, NONE, NONE, NOTHING,           \
	    "nobody saw it end: a crash or a reboot")                                         \
	X(ASKED, "asked", NOTHING, NOTHING, NOTHING, NOTHING, NONE, NONE, NOTHING,            \
	    "it asked something and has no terminal: its next attempt gets the answer")       \
	X(RESTED, "rested", NOTHING, FAILURE, FINE, ATTEMPT, INACTIVITY, TIMEOUT, NOTHING,    \
	    "idle, and it had finished its turn")                                             \
	X(HUNG, "hung", NOTHING, FAILURE, FAILED, ATTEMPT, INACTIVITY, TIMEOUT, NOTHING,      \
	    "idle in the middle of its turn, at a dialog, or on pipes")

enum verdict {
#define X(id, name, worth, landed, tally, cost, clock, cause, hold, help) VERDICT_##id,
	VERDICTS(X)
#undef X
	    VERDICT_COUNT
};

const char *verdict_name(enum verdict v);
int verdict_parse(const char *name); /* -1 when unknown */
enum verdict_worth verdict_worth(enum verdict v);
/* The worth of a session whose work has landed, or was kept. */
enum verdict_worth verdict_landed_worth(enum verdict v);
enum verdict_tally verdict_tally(enum verdict v);
enum verdict_cost verdict_cost(enum verdict v);
enum verdict_clock verdict_clock(enum verdict v);
enum verdict_cause verdict_cause(enum verdict v);
enum verdict_hold verdict_hold(enum verdict v);
int cause_parse(const char *name); /* -1 when unknown */
const char *cause_name(enum verdict_cause c);
/* Did the session, or the landing of its work, go well?  Worth a SUCCESS. */
bool verdict_is_success(enum verdict v);
/* Was the agent, or the landing of its work, cut short, so that the task goes on later?  Its
 * cost is INTERRUPTED. */
bool verdict_is_interrupted(enum verdict v);
/* Did the inactivity timeout end the session, whatever the agent was doing? */
bool verdict_is_idle(enum verdict v);

/* Exit codes of the program, for every command. */
#define EXIT_CODES(X)                                                                          \
	X(OK, 0,                                                                               \
	    "success; for a loop: the done pattern matched, there is nothing left to do, "     \
	    "what is left is blocked (graph, prompt command), or "                             \
	    "all iterations ran, none failed and no done pattern was set")                     \
	X(FAILED, 1, "failure; for a loop: too many consecutive failures, or it cannot go on") \
	X(USAGE, 2, "the command line is wrong")                                               \
	X(UNFINISHED, 3,                                                                       \
	    "the loop was stopped or paused before it was complete; repair: something is "     \
	    "damaged, and nothing was done")                                                   \
	X(MAX, 10,                                                                             \
	    "the iterations were used and the done pattern never matched (prompt command: "    \
	    "and it never said that all is complete), or the time was used; tickets, todo, "   \
	    "graph: the same, or as many as allowed were started, and there are more")         \
	X(SOME_FAILED, 11,                                                                     \
	    "the run is over, and some of its iterations, tickets or tasks failed, or were "   \
	    "closed by an agent that had another one and never checked")                       \
	X(BLOCKED, 12,                                                                         \
	    "tickets, todo: what is left waits for something that does not come; a file that " \
	    "is meant as a ticket and cannot be read as one waits to be mended")               \
	X(QUERY, 13,                                                                           \
	    "tickets: they could not be read or asked for; graph: there is no task graph "     \
	    "here or above, or it could not be read")                                          \
	X(UNLANDED, 14,                                                                        \
	    "tickets, todo: all is done, but some of it waits and is not on its branch yet, "  \
	    "or was taken off it again")                                                       \
	X(UNAVAILABLE, 69, "desktop: there is no display, or it lacks what was asked for")     \
	X(TIMEOUT, 124, "ralph wait --timeout ran out; desktop: no answer in time")            \
	X(INTERRUPTED, 130, "ended by Ctrl-C (SIGINT)")                                        \
	X(TERMINATED, 143, "ended by SIGTERM")

enum exit_code {
#define X(id, code, help) EX_##id = (code),
	EXIT_CODES(X)
#undef X
};

/*
 * Why a loop ended: the one table of endings.
 *
 *      X(id, name in the record, the seed's status word, word, exit code, by, worked off,
 *        again, help, alert, sentence, of tickets, of a todo list)
 *
 * `By` is an end_by without its prefix.  A run over tickets that ended so was worked off
 * (end_reason_promised); `again`: a loop that goes on after this end tries what failed again
 * (end_reason_tries_again).  `ls`, `status` and `wait` print the word (loop_word).  NULL as the
 * alert: the end is no reason for one.  The last three are what the loop says last: `ralph run`
 * and any other, `ralph loop`, `ralph todo`; NULL: the command says it itself, or a loop of
 * that kind does not end so.  ending.h tells what stands for the words in braces.  A loop that
 * is not judged (settings.judged) ends with MAX_ITERATIONS and MAX_RUNTIME, as the seed of
 * `swarm` has it, and journals of earlier versions have these, too.
 */
/* The cause of a loop's end: how its work went, its count of iterations, its time, a source
 * that cannot be read, or somebody who asked for the end. */
enum end_by { BY_LOOP, BY_COUNT, BY_CLOCK, BY_SOURCE, BY_USER };

#define SENTENCE_STOPPED "stopped after {n iterations} (resume with: {resume})"
#define SENTENCE_OVER "loop over after {n iterations} ({reason})"
#define SENTENCE_LATE " runtime reached after {iterations}{and more}"
#define TICKETS_STOPPED "Stopped before the end; 'ralph loop' goes on."
#define TICKETS_UNREAD "The tickets could not be read, or none of them can be started."
#define TODO_STOPPED "Stopped before the end; {way on}"
#define TODO_UNREAD "The tasks could not be read."
#define TODO_LEFT "What can be done is done; not all tasks are complete."
#define END_REASONS(X)                                                                         \
	X(NONE, "none", "running", "running", EX_OK, LOOP, false, false, "it has not ended",   \
	    NULL, NULL, NULL, NULL)                                                            \
	X(DONE_PATTERN, "done_pattern", "stopped", "complete", EX_OK, LOOP, false, false,      \
	    "the done pattern matched", NULL, "loop complete after {n iterations}", NULL,      \
	    NULL)                                                                              \
	X(MAX_ITERATIONS, "max_iterations", "stopped", "complete", EX_OK, COUNT, false, false, \
	    "all iterations were used; of a loop that is judged: and none failed", NULL,       \
	    "{all ran}", NULL, NULL)                                                           \
	X(MAX_RUNTIME, "max_runtime", "stopped", "incomplete", EX_OK, CLOCK, false, false,     \
	    "the time for the whole loop was used", NULL,                                      \
	    "max runtime reached after {n iterations}, stopping loop", NULL, NULL)             \
	X(NO_WORK, "no_work", "stopped", "complete", EX_OK, LOOP, false, false,                \
	    "the source has nothing left to do", NULL, "loop complete after {n iterations}",   \
	    "All tickets are done.", "All tasks complete!")                                    \
	X(NOT_DONE, "not_done", "stopped", "incomplete", EX_MAX, COUNT, false, false,          \
	    "all iterations were used, and the done pattern never matched, or the prompt "     \
	    "command never said that all is complete",                                         \
	    "{iterations} used, and {sought}{tally}",                                          \
	    "{iterations} used, and {sought}{tally}", NULL, NULL)                              \
	X(MAX_TICKETS, "max_tickets", "stopped", "incomplete", EX_MAX, COUNT, true, false,     \
	    "as many tickets or tasks as allowed were started, and there are more",            \
	    "max iterations reached, and there are more {tasks}",                              \
	    "max iterations reached after {n iterations}, and there are more {tasks}",         \
	    "As many tickets as allowed were started; there are more.{ text}",                 \
	    "Max iterations reached; there are more tasks.")                                   \
	X(OUT_OF_TIME, "out_of_time", "stopped", "incomplete", EX_MAX, CLOCK, false, false,    \
	    "the time for the whole run was used before it was complete", "max" SENTENCE_LATE, \
	    "max" SENTENCE_LATE, "Max" SENTENCE_LATE ".", "Max" SENTENCE_LATE ". {way on}")    \
	X(SOME_FAILED, "some_failed", "failed", "failed", EX_SOME_FAILED, LOOP, true, true,    \
	    "the run is over, and not all of its iterations, tickets or tasks went well",      \
	    "{failed}{and left}", "{failed}{and left}",                                        \
	    "Some tickets failed; what they left is kept.{ text}", TODO_LEFT)                  \
	X(UNLANDED, "unlanded", "stopped", "unlanded", EX_UNLANDED, LOOP, true, false,         \
	    "all was done, but some of it waits and is not on its branch yet, or was taken "   \
	    "off it again",                                                                    \
	    "{unlanded} done, but not committed and ticked yet", SENTENCE_OVER,                \
	    "All tickets are done, but not all of their work is on the branch.",               \
	    "All tasks are done, but not all of them are committed and ticked yet. When "      \
	    "nothing is in the way any more: {way on}")                                        \
	X(UNCHECKED, "unchecked", "stopped", "unchecked", EX_SOME_FAILED, LOOP, true, false,   \
	    "nothing is left, but some tickets or tasks were closed or removed while an "      \
	    "agent had another one, and nobody checked them",                                  \
	    "nothing is left, but some {tasks} were never checked", SENTENCE_OVER,             \
	    "No ticket is left; what was closed or removed while an agent had another one "    \
	    "was not checked by anybody.",                                                     \
	    "What is on the list is done; not all tasks are complete.")                        \
	X(BLOCKED, "blocked", "stopped", "blocked", EX_BLOCKED, LOOP, true, false,             \
	    "only tickets are left that wait for something that does not come, or files that " \
	    "cannot be read as tickets",                                                       \
	    "only blocked {tasks} are left: {text}", SENTENCE_OVER,                            \
	    "Only tickets are left that wait for something that does not come.", TODO_LEFT)    \
	X(QUERY_ERROR, "query_error", "failed", "failed", EX_QUERY, SOURCE, false, false,      \
	    "the tickets could not be read", "loop failed: {text}", NULL, TICKETS_UNREAD,      \
	    TODO_UNREAD)                                                                       \
	X(WAITING, "waiting", "stopped", "waiting", EX_OK, LOOP, false, false,                 \
	    "what is left waits for dependencies, or for somebody", NULL,                      \
	    "stopped after {n iterations}: what is left is blocked{(text)}", NULL,             \
	    "Nothing is left to do but what was put aside: {text}")                            \
	X(FAILURES, "failed", "failed", "failed", EX_FAILED, LOOP, false, false,               \
	    "too many consecutive failures", "loop failed: {failures} consecutive failures",   \
	    "{failures} consecutive failures, stopping loop", NULL,                            \
	    "The worker could not be kept running.")                                           \
	X(SOURCE_ERROR, "source_error", "failed", "failed", EX_FAILED, SOURCE, false, false,   \
	    "the work could not be read", "loop failed: {text}", NULL, TICKETS_UNREAD,         \
	    TODO_UNREAD)                                                                       \
	X(STOPPED, "stopped", "stopped", "stopped", EX_UNFINISHED, USER, false, false,         \
	    "ralph stop", NULL, SENTENCE_STOPPED, TICKETS_STOPPED, TODO_STOPPED)               \
	X(KILLED, "killed", "stopped", "killed", EX_UNFINISHED, USER, false, false,            \
	    "the worker was killed", NULL, SENTENCE_STOPPED, TICKETS_STOPPED, TODO_STOPPED)    \
	X(INTERRUPTED, "interrupted", "stopped", "interrupted", EX_INTERRUPTED, USER, false,   \
	    false, "Ctrl-C", NULL, SENTENCE_STOPPED, TICKETS_STOPPED, TODO_STOPPED)            \
	X(TERMINATED, "terminated", "stopped", "terminated", EX_TERMINATED, USER, false,       \
	    false, "SIGTERM; of a loop over a prompt file, a second one", NULL,                \
	    SENTENCE_STOPPED, TICKETS_STOPPED, TODO_STOPPED)

enum end_reason {
#define X(id, name, status, word, code, by, worked, again, help, alert, run, tickets, todo) \
	END_##id,
	END_REASONS(X)
#undef X
	    END_COUNT
};

const char *end_reason_name(enum end_reason r);
const char *end_reason_status(enum end_reason r);
const char *end_reason_word(enum end_reason r);
int end_reason_code(enum end_reason r);
enum end_by end_reason_by(enum end_reason r);
int end_reason_parse(const char *name); /* -1 when unknown */
/* Did the loop end with all of its work done, so that there is nothing to resume? */
bool end_reason_complete(enum end_reason r);
/* Is this end announced with the seeds' promise?  Only a complete end is; with `always`, as the
 * seeds have it, the end of any run over tickets that was worked off. */
bool end_reason_promised(enum end_reason r, bool always);
/* Does a loop that goes on after this end try again what failed before?  The run came to its
 * end, and its user wants more of it. */
bool end_reason_tries_again(enum end_reason r);
/* Did the loop end because somebody asked for the end? */
bool end_reason_asked(enum end_reason r);

/* The fate of the work of a session that landed. */
#define FATES(X)                                                                  \
	X(NONE, "", "there was nothing to land, or an older version did not say") \
	X(MERGED, "merged", "the branch has it")                                  \
	X(WAITING, "waiting", "it is merged, and the branch cannot take it yet")  \
	X(COPIED, "copied", "it failed; a copy is under refs/ralph")              \
	X(CLEARED, "cleared", "it failed, and there was nothing to keep")         \
	X(KEPT, "kept", "it is where the agent left it")

enum fate {
#define X(id, name, help) FATE_##id,
	FATES(X)
#undef X
	    FATE_COUNT
};

const char *fate_name(enum fate f);
int fate_parse(const char *name); /* -1 when unknown */

/* The use of the agent's words in a signal.  QUOTED: the alert has them, since the person
 * who is told has to act on them.  NEEDED: a person and the next attempt get them;
 * "unknown" stands for missing words. */
enum signal_words { WORDS_PLAIN, WORDS_QUOTED, WORDS_NEEDED };

/*
 * The signals of a keeper about a running session: signal, name, the verdict with which the
 * session is to end (NONE: the session goes on), the sentence of the alert or NULL, a
 * signal_words without its prefix, a report (nothing follows from it: it says how the session
 * gets on), the signal's meaning.  After DONE the regime decides (said_done, loop/deciding.h).
 * A loop that leads answers most signals in its own way (loop/led.c).
 */
#define SIGNALS(X)                                                                            \
	X(DONE, "done", NONE, NULL, PLAIN, false, "the done pattern matched")                 \
	X(IDLE, "idle", IDLE, NULL, PLAIN, false, "the inactivity timeout passed")            \
	X(RESTED, "rested", RESTED, NULL, PLAIN, false,                                       \
	    "the inactivity timeout passed; the agent had finished its turn")                 \
	X(HUNG, "hung", HUNG, NULL, PLAIN, false,                                             \
	    "the inactivity timeout passed in the middle of the agent's work")                \
	X(STALL, "stall", STUCK, NULL, PLAIN, false, "the stall timeout passed")              \
	X(TIMEOUT, "timeout", TIMEOUT, NULL, PLAIN, false,                                    \
	    "the iteration timeout passed; the keeper ends the agent")                        \
	X(EXPENSIVE, "expensive", NONE,                                                       \
	    "done pattern is too expensive to match; it is switched off", PLAIN, false,       \
	    "the done pattern costs too much; it is switched off")                            \
	X(READY, "ready", NONE, NULL, PLAIN, false, "the agent waits for its prompt")         \
	X(ASKS, "asks", NONE,                                                                 \
	    "the agent asks something before it takes its prompt; attach to answer", QUOTED,  \
	    false, "the agent asks a person something before it takes its prompt")            \
	X(UNDELIVERED, "undelivered", FAILED, "the prompt could not be given to the agent",   \
	    PLAIN, false, "the prompt could not be given to the agent")                       \
	X(STUCK, "stuck", NONE, NULL, NEEDED, false, "the agent asks for help")               \
	X(BLOCKED, "blocked", NONE, NULL, NEEDED, false,                                      \
	    "the agent says that it cannot go on")                                            \
	X(PROGRESS, "progress", NONE, NULL, PLAIN, true,                                      \
	    "so many percent are done, the agent says")                                       \
	X(DELIVERED, "delivered", NONE, NULL, PLAIN, false,                                   \
	    "the turn's prompt is with the agent")                                            \
	X(TOLD, "told", NONE, NULL, PLAIN, false,                                             \
	    "what was to be said to the agent was typed")                                     \
	X(ACTIVE, "active", NONE, NULL, PLAIN, true, "it moves again after having been idle") \
	X(UNRECORDED, "unrecorded", NONE, "the agent's output could not be recorded", PLAIN,  \
	    false, "the output could not be written down")                                    \
	X(LIMIT, "limit", LIMITED, NULL, PLAIN, false,                                        \
	    "the agent says that a usage or rate limit stopped it")                           \
	X(LOGIN, "login", REFUSED,                                                            \
	    "the agent's login does not hold; log in, then resume the loop", QUOTED, false,   \
	    "the agent says that its login does not hold")                                    \
	X(BILLING, "billing", REFUSED,                                                        \
	    "nothing is left to pay the agent with; see to that, then resume the loop",       \
	    QUOTED, false, "the agent says that nothing is left to pay with")

enum signal_kind {
#define X(id, name, verdict, alert, words, report, help) SIGNAL_##id,
	SIGNALS(X)
#undef X
	    SIGNAL_COUNT
};

const char *signal_name(enum signal_kind k);
int signal_parse(const char *name); /* -1 when unknown */
enum signal_words signal_words(enum signal_kind k);
bool signal_is_report(enum signal_kind k);

#endif
