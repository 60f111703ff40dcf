/*
 * following.h - what the agents of a loop wrote, printed; and what they write (loops/follow.h).
 */
#ifndef CMD_LOOK_FOLLOWING_H
#define CMD_LOOK_FOLLOWING_H

#include "loops/loop_view.h"

struct logs_following {
	int64_t lines;	     /* how many lines of a session that is there already; 0: all */
	const char *session; /* only this one, until its end; NULL: whichever comes */
	bool raw;	     /* bytes instead of lines; then there is nothing else */
	bool headers;	     /* a line when an iteration begins, ends, and has landed */
	bool labels;	     /* the task before every line */
	bool colours;
};

int logs_follow(
    const struct loop_view *v, const struct logs_following *how, struct err *err) NODISCARD;

/* Prints which iterations have a recording: a table, or an array of objects. */
int logs_list(const struct loop_view *v, bool json, struct err *err) NODISCARD;

#endif
