/*
 * refs.h - references are moved, all or none, by a git whose locks can be told to be ours.
 *
 * Git takes REF.lock (HEAD.lock, packed-refs.lock) before it moves anything, and whoever is
 * killed with -9 then leaves them for good: nobody could move that reference any more.  So the
 * move is made in two steps.  When git has its locks and waits for "commit", each gets a second
 * name of ours in the common directory ("ralph-lock:refs:heads:main.lock"): a lock that is
 * still the same file as that when nobody of us is at it was left by a git of ours.  All others
 * stay. Git does not sync what it writes before that, we do after it: so the locks have no name
 * of ours for as short as can be.
 *
 * Where files have one name only, or references are not files, they are moved all the same, and
 * a lock that is left is anybody's.  Moves of ours in one repository take turns.
 */
#ifndef GIT_REFS_H
#define GIT_REFS_H

#include "base/buf.h"
#include "base/err.h"

/* The lines are those of `git update-ref --stdin`, without spaces in names; dir is the top of a
 * work tree; note, for the reference log, may be NULL.  -1: none has moved, or the move cannot
 * be told from one that was made; look. */
int refs_update(const char *dir, const char *common, const char *note, const struct buf *script,
    struct err *err) NODISCARD;
/* Takes away what a git of ours left locked. */
void refs_sweep(const char *common);
/* Of a sentence of git's that may be about somebody's lock: what to do, or "". */
const char *lock_remedy(const char *text);

#endif
