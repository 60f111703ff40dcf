/*
 * viewer.h - an agent's terminal, shown in this one.
 *
 * The viewer is a client of the keeper: it gets the whole screen, then the bytes as they come.
 * Keys that are typed go to the agent; the agent's window takes this terminal's size.  The
 * viewer stays across iterations, until the loop is over, the detach key is pressed, or the
 * terminal goes.
 *
 * In a tmux pane of ours (`ralph view`) every key is the agent's and tmux has its own ways to
 * leave; when the pane goes, the viewer tells the supervisor why.
 */
#ifndef LOOPS_VIEWER_H
#define LOOPS_VIEWER_H

#include "base/err.h"

#define VIEWER_DETACH_NAME "Ctrl-\\"

/* Sequences for the clipboard, title and notifications (term_passes, term/term.h) reach this
 * terminal only if `passes` has them.  stdin and stdout must be a terminal.  -1 + err when
 * there is nothing to show. */
int viewer_main(const char *name, bool pane, unsigned passes, struct err *err) NODISCARD;

#endif
