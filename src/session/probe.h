/*
 * probe.h - what a session's directory tells without its keeper (private to this room).
 */
#ifndef SESSION_PROBE_H
#define SESSION_PROBE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/exit.h"
#include "base/json.h"
#include "base/process/proc.h"
#include "session/session.h"

/* Reads how the session ended, and the words for it.  False when there is no exit.json
 * (yet). */
bool probe_exit(int session_dirfd, struct exit_status *status, struct buf *text);
/* Reads the keeper's identity and the agent's pid.  False when keeper.json is not there. */
bool probe_keeper(int session_dirfd, struct proc_id *keeper, pid_t *agent);
/* Can the session be given tasks, one after the other?  -1 + err when not. */
int probe_turns(int session_dirfd, const char *id, struct err *err) NODISCARD;
/* Was a keeper ever started that could have started an agent? */
bool probe_was_kept(int session_dirfd);
/*
 * After the keeper was lost: kills every process that carries the session's marker.  True when
 * no process was left and nobody holds the session's lock; else call again after a moment.
 */
bool probe_sweep(int session_dirfd);
/* Kills all processes below a keeper that does not answer, then the keeper. */
void probe_kill(pid_t keeper);
/* Looks for a session of a former supervisor, for some seconds.  *fd: the connection to its
 * keeper, which tells the signals after `seq`; -1: none.  -1 + err: the session is out of
 * reach, or lost with processes that cannot be ended. */
int probe_reach(int session_dirfd, const char *id, int64_t seq, enum session_probe *probe,
    int *fd, struct err *err) NODISCARD;
/* Calls `fn` for every signal after `seq`, in order, until `fn` returns false. */
void probe_signals(
    int session_dirfd, int64_t seq, bool (*fn)(void *ctx, const json_t *signal), void *ctx);

#endif
