/*
 * toplevel.h - the windows that people see: which there are, and which one is meant.
 *
 * The window manager lists these windows (_NET_CLIENT_LIST); without a manager they are the
 * visible children of the root.  A title is taken as pick.h says; an id as `windows` prints it
 * (0x1400003) is as good as a title.
 */
#ifndef DESKTOP_TOPLEVEL_H
#define DESKTOP_TOPLEVEL_H

#include "desktop/display.h"

struct toplevel {
	xcb_window_t id;
	uint32_t pid; /* 0: the window does not tell */
	char *title;  /* "" when it has none */
	int x, y;     /* of its inside, on the screen */
	int width, height;
	bool active;
};

struct toplevels {
	struct toplevel *list;
	size_t n;
};

void toplevels_list(const struct display *d, struct toplevels *ws);
void toplevels_release(struct toplevels *ws);
/* Finds the window that is meant.  NULL + err: there is none, or there are several; then the
 * sentence lists them. */
const struct toplevel *toplevels_find(
    const struct toplevels *ws, const char *wanted, struct err *err) NODISCARD;
/* Prints one line a window, or {"ok":true,"windows":[...]}. */
void toplevels_print(const struct toplevels *ws, bool json, struct buf *out);

/* Looks where the window is now: it may have moved since it was listed.  -1: it is gone. */
int toplevel_place(const struct display *d, struct toplevel *w, struct err *err) NODISCARD;
/* The child of the root that the window is in: itself, or its frame. */
xcb_window_t toplevel_frame(const struct display *d, xcb_window_t w);

/* Brings the window to the front and waits until it is the active one (focus.c). */
int toplevel_focus(
    const struct display *d, const struct toplevel *w, struct err *err) NODISCARD;
/* The active window; without a window manager, what has the keyboard.  0: none. */
xcb_window_t toplevel_active(const struct display *d);

enum pong {
	PONG_YES,  /* the program has read all earlier events, or the window is closed */
	PONG_NO,   /* no answer in time: the program hangs */
	PONG_NONE, /* the program is none of those that answer */
};
/* Asks the window's program for an answer, and waits for at most so long (ns). */
enum pong toplevel_ping(const struct display *d, xcb_window_t w, int64_t at_most);
/* Waits until the window manager has dealt with all that happened, as far as it can tell. */
void toplevels_settle(const struct display *d);

#endif
