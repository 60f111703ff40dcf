/*
 * spare.h - a session's directory and keeper, before anybody knows what for (private to this
 * room; session.h has what others may call).
 */
#ifndef SESSION_SPARE_H
#define SESSION_SPARE_H

#include "base/ev.h"
#include "base/process/child.h"
#include "session/session.h"

/* The spare's directory until it gets a session's name; the name is hidden, so it is never
 * listed. */
#define SPARE_DIR ".next"

struct session_spare {
	struct ev *ev;
	int sessions_dirfd; /* the caller's */
	int dirfd;
	int fd;		     /* to the keeper, which has been greeted */
	struct child keeper; /* pid -1: it has gone */
	struct ev_child exit;
};

/* Names the spare's directory `id`: from then on it counts as a session that is starting. */
int session_spare_name(struct session_spare *spare, const char *id, struct err *err) NODISCARD;

#endif
