/*
 * focus.c - the active window: making a window active, asking its program whether it answers,
 * and waiting for the window manager.
 */
#include "desktop/toplevel.h"

#include "base/clock.h"
#include "base/text.h"
#include <errno.h>

#define EVENT(e) ((e)->response_type & 0x7f)

/* The request comes from a pager, that is, from the user.  A window manager may refuse a
 * program's own wish for attention, but should not refuse the user's. */
#define SOURCE_USER 2
/* How long a window manager may take to catch up. */
#define SETTLE_MAX (5 * NSEC_PER_SEC)

static void
focus_watch(const struct display *d, xcb_window_t w, uint32_t mask)
{
	(void)xcb_change_window_attributes(d->c, w, XCB_CW_EVENT_MASK, &mask);
}

static xcb_window_t
keyboard_owner(const struct display *d)
{
	AUTO_FREE xcb_get_input_focus_reply_t *r =
	    xcb_get_input_focus_reply(d->c, xcb_get_input_focus(d->c), NULL);

	if (r == NULL || r->focus <= XCB_INPUT_FOCUS_POINTER_ROOT || r->focus == d->root)
		return XCB_NONE;
	return toplevel_frame(d, r->focus);
}

xcb_window_t
toplevel_active(const struct display *d)
{
	AUTO_FREE char *manager = display_manager(d);
	xcb_window_t w = display_number(d, d->root, d->atoms[ATOM_NET_ACTIVE_WINDOW]);
	AUTO_FREE xcb_get_geometry_reply_t *there = NULL;

	if (manager == NULL)
		return keyboard_owner(d);
	/* The manager may not have seen yet that the window is gone. */
	there = xcb_get_geometry_reply(d->c, xcb_get_geometry(d->c, w), NULL);
	return there == NULL ? XCB_NONE : w;
}

static int
focus_alone(const struct display *d, const struct toplevel *w)
{
	const uint32_t above = XCB_STACK_MODE_ABOVE;

	(void)xcb_configure_window(d->c, w->id, XCB_CONFIG_WINDOW_STACK_MODE, &above);
	(void)xcb_set_input_focus(d->c, XCB_INPUT_FOCUS_POINTER_ROOT, w->id, XCB_CURRENT_TIME);
	display_sync(d);
	return toplevel_active(d) == w->id ? 0 : -1;
}

static int
focus_managed(const struct display *d, const struct toplevel *w)
{
	const uint32_t data[5] = {SOURCE_USER};
	int rc = 0;

	focus_watch(d, d->root, XCB_EVENT_MASK_PROPERTY_CHANGE);
	display_tell(d, d->root,
	    XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, w->id,
	    ATOM_NET_ACTIVE_WINDOW, data);
	while (rc == 0 && toplevel_active(d) != w->id) {
		xcb_generic_event_t *event = display_event(d, d->deadline);

		rc = event == NULL ? -1 : 0;
		free(event);
	}
	focus_watch(d, d->root, 0);
	return rc;
}

int
toplevel_focus(const struct display *d, const struct toplevel *w, struct err *err)
{
	AUTO_FREE char *manager = display_manager(d);
	AUTO_BUF shown = BUF_INIT;

	if ((manager == NULL ? focus_alone : focus_managed)(d, w) == 0)
		return 0;
	text_quote(&shown, w->title);
	return err_code(
	    err, ETIMEDOUT, "the window %s did not become active in time", shown.data);
}

static bool
is_pong(const struct display *d, const xcb_generic_event_t *event, uint32_t stamp)
{
	xcb_client_message_event_t m;

	if (EVENT(event) != XCB_CLIENT_MESSAGE)
		return false;
	memcpy(&m, event, sizeof(m));
	return m.type == d->atoms[ATOM_WM_PROTOCOLS] &&
	       m.data.data32[0] == d->atoms[ATOM_NET_WM_PING] && m.data.data32[1] == stamp;
}

static bool
is_end(const xcb_generic_event_t *event, xcb_window_t w)
{
	xcb_destroy_notify_event_t m;

	if (EVENT(event) != XCB_DESTROY_NOTIFY)
		return false;
	memcpy(&m, event, sizeof(m));
	return m.window == w;
}

enum pong
toplevel_ping(const struct display *d, xcb_window_t w, int64_t at_most)
{
	uint32_t stamp = (uint32_t)(clock_boot() / NSEC_PER_MSEC) | 1;
	const uint32_t data[5] = {d->atoms[ATOM_NET_WM_PING], stamp, w};
	int64_t until = clock_boot() + at_most;
	enum pong pong = PONG_NO;
	xcb_generic_event_t *event;

	/* The answer is sent to the root.  A Return may well have closed the window. */
	focus_watch(d, d->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
	focus_watch(d, w, XCB_EVENT_MASK_STRUCTURE_NOTIFY);
	if (display_has(d, w, d->atoms[ATOM_WM_PROTOCOLS], data[0]))
		display_tell(d, w, XCB_EVENT_MASK_NO_EVENT, w, ATOM_WM_PROTOCOLS, data);
	else
		pong = PONG_NONE;
	while (pong == PONG_NO && (event = display_event(d, until)) != NULL) {
		if (is_pong(d, event, stamp) || is_end(event, w))
			pong = PONG_YES;
		free(event);
	}
	focus_watch(d, d->root, 0);
	focus_watch(d, w, 0);
	return pong;
}

/* The window manager answers in order, so a question about a window that nobody sees will do:
 * how wide would the window's frame be? */
void
toplevels_settle(const struct display *d)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	const uint32_t data[5] = {0};
	xcb_window_t w = xcb_generate_id(d->c);
	int64_t until = clock_boot() + SETTLE_MAX;
	xcb_generic_event_t *event = NULL;

	if (!display_has(d, d->root, d->atoms[ATOM_NET_SUPPORTED],
		d->atoms[ATOM_NET_REQUEST_FRAME_EXTENTS]))
		return;
	(void)xcb_create_window(d->c, XCB_COPY_FROM_PARENT, w, d->root, -1, -1, 1, 1, 0,
	    XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	display_tell(d, d->root,
	    XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, w,
	    ATOM_NET_REQUEST_FRAME_EXTENTS, data);
	do {
		free(event);
		event = display_event(d, until < d->deadline ? until : d->deadline);
	} while (event != NULL && EVENT(event) != XCB_PROPERTY_NOTIFY);
	free(event);
	(void)xcb_destroy_window(d->c, w);
	(void)xcb_flush(d->c);
}
