/*
 * picture.h - pictures of the screen that belong to a task: ROOT/ai/ralph/screenshots.
 */
#ifndef WORK_TODO_PICTURE_H
#define WORK_TODO_PICTURE_H

#include "base/buf.h"
#include "base/err.h"

/* Does whoever asks this need to see the UI?  By its words; pure. */
bool picture_is_asked(const char *question);

/* What there is now; false + err where that is no display that answers.  Waits for it, not for
 * long. */
bool picture_can(struct err *err);

/* Below root, its path to `path`.  These wait for the display, a few seconds at most: they
 * belong into a step (supervisor/step.h).  -1 + err when there is no picture. */
int picture_complete(
    const char *root, const char *task, struct buf *path, struct err *err) NODISCARD;
int picture_intervention(
    const char *root, int64_t wall, struct buf *path, struct err *err) NODISCARD;

#endif
