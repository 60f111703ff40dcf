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

/* How it ended, and the words for it.  False when nothing says so (yet). */
bool probe_exit(int session_dirfd, struct exit_status *status, struct buf *text);
/* Who keeps it, and the agent's pid.  False when keeper.json is not there. */
bool probe_keeper(int session_dirfd, struct proc_id *keeper, pid_t *agent);
/* Can it be given tasks, one after the other?  -1 + err when not. */
int probe_turns(int session_dirfd, const char *id, struct err *err) NODISCARD;
/* Was a keeper ever started that could have started an agent? */
bool probe_was_kept(int session_dirfd);
/*
 * After the keeper was lost: kills whoever carries the session's marker.  True when nobody
 * was left and nobody holds its lock; else to be called again after a moment.
 */
bool probe_sweep(int session_dirfd);
/* Kills a keeper that does not answer, and before it whoever is below it. */
void probe_kill(pid_t keeper);
/* Calls fn for every signal after seq, in order, until it returns false. */
void probe_signals(
    int session_dirfd, int64_t seq, bool (*fn)(void *ctx, const json_t *signal), void *ctx);

#endif
