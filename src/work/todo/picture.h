/*
 * picture.h - pictures of the screen that belong to a task: ROOT/ai/ralph/screenshots.
 */
#ifndef WORK_TODO_PICTURE_H
#define WORK_TODO_PICTURE_H

#include "base/json.h"

/* Does the worker that asks this need to see the UI?  Judged by the words alone; pure. */
bool picture_is_asked(const char *question);

/* Can pictures be taken now?  False + err when no display answers.  Waits for the display, not
 * for long. */
bool picture_can(struct err *err);

/* Takes a picture of that name below root.  `out` gets its path ("picture"), or why there is
 * none ("unseen") and whether no display answers ("blind").  Waits for the display, a few
 * seconds at most: call it in a step (supervisor/step.h). */
void picture_take(const char *root, const char *name, json_t *out);

#endif
