/*
 * action.h - what `ralph-desktop ACTION` does, once there is a display.
 */
#ifndef DESKTOP_ACTION_H
#define DESKTOP_ACTION_H

#include "base/json.h"
#include "desktop/options.h"

struct action {
	enum desktop_id id;
	const char *name;
	const struct desktop_options *options;
	const struct operands *operands;
	const struct buf *text; /* DESKTOP_TYPE: what to type */
	int64_t deadline;	/* boot time, ns */
};

/* A job_fn: arg is a struct action; out is what to print.  err->code tells the exit code:
 * ENXIO, there is no display or no such ability; ETIMEDOUT, something did not answer. */
int action_run(const void *arg, struct buf *out, struct err *err);

/* The arguments of the action, as the log tells them. */
json_t *action_args(const struct action *a) NODISCARD;

#endif
