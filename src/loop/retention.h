/*
 * retention.h - which sessions of a loop stay on disk.
 *
 * Only a session's directory keeps the output of its agent; but a loop that runs for weeks
 * would fill any disk.  So there are four limits, and the oldest sessions go first until all
 * limits hold.  The two newest sessions always stay: the one that runs, and the one before it,
 * which somebody may be reading.  A session that somebody still needs is pinned and stays, too;
 * a pinned session counts, so that others go in its place.
 *
 * Pure: the caller passes the sessions, the time and the free space.
 */
#ifndef LOOP_RETENTION_H
#define LOOP_RETENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RETENTION_NEWEST 2

struct retained {
	int64_t number; /* of its iteration */
	int64_t bytes;	/* on disk */
	int64_t at;	/* when it last changed (wall clock, ns) */
	bool pinned;	/* somebody needs it */
	bool goes;	/* the answer */
};

/* UNLIMITED (-1) for each but the last: no such limit. */
struct retention {
	int64_t sessions;   /* how many */
	int64_t bytes;	    /* how many, together */
	int64_t age;	    /* how old (ns) */
	int64_t least_free; /* bytes on their disk; 0: no such limit */
};

/* The list is in the order of the numbers.  Sets `goes` of each session, and returns how many
 * go. */
size_t retention_decide(struct retained *list, size_t n, const struct retention *keep,
    int64_t now, int64_t free_bytes);

#endif
