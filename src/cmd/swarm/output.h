/*
 * output.h - what the latest agent of a worker wrote: live, or from its recording.
 */
#ifndef CMD_SWARM_OUTPUT_H
#define CMD_SWARM_OUTPUT_H

#include "loops/worker.h"

/* Appends the lines of everything that is on record, each with \n, safe to print; of an agent
 * with a terminal, *screen (may be NULL) is how many of the last ones are on its screen.  -1
 * with code ENOENT when nothing was recorded. */
int output_all(
    const struct worker *w, struct buf *out, size_t *screen, struct err *err) NODISCARD;
/* Appends the terminal's screen as it is now, or was in the end, without the blank rows below
 * the text. */
int output_screen(const struct worker *w, struct buf *out, struct err *err) NODISCARD;

size_t output_lines(const struct buf *text);

#endif
