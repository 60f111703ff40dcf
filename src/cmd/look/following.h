/*
 * following.h - what the agents of a loop wrote, and following what they write.
 *
 * All sessions that work at the beginning are shown from their start, or from their last lines;
 * where no session works, the last one is shown.  Sessions that begin later join in, whole.
 * The following is over when the loop is.  Only one run is followed, whatever becomes of the
 * loop's name meanwhile.
 *
 * Every byte that was recorded is printed once: a session's end is seen in its directory or in
 * the journal, and the recording is complete by then.  The words of a session come before the
 * headers and the words of sessions that came after its end.
 */
#ifndef CMD_LOOK_FOLLOWING_H
#define CMD_LOOK_FOLLOWING_H

#include "loops/loops.h"

struct logs_following {
	int64_t lines;	     /* of a session that is there already; 0: all */
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
