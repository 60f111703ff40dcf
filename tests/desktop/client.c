/*
 * client.c - a small X client for the tests of `ralph desktop`.
 *
 *	client window TITLE RRGGBB WIDTHxHEIGHT+X+Y    a window of one colour, until it is ended
 *	client cover RRGGBB WIDTHxHEIGHT+X+Y           the same, over all others, unmanaged
 *	client keymap                                  what every keycode means
 *	client caps                                    taps the Caps Lock key
 *
 * A window says "shown" when it is, then "button N X Y" for every press.  It does not know
 * _NET_WM_PING, and says no pid.
 */
#include "base/compiler.h"
#include "base/err.h"
#include <xcb/xcb.h>
#include <xcb/xtest.h>

#define CAPS_LOCK 0xffe5
#define ALL_KEYS 248
#define FIRST_KEY 8

static xcb_connection_t *c;
static const xcb_screen_t *screen;

static void
set_title(xcb_window_t w, const char *title)
{
	static const char *const names[] = {"_NET_WM_NAME", "UTF8_STRING"};
	xcb_atom_t atoms[2];

	for (size_t i = 0; i < 2; i++) {
		xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(
		    c, xcb_intern_atom(c, 0, (uint16_t)strlen(names[i]), names[i]), NULL);

		ENSURE(r != NULL);
		atoms[i] = r->atom;
		free(r);
	}
	xcb_change_property(
	    c, XCB_PROP_MODE_REPLACE, w, atoms[0], atoms[1], 8, (uint32_t)strlen(title), title);
}

/* The place is the user's wish, which a window manager then follows. */
static void
set_place(xcb_window_t w, int x, int y)
{
	uint32_t hints[18] = {1, (uint32_t)x, (uint32_t)y};

	xcb_change_property(c, XCB_PROP_MODE_REPLACE, w, XCB_ATOM_WM_NORMAL_HINTS,
	    XCB_ATOM_WM_SIZE_HINTS, 32, ARRAY_LEN(hints), hints);
}

static int
show(const char *title, const char *colour, const char *place)
{
	unsigned width, height;
	int x, y;
	const uint32_t values[] = {(uint32_t)strtoul(colour, NULL, 16), title == NULL,
	    XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_BUTTON_PRESS};
	xcb_window_t w = xcb_generate_id(c);
	xcb_generic_event_t *event;
	bool shown = false;

	/* NOLINTNEXTLINE(cert-err34-c): the tests write it */
	ENSURE(sscanf(place, "%ux%u+%d+%d", &width, &height, &x, &y) == 4);
	xcb_create_window(c, XCB_COPY_FROM_PARENT, w, screen->root, (int16_t)x, (int16_t)y,
	    (uint16_t)width, (uint16_t)height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
	    XCB_COPY_FROM_PARENT,
	    XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
	if (title != NULL)
		set_title(w, title);
	set_place(w, x, y);
	xcb_map_window(c, w);
	xcb_flush(c);
	while ((event = xcb_wait_for_event(c)) != NULL) {
		if ((event->response_type & 0x7f) == XCB_EXPOSE && !shown) {
			shown = true;
			puts("shown");
		} else if ((event->response_type & 0x7f) == XCB_BUTTON_PRESS) {
			xcb_button_press_event_t press;

			memcpy(&press, event, sizeof(press));
			printf("button %d %d %d\n", press.detail, press.event_x, press.event_y);
		}
		fflush(stdout);
		free(event);
	}
	return 0;
}

static int
keymap(xcb_keysym_t wanted)
{
	xcb_get_keyboard_mapping_reply_t *r = xcb_get_keyboard_mapping_reply(
	    c, xcb_get_keyboard_mapping(c, FIRST_KEY, ALL_KEYS), NULL);
	const xcb_keysym_t *syms = r == NULL ? NULL : xcb_get_keyboard_mapping_keysyms(r);
	int per = r == NULL ? 0 : r->keysyms_per_keycode;
	int found = 0;

	ENSURE(r != NULL);
	for (int i = 0; i < xcb_get_keyboard_mapping_keysyms_length(r); i++) {
		if (wanted == 0)
			printf("%d %x\n", FIRST_KEY + i / per, syms[i]);
		else if (syms[i] == wanted && found == 0)
			found = FIRST_KEY + i / per;
	}
	free(r);
	return found;
}

static int
tap(int code)
{
	xcb_test_fake_input(c, XCB_KEY_PRESS, (uint8_t)code, 0, screen->root, 0, 0, 0);
	xcb_test_fake_input(c, XCB_KEY_RELEASE, (uint8_t)code, 0, screen->root, 0, 0, 0);
	free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
	return 0;
}

int
main(int argc, char **argv)
{
	int rc = 2;

	c = xcb_connect(NULL, NULL);
	ENSURE(argc > 1 && xcb_connection_has_error(c) == 0);
	screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
	if (strcmp(argv[1], "window") == 0 && argc == 5)
		rc = show(argv[2], argv[3], argv[4]);
	else if (strcmp(argv[1], "cover") == 0 && argc == 4)
		rc = show(NULL, argv[2], argv[3]);
	else if (strcmp(argv[1], "keymap") == 0)
		rc = keymap(0);
	else if (strcmp(argv[1], "caps") == 0)
		rc = tap(keymap(CAPS_LOCK));
	xcb_disconnect(c);
	return rc;
}
