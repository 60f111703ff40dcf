/*
 * alert.h - running the user's --on-alert command.
 *
 * `sh -c CMD` with the event as JSON on its stdin, in a session of its own.  It has a minute;
 * then it is killed.  Nothing waits for it but the end of the loop, and that not for long.
 */
#ifndef SUPERVISOR_ALERT_H
#define SUPERVISOR_ALERT_H

#include "base/ev.h"

struct alerts {
	struct ev *ev;
	char mark[32]; /* in the environment of the commands, and of what they leave behind */
	const char *command; /* NULL: none */
	struct alert *running;
	void (*idle)(void *ctx); /* called when the last one has ended */
	void *ctx;
};

/* Makes `mark`, which no other supervisor has. */
void alerts_init(struct alerts *a, struct ev *ev);
void alerts_run(struct alerts *a, const char *json);
bool alerts_pending(const struct alerts *a);
void alerts_kill(struct alerts *a); /* ends what still runs */

#endif
