/*
 * display.h - the connection to the X server, and reading what is written on windows.
 *
 * Replies are waited for without a limit of their own: a user of this module runs as a job that
 * is ended when its time is over (main.c), so a server that hangs takes nobody with it.  Events
 * are waited for until the deadline.
 */
#ifndef DESKTOP_DISPLAY_H
#define DESKTOP_DISPLAY_H

#include "base/buf.h"
#include "base/err.h"
#include <xcb/xcb.h>

#define ATOMS(X)                                                   \
	X(NET_SUPPORTING_WM_CHECK, "_NET_SUPPORTING_WM_CHECK")     \
	X(NET_SUPPORTED, "_NET_SUPPORTED")                         \
	X(NET_REQUEST_FRAME_EXTENTS, "_NET_REQUEST_FRAME_EXTENTS") \
	X(NET_CLIENT_LIST, "_NET_CLIENT_LIST")                     \
	X(NET_ACTIVE_WINDOW, "_NET_ACTIVE_WINDOW")                 \
	X(NET_WM_NAME, "_NET_WM_NAME")                             \
	X(NET_WM_PID, "_NET_WM_PID")                               \
	X(NET_WM_PING, "_NET_WM_PING")                             \
	X(WM_PROTOCOLS, "WM_PROTOCOLS")                            \
	X(UTF8_STRING, "UTF8_STRING")                              \
	X(AT_SPI_BUS, "AT_SPI_BUS")

enum atom_id {
#define X(id, name) ATOM_##id,
	ATOMS(X)
#undef X
	    ATOM_COUNT
};

struct display {
	xcb_connection_t *c;
	const xcb_screen_t *screen;
	xcb_window_t root;
	int64_t deadline; /* boot time, ns */
	xcb_atom_t atoms[ATOM_COUNT];
};

/* -1, code ENXIO: there is no display, or it does not want us. */
int display_open(struct display *d, int64_t deadline, struct err *err) NODISCARD;
void display_close(struct display *d);

/* A property's bytes; false when the window has none of that type (0: any) and format. */
bool display_property(const struct display *d, xcb_window_t w, xcb_atom_t property,
    xcb_atom_t type, uint8_t format, struct buf *out);
/* The first of the property's 32-bit values; 0 when there is none. */
uint32_t display_number(const struct display *d, xcb_window_t w, xcb_atom_t property);
/* Is the value among the property's? */
bool display_has(const struct display *d, xcb_window_t w, xcb_atom_t property, uint32_t value);
/* The text of a property as UTF-8: UTF8_STRING as it is, else Latin-1; NULL: there is none. */
char *display_text(const struct display *d, xcb_window_t w, xcb_atom_t property) NODISCARD;

/* The name of the window manager ("" when it has none); NULL without one. */
char *display_manager(const struct display *d) NODISCARD;

/* The next event by then (boot time, ns); NULL when none came.  The caller frees it. */
xcb_generic_event_t *display_event(const struct display *d, int64_t until) NODISCARD;
/* Waits until the server has done all we asked for. */
void display_sync(const struct display *d);
/* Sends a message about `window` to `target`, with the event mask. */
void display_tell(const struct display *d, xcb_window_t target, uint32_t mask,
    xcb_window_t window, enum atom_id type, const uint32_t data[static 5]);

#endif
