/*
 * typed.h - text that was typed into a session: it is no statement of the agent when it shows.
 *
 * Keys are put together to lines, and a row that equals one of the last lines, or
 * the beginning of the one being typed, is somebody's typing.  A text of several
 * lines at once is a prompt of its own: its repetition is known as the prompt's is
 * (echo.h), while one of its lines alone may well be said by the agent.
 */
#ifndef WATCH_TYPED_H
#define WATCH_TYPED_H

#include "watch/echo.h"

struct typed;

struct typed *typed_new(void) NODISCARD;
void typed_free(struct typed *t);
void typed_add(struct typed *t, const char *text, size_t len);

/* As their namesakes in echo.h. */
bool typed_line(struct typed *t, const char *line, size_t len);
bool typed_contains(
    const struct typed *t, const char *line, size_t len, size_t start, size_t end);
struct echo_place typed_place(const struct typed *t);
void typed_return(struct typed *t, struct echo_place place);

#endif
