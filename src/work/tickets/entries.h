/*
 * entries.h - the inside of a backlog, for the files that work on it: one entry a ticket.
 */
#ifndef WORK_TICKETS_ENTRIES_H
#define WORK_TICKETS_ENTRIES_H

#include "base/strmap.h"
#include "work/tickets/backlog.h"
#include <dirent.h>
#include <sys/stat.h>

/* Tells whether a file is the one that was read. */
struct entry_key {
	dev_t dev;
	ino_t ino;
	off_t size;
	int64_t modified, changed;
};

struct entry {
	struct ticket t;
	char *bad; /* why it is no ticket; then t is empty */
	struct entry_key key;
	uint64_t hash; /* of its bytes; 0 when they were not read */
	bool steady;   /* old enough when it was read for the key to be trusted */
	bool fresh;    /* changed in this refresh */
	bool shadowed; /* a later file has its id */
	bool settled;
	bool meant;    /* meant as a ticket, though it is bad or its status is none */
	bool conflict; /* a merge left its markers in the front matter */
	unsigned seen; /* the refresh that found it last */
	size_t index;  /* in backlog.entries */
	char file[];   /* "NAME.md" */
};

struct backlog {
	char *path;
	DIR *dir;
	struct entry **entries; /* by file name */
	size_t n, cap;
	struct strmap files, ids, settled;
	unsigned round;
	bool changed; /* entries have, and the indices do not show it yet */
	bool listed;  /* the lists below are made */
	const struct ticket **all, **ready, **blocked;
	size_t nall, nready, nblocked;
	struct buf text, notes;
};

struct entry_key entry_key_of(const struct stat *st);
bool entry_key_same(const struct entry_key *a, const struct entry_key *b);
/* Reads the file of the entry, and marks the entry and the backlog when the content is new.  A
 * file that cannot be read is bad; -1 only for failures that pass. */
int entry_read(struct backlog *b, struct entry *e, struct err *err) NODISCARD;
void entry_free(struct entry *e);

/* Is the file read, and a ticket? */
static inline bool
entry_is_ticket(const struct entry *e)
{
	return e->t.store != NULL;
}

static inline bool
entry_is_closed(const struct entry *e)
{
	return e->settled || e->t.status == TICKET_CLOSED;
}

/* Is the ticket work that is left, as tk counts it? */
static inline bool
entry_is_open(const struct entry *e)
{
	return entry_is_ticket(e) && !e->shadowed && !e->settled &&
	       (e->t.status == TICKET_OPEN || e->t.status == TICKET_IN_PROGRESS);
}

#endif
