/*
 * ending.h - what kill, clean, respawn and spawn --replace share: ending a worker, and what
 * it leaves in the world (a tmux window, a worktree).
 */
#ifndef CMD_SWARM_ENDING_H
#define CMD_SWARM_ENDING_H

#include "git/worktree.h"
#include "loops/worker.h"

/* Ends the worker, its window and its heartbeat; the record stays.  1, 0 when it was over
 * before, 2 when it ended by itself, which was said; -1 + err (empty when it was said
 * already). */
int worker_end(struct worker *w, struct err *err) NODISCARD;
void worker_close_window(const struct worker *w);
/* Asks the worker to end, so that many end at the same time; worker_end waits for it.  Was
 * there somebody to ask? */
bool worker_end_soon(const struct worker *w);

/* Does the worker have a worktree?  The strings are the caller's (worktree_release). */
bool worker_worktree(const struct worker *w, struct worktree *out);
/* worktree_remove, and says how much went that git ignores. */
int worker_remove_worktree(
    const char *name, const struct worktree *worktree, bool force, struct err *err) NODISCARD;
/* Removes the worktree, if the worker has one.  A worktree that stays (work would be lost) is
 * no failure of the command: that is said, and its place only when the worker will be
 * forgotten. */
void worker_drop_worktree(const struct worker *w, bool force, bool forgotten);

/* A line on stderr that is neither error nor warning: "swarm: ...". */
void swarm_hint(const char *fmt, ...) PRINTF(1, 2);

#endif
