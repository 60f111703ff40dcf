/*
 * astray.h - before a loop that makes commits says that all is done: are they still there?
 *
 * An agent, or a person, may move the branch back that earlier work of the run is on.  So when
 * the source has nothing left to start, a step looks for the commits of the run, which the
 * facts name (git/landing/astray.h); the answer of the source waits for this step.  Missing
 * commits are told to the loop as work that is not on its branch, and to the user with the last
 * words of the kind.  When git cannot tell, that is told the same way: not known is not done.
 * Each is told once: an end that nobody asked for closes the account.
 */
#ifndef WORK_SHARED_ASTRAY_H
#define WORK_SHARED_ASTRAY_H

#include "supervisor/running.h"

struct astray;

/* A view without a file (record/view.h), whose pointer is one to struct astray. */
extern const struct view_ops astray_view;
/* For `last` of struct kind: true when the answer waits for a look. */
bool astray_look(struct astray *a, const struct loop_input *answer);
/* "T001 ...; T002 ..."; NULL: nothing is missed. */
const char *astray_text(const struct astray *a);

#endif
