/*
 * refs.h - moves references, all or none, by a git whose locks we can recognise as ours.
 *
 * Git takes REF.lock (HEAD.lock, packed-refs.lock) before it moves anything, and a git that is
 * killed with -9 then leaves these locks for good: nobody could move that reference any more.
 * So the move is made in two steps. When git has its locks and waits for "commit", each lock
 * gets a second name of ours in the common directory ("ralph-lock:refs:heads:main.lock").  A
 * lock that is still the same file as its second name, while no process of ours moves
 * references, was left by a git of ours.  All other locks stay.  Git does not sync what it
 * writes before that, and we sync it afterwards: so the locks are without a second name for as
 * short a time as possible.
 *
 * When the file system has no hard links, or references are not files, references are moved all
 * the same, and nobody knows whose a lock is that is left.  Moves of ours in one repository
 * take turns.
 */
#ifndef GIT_REFS_H
#define GIT_REFS_H

#include "base/buf.h"
#include "base/err.h"

/* The lines are those of `git update-ref --stdin`, without spaces in names; dir is the top of a
 * work tree; note, for the reference log, may be NULL. -1: no reference has moved, or the move
 * may have been made; the caller has to look. */
int refs_update(const char *dir, const char *common, const char *note, const struct buf *script,
    struct err *err) NODISCARD;
/* Removes the locks that a git of ours left. */
void refs_sweep(const char *common);
/* Says what to do when a sentence of git's is about somebody's lock; else "". */
const char *lock_remedy(const char *text);

#endif
