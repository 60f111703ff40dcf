/*
 * done.h - has the agent said that everything is done?
 *
 * Lines go in from a pipe, or rows from a screen: the rows that left the screen, in order
 * (done_row), and the rows on the screen whenever output has settled (done_screen).  Each is
 * searched alone, and joined with up to five rows before it where the break was forced by the
 * width.  Repetitions of the prompt do not count (echo.h).  The answer latches: after the first
 * match nothing is searched any more.
 */
#ifndef WATCH_DONE_H
#define WATCH_DONE_H

#include "base/buf.h"
#include "base/err.h"
#include "watch/row.h"

struct done;

enum done_result { DONE_NO, DONE_YES, DONE_EXPENSIVE };

#define DONE_JOIN_MAX 6

struct done *done_new(
    const char *pattern, const char *prompt, size_t prompt_len, struct err *err) NODISCARD;
void done_free(struct done *d);
/* Searches a whole line of a pipe. */
enum done_result done_line(struct done *d, const char *line, size_t len);
/* Searches a row that left the screen; `wrapped`: it continues in the next row. */
enum done_result done_row(struct done *d, const char *text, size_t len, bool wrapped);
/* Searches the rows on the screen: `row` is called for 0..rows-1 and returns the wrap flag.
 * `width` tells forced breaks of programs that wrap by themselves (a row that fills
 * the width but for a few columns). */
enum done_result done_screen(struct done *d, int rows, int width, row_fn *row, void *ctx);
/* After DONE_YES: the matched text.  Once DONE_EXPENSIVE was returned the search is off. */
const char *done_text(const struct done *d);
/* Call when a person or we typed text into the session: lines that equal the text are no
 * statement of the agent, either. */
void done_typed(struct done *d, const char *text, size_t len);

#endif
