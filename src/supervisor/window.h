/*
 * window.h - a loop's tmux window: opened when the loop is taken, opened anew when it is gone
 * at the next start, closed when the loop is over.
 *
 * The window only shows the agent (session/tmux.h): a failure of the window is a warning.
 */
#ifndef SUPERVISOR_WINDOW_H
#define SUPERVISOR_WINDOW_H

#include "supervisor/running.h"

/* A window, if the loop wants one and has none that lives.  -1 + err when it cannot be made. */
int window_open(struct running *r, struct err *err) NODISCARD;
/* Call before an iteration starts: opens the window anew where the user has closed it, or its
 * server has died. */
void window_check(struct running *r);
void window_close(struct running *r);

#endif
