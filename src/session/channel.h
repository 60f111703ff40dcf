/*
 * channel.h - what an agent's own commands say to its session.
 *
 * The session is named by RALPH_WORKER in the agent's environment: the path of the worker
 * channel, which accepts words only for the task that the agent works on.  Blocking, for
 * commands.
 *
 * A process that an earlier task left running does not speak for the next one: whoever was
 * started, or whose parents were, between the beginning of the session's first task and that of
 * this one must name the task it speaks of.
 *
 * Order of calls: channel_dial; channel_notice; channel_name; channel_say, any number of times;
 * close.
 */
#ifndef SESSION_CHANNEL_H
#define SESSION_CHANNEL_H

#include "base/err.h"
#include "base/json.h"
#include "loop/verdict.h"

/* Returns the descriptor. */
int channel_dial(struct err *err) NODISCARD;
/* What the session greets with, {"task": "T001", "turn": 1, "over": false, and the facts}; a
 * new one for every turn and every notice.  "over": the agent has said already how it ended, as
 * far as was known when this was sent; "late": the task has to be named.  An error where the
 * session has no task. */
json_t *channel_notice(int fd, struct err *err) NODISCARD;
/* The task that is spoken of; NULL: whichever it is.  -1 and a sentence when that is not the
 * session's, or must be said: then nothing should be done for it, either. */
int channel_name(json_t *notice, const char *task, struct err *err) NODISCARD;
/*
 * SIGNAL_DONE, STUCK, BLOCKED or PROGRESS, for the task and turn of the notice.  0 when it was
 * taken: it is written down, and will be told to the supervisor even if none is there
 * now.  -1 and a sentence when the task is not the session's any more, when the agent has said
 * already how it ended, or when the same was said before.
 */
int channel_say(int fd, const json_t *notice, enum signal_kind kind, const char *text,
    struct err *err) NODISCARD;

#endif
