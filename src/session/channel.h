/*
 * channel.h - what an agent's own commands say to its session.
 *
 * The session is named by RALPH_WORKER in the agent's environment: the path of the worker
 * channel, which accepts words only for the task that the agent works on.  Blocking, for
 * commands.
 *
 * A word about an earlier task does not count for the next task, but a speaker that is late is
 * greeted with the next task.  So each word but a report of progress needs a proof that its
 * speaker means this turn.  The proof is the turn's token (token.h), which stands in the prompt
 * alone; or the task's own done file, which somebody wrote in this turn; or the fact that the
 * session has had no other task.  Without the token the speaker must be one of the agent's
 * processes, too.
 *
 * Order of calls: channel_dial; channel_notice; channel_about; then channel_may and
 * channel_say, any number of times; close.
 */
#ifndef SESSION_CHANNEL_H
#define SESSION_CHANNEL_H

#include "base/err.h"
#include "base/json.h"
#include "loop/verdict.h"

/* Returns the descriptor. */
int channel_dial(struct err *err) NODISCARD;
/* Reads the session's greeting, {"task": "T001", "turn": 1, and the facts}; the session sends a
 * new one for every turn and every notice.  "since": the wall clock when the turn began;
 * "bare": a word needs no proof.  (A keeper of an earlier version sends neither.)  An error
 * where the session has no task. */
json_t *channel_notice(int fd, struct err *err) NODISCARD;
/* Adds to the notice what is known of the speaker: the task that the speaker means and the
 * token that the speaker has, each NULL when the speaker did not say; and whether this turn's
 * done file is there.  -1 and a sentence when `task` is not the session's task. */
int channel_about(
    json_t *notice, const char *task, const char *token, bool filed, struct err *err) NODISCARD;
/* Would the word be taken?  0 without asking where the session is of a version that cannot
 * tell. */
int channel_may(int fd, const json_t *notice, enum signal_kind kind, const char *text,
    struct err *err) NODISCARD;
/*
 * SIGNAL_DONE, STUCK, BLOCKED or PROGRESS, for the task and turn of the notice.  0 when the
 * word was taken: it is on disk, and a supervisor will hear of it even if none is there now.
 * -1 and a sentence when the task is not the session's any more, when there is no proof that
 * the speaker means this turn, when the agent has said already how the task ended, or when the
 * same was said before.
 */
int channel_say(int fd, const json_t *notice, enum signal_kind kind, const char *text,
    struct err *err) NODISCARD;

#endif
