/*
 * lock.h - exclusive ownership that dies with its owner.
 *
 * A lock is flock(2) on a file that is never unlinked.  Its content (who,
 * since when) is for people; only the flock counts.  lock_release empties the
 * file.  The descriptor is O_CLOEXEC unless the lock is made to be inherited
 * (a task's lock: it stays held while any process of the agent's tree lives).
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/err.h"

enum lock_flags {
	LOCK_INHERIT = 1, /* without O_CLOEXEC */
	LOCK_WAIT = 2,	  /* for as long as others hold it, first come, first served */
};

/*
 * Takes the lock at dirfd/name and writes content into it; without waiting, unless asked to.
 * Returns the descriptor; -1 with err->code EWOULDBLOCK when someone holds it
 * (the sentence then quotes the holder), or another errno.
 */
int lock_take(int dirfd, const char *name, unsigned flags, const char *content,
    struct err *err) NODISCARD;
/* As lock_take, for a lock that is held for moments: waits for at most `patience` ns, so that a
 * holder that was stopped in the middle does not stop others for ever.  With content NULL
 * nothing is written into the file, and closing the descriptor is enough. */
int lock_take_within(int dirfd, const char *name, int64_t patience, const char *content,
    struct err *err) NODISCARD;
/* Locks the directory itself, which leaves no file behind; waits for ten seconds at most.  `of`
 * is for the message.  File systems on a network may have no such lock; then the returned
 * descriptor holds none. */
int lock_directory(int dirfd, const char *of, struct err *err) NODISCARD;
void lock_release(int *fd); /* empties, unlocks, closes; *fd = -1 */
#define AUTO_LOCK __attribute__((cleanup(lock_release)))
void lock_leave(int *fd); /* unlocks, closes; *fd = -1; the content stays */

/* Does anyone hold the lock now?  1 yes, 0 no (also when the file is missing), -1 error. */
int lock_is_held(int dirfd, const char *name, struct err *err) NODISCARD;

/* A process that is killed while it makes another one leaves its locks to that one, which lets
 * go of them in a moment.  Waits for that moment, where the lock's content names a "pid" that
 * is gone. */
void lock_await_heirs(int dirfd, const char *name);

/* The usual content: {"pid":..,"started":"..","start_time":..,"boot_id":".."} */
void lock_describe_self(char *out, size_t size);

#endif
