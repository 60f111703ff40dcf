/*
 * picture.h - pictures of the screen that belong to a task: ROOT/ai/ralph/screenshots.
 */
#ifndef WORK_TODO_PICTURE_H
#define WORK_TODO_PICTURE_H

#include "base/buf.h"
#include "base/err.h"

/* Does the worker that asks this need to see the UI?  Judged by the words alone; pure. */
bool picture_is_asked(const char *question);

/* Can pictures be taken now?  False + err when no display answers.  Waits for the display, not
 * for long. */
bool picture_can(struct err *err);

/* Takes a picture below root and appends its path to `path`.  Both functions wait for the
 * display, a few seconds at most: call them in a step (supervisor/step.h).  -1 + err when there
 * is no picture. */
int picture_complete(
    const char *root, const char *task, struct buf *path, struct err *err) NODISCARD;
int picture_intervention(
    const char *root, int64_t wall, struct buf *path, struct err *err) NODISCARD;

#endif
