/*
 * tmux.h - windows of tmux that run a viewer, and nothing else.
 *
 * Windows are known by their id (@12) and the server's identity (pid and start time), never by
 * name or index, so that base-index, renumber-windows and prefixes do not matter.  A session
 * that was there before is never killed; a session that we made is gone when its last window is
 * gone.  No stray shell window: a new session's first window is ours.  Works with any tmux.conf
 * (base-index, renumber-windows, remain-on-exit, default-command, status off, automatic-rename,
 * destroy-unattached, exit-empty ...).  tmux is run with every descriptor above 2 closed, argv
 * form, a deadline of 10 s, and TMUX taken out of its environment.
 */
#ifndef SESSION_TMUX_H
#define SESSION_TMUX_H

#include "base/buf.h"
#include "base/err.h"
#include <sys/types.h>

struct tmux_window {
	char socket[64]; /* -L name; "" for the default */
	char session[128];
	char name[128];
	char id[24]; /* "@12"; "" while there is none */
	pid_t server;
	uint64_t server_start;
};

bool tmux_installed(void);
/* Makes the window (and the session when missing) running argv in cwd; w->socket, session and
 * name are given, the rest is filled in.  Does not steal the focus of an attached client.  As
 * tmux does, ':' and '.' in the session's name are made '_' (in w, too); names with control
 * characters or one of #%\$; are refused.  Waits for a server that is just ending, about a
 * second at most. */
int tmux_window_open(
    struct tmux_window *w, const char *cwd, char *const *argv, struct err *err) NODISCARD;
/* Is the window's server alive, and the window still there?  1, 0, or -1 + err. */
int tmux_window_alive(const struct tmux_window *w, struct err *err) NODISCARD;
bool tmux_server_alive(const struct tmux_window *w); /* without running tmux */
/* Closes only this window; a window that is gone is a success. */
int tmux_window_close(const struct tmux_window *w, struct err *err) NODISCARD;
/* Replaces this process by a client that shows the window: attach, or switch-client inside tmux
 * (of the same server).  Returns only on error. */
int tmux_window_show(const struct tmux_window *w, struct err *err) NODISCARD;

/* The window is kept in display.json, in the directory of the loop. */
int tmux_window_save(int loop_dirfd, const struct tmux_window *w, struct err *err) NODISCARD;
int tmux_window_load(
    int loop_dirfd, struct tmux_window *w, struct err *err) NODISCARD; /* code ENOENT: none */

#endif
