/*
 * ending.h - what a loop says last: the sentences of END_REASONS, filled in.
 *
 * Words in braces stand for what the state and the caller know:
 *
 *   {n iterations}  how many counted up to the last one: "1 iteration", "5 iterations"; where
 *                   loop_keeps_seed, the seed's "1 iterations"
 *   {iterations}    how many counted, in the same words
 *   {tally}         "; 2 of 5 failed, 1 of 5 ended idle", or nothing
 *   {all ran}       "5 iterations done"; where the loop is not judged, the seed's words
 *   {failed}        how many of what failed
 *   {failures}      in a row
 *   {tasks}         "tickets" or "tasks"
 *   {and more}      what was not reached
 *   {sought}        "the done pattern never matched"; of a command that gives tasks out: "the
 *                   prompt command never said that all is complete"
 *   {unlanded}      "1 task is", "2 tasks are"
 *   {and left}      besides those that failed: of a graph, that there are more; of tickets ". "
 *                   and the text; or nothing
 *   {text}          what the source said; {(text)}: the same in brackets, or nothing; { text}:
 *                   after a space, or nothing
 *   {reason}        its name in the record
 *   {resume}        the command that goes on
 *   {way on}        a sentence that tells how to go on
 */
#ifndef LOOP_ENDING_H
#define LOOP_ENDING_H

#include "loop/loop.h"

enum end_voice { SAY_ALERT, SAY_LOOP, SAY_TICKETS, SAY_TODO, SAY_COUNT };

#define ENDING_MAX (2 * TEXT_MAX)

struct ending {
	const struct loop_state *state;
	enum end_reason reason;
	int64_t iteration;  /* the last one */
	const char *text;   /* or NULL */
	const char *resume; /* or NULL */
	const char *way_on; /* or NULL */
};

/* Cut to what fits.  False when there is nothing to say: `out` is "" then. */
bool ending_say(const struct ending *e, enum end_voice voice, char out[ENDING_MAX]);
/* The voice of the loop's kind: `ralph run`, `ralph loop` or `ralph todo`. */
enum end_voice ending_voice(const struct policy *policy);

#endif
