#include "desktop/pointer.h"

#include "base/text.h"
#include <xcb/xtest.h>

bool
pointer_available(const struct display *d)
{
	const xcb_query_extension_reply_t *r = xcb_get_extension_data(d->c, &xcb_test_id);

	return r != NULL && r->present != 0;
}

static void
pointer_fake(const struct display *d, uint8_t type, uint8_t detail, int x, int y)
{
	(void)xcb_test_fake_input(
	    d->c, type, detail, XCB_CURRENT_TIME, d->root, (int16_t)x, (int16_t)y, 0);
}

/* Does the thing at the pointer belong to the window: its frame, or a menu of the same
 * program? */
static bool
is_on(const struct display *d, const struct toplevel *w)
{
	AUTO_FREE xcb_query_pointer_reply_t *r =
	    xcb_query_pointer_reply(d->c, xcb_query_pointer(d->c, d->root), NULL);

	if (r == NULL || r->child == XCB_NONE)
		return false;
	return r->child == toplevel_frame(d, w->id) ||
	       (w->pid != 0 &&
		   display_number(d, r->child, d->atoms[ATOM_NET_WM_PID]) == w->pid);
}

int
pointer_click(const struct display *d, const struct toplevel *w, int x, int y, unsigned button,
    unsigned times, struct err *err)
{
	if (x < 0 || y < 0 || x >= d->screen->width_in_pixels ||
	    y >= d->screen->height_in_pixels)
		return err_set(err, "%d,%d is not on the screen, which is %d by %d", x, y,
		    d->screen->width_in_pixels, d->screen->height_in_pixels);
	pointer_fake(d, XCB_MOTION_NOTIFY, 0, x, y);
	display_sync(d);
	if (w != NULL && !is_on(d, w)) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, w->title);
		return err_set(err,
		    "something else covers the window %s at %d,%d of the screen", shown.data, x,
		    y);
	}
	while (times-- > 0) {
		pointer_fake(d, XCB_BUTTON_PRESS, (uint8_t)button, x, y);
		pointer_fake(d, XCB_BUTTON_RELEASE, (uint8_t)button, x, y);
	}
	display_sync(d);
	return 0;
}
