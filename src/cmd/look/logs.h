/*
 * logs.h - following what the agents of a loop write.
 *
 * All sessions that work when it begins are shown from their beginning, or from their last
 * lines; where none does, the last one there was.  Those that begin later join in, whole.  It
 * is over when the loop is.  Whatever becomes of the loop's name meanwhile, one run is
 * followed.
 *
 * Every byte that was recorded is printed once: a session's end is seen in its directory or in
 * the journal, and what is there then is all of it.  What a session wrote comes before the
 * headers, and the words of sessions, that came after its end.
 */
#ifndef CMD_LOOK_LOGS_H
#define CMD_LOOK_LOGS_H

#include "loops/loops.h"

struct following {
	int64_t lines;	     /* of a session that is there already; 0: all */
	const char *session; /* only this one, until its end; NULL: whichever comes */
	bool raw;	     /* bytes instead of lines; then there is nothing else */
	bool headers;	     /* a line when an iteration begins, ends, and has landed */
	bool labels;	     /* the task before every line */
	bool colours;
};

int logs_follow(
    const struct loop_view *v, const struct following *how, struct err *err) NODISCARD;

#endif
