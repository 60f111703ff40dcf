/*
 * echo.h - is this line the agent's, or our own prompt coming back?
 *
 * Agents show the prompt they were given, tools print the file it came from.
 * Without rules that know an agent's screen, a line is taken for a repetition of
 * the prompt when
 *   - it goes on, word for word, where a repetition that began with the prompt's
 *     first words left off; or
 *   - it holds the matched text together with other words around it, exactly as the
 *     prompt has them.
 * A line that is the matched text alone, outside such a repetition, is the agent's.
 * White space, bullets and frames at the edges of a line do not matter.
 */
#ifndef WATCH_ECHO_H
#define WATCH_ECHO_H

#include "base/buf.h"

struct echo;

struct echo *echo_new(const char *prompt, size_t len) NODISCARD;
void echo_free(struct echo *e);
/* Every line must pass, in order; returns whether it repeats the prompt's run. */
bool echo_line(struct echo *e, const char *line, size_t len);
/* After a match at [start, end) of a line that echo_line let pass. */
bool echo_contains(const struct echo *e, const char *line, size_t len, size_t start, size_t end);
/* The order of lines is lost (clear, resize): runs begin anew. */
void echo_restart(struct echo *e);

#endif
