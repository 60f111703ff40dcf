/*
 * echo.h - is this line the agent's, or our own prompt coming back?
 *
 * Agents show the prompt they were given, tools print the file it came from.
 * Without rules that know an agent's screen, a line is taken for a repetition of
 * the prompt when
 *   - it goes on, word for word, where a repetition that began with the prompt's
 *     first words left off, or one that began further down (a box that shows the
 *     end, a file cut in the middle) and has lasted for ECHO_LONG_LINES lines and
 *     ECHO_LONG_LETTERS letters; or
 *   - it holds the matched text together with other words around it, exactly as the
 *     prompt has them: up to ECHO_WORDS on each side, or as far as the line or the
 *     prompt goes; three in all are enough when both sides have one.
 * A line that is the matched text alone, outside such a repetition, is the agent's.
 *
 * Lines are compared by their letters and digits alone.  So white space, bullets,
 * frames, quotes and Markdown do not matter, nor where a line was broken, nor
 * \n for a newline (JSON); a line number before the line is skipped (cat -n).
 */
#ifndef WATCH_ECHO_H
#define WATCH_ECHO_H

#include "base/buf.h"

struct echo;

#define ECHO_LONG_LINES 4
#define ECHO_LONG_LETTERS 120
#define ECHO_WORDS 4

/* How far a repetition has come; a value to keep and to go back to. */
struct echo_place {
	size_t next;	/* letters of the prompt before what comes next; 0: no repetition */
	size_t lines;	/* lines of the repetition so far */
	size_t letters; /* letters of the repetition so far */
	bool first;	/* it began with the prompt's first words */
};

struct echo *echo_new(const char *prompt, size_t len) NODISCARD;
void echo_free(struct echo *e);
/* Does the line go on with a repetition of the prompt, or begin one?  Every line must pass, in
 * order. */
bool echo_line(struct echo *e, const char *line, size_t len);
/* Call after a match at [start, end) of a line that echo_line let pass: does the prompt have
 * the match with the words around it? */
bool echo_contains(
    const struct echo *e, const char *line, size_t len, size_t start, size_t end);
/* Keep a place, and go back to it: for a screen, whose rows pass again and again.  A place of
 * zeros is outside of any repetition. */
struct echo_place echo_place(const struct echo *e);
void echo_return(struct echo *e, struct echo_place place);

/* Appends the letters and digits of a text, by which lines are compared. */
void echo_letters(const char *text, size_t len, struct buf *out);

#endif
