/*
 * log.h - the program's own voice on stderr.
 *
 * Lines start with the name the program was called by ("ralph" or "swarm"):
 *   ralph: error: ...      ralph: warning: ...
 * Words from outside are quoted with text_quote(); the line as a whole is
 * passed through text_show, so it stays one line and harmless whatever it says.
 * RALPH_DEBUG_LOG=FILE appends debug lines there; otherwise debug() costs a load.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/compiler.h"

/* Called once by main with argv[0]; only its basename counts. */
void log_set_name(const char *argv0);
const char *log_name(void); /* "ralph" until set */

void error(const char *fmt, ...) PRINTF(1, 2);
void warning(const char *fmt, ...) PRINTF(1, 2);
/* One warning per line of the text; NULL and "" are none. */
void warning_lines(const char *text);
void debug(const char *fmt, ...) PRINTF(1, 2);
NORETURN void die(int code, const char *fmt, ...) PRINTF(2, 3);

#endif
