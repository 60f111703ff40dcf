#include "desktop/display.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include <errno.h>
#include <poll.h>

/* The longest property that is read: titles and lists of windows are far shorter. */
#define PROPERTY_WORDS 65536

static int
desktop_display_explain(struct err *err)
{
	const char *name = getenv("DISPLAY");
	const char *wayland = getenv("WAYLAND_DISPLAY");
	AUTO_BUF shown = BUF_INIT;

	if (name != NULL && name[0] != '\0') {
		text_quote(&shown, name);
		return err_code(err, ENXIO, "the display %s does not answer", shown.data);
	}
	if (wayland != NULL && wayland[0] != '\0')
		return err_code(err, ENXIO,
		    "this is a Wayland session without X (DISPLAY is not set), "
		    "which cannot be driven");
	return err_code(err, ENXIO, "there is no display (DISPLAY is not set)");
}

static int
intern_atoms(struct display *d)
{
	static const char *const names[] = {
#define X(id, name) name,
	    ATOMS(X)
#undef X
	};
	xcb_intern_atom_cookie_t cookies[ATOM_COUNT];
	int rc = 0;

	for (size_t i = 0; i < ATOM_COUNT; i++)
		cookies[i] = xcb_intern_atom(d->c, 0, (uint16_t)strlen(names[i]), names[i]);
	for (size_t i = 0; i < ATOM_COUNT; i++) {
		AUTO_FREE xcb_intern_atom_reply_t *r =
		    xcb_intern_atom_reply(d->c, cookies[i], NULL);

		if (r == NULL)
			rc = -1;
		else
			d->atoms[i] = r->atom;
	}
	return rc;
}

int
display_open(struct display *d, int64_t deadline, struct err *err)
{
	const char *name = getenv("DISPLAY");
	xcb_screen_iterator_t it;
	int number = 0;

	*d = (struct display){.deadline = deadline};
	if (name == NULL || name[0] == '\0')
		return desktop_display_explain(err);
	d->c = xcb_connect(NULL, &number);
	if (xcb_connection_has_error(d->c) != 0) {
		display_close(d);
		return desktop_display_explain(err);
	}
	it = xcb_setup_roots_iterator(xcb_get_setup(d->c));
	while (number-- > 0 && it.rem > 1)
		xcb_screen_next(&it);
	d->screen = it.data;
	if (it.rem <= 0 || intern_atoms(d) < 0) {
		display_close(d);
		return desktop_display_explain(err);
	}
	d->root = d->screen->root;
	return 0;
}

void
display_close(struct display *d)
{
	if (d->c != NULL)
		xcb_disconnect(d->c);
	d->c = NULL;
}

bool
display_property(const struct display *d, xcb_window_t w, xcb_atom_t property, xcb_atom_t type,
    uint8_t format, struct buf *out)
{
	AUTO_FREE xcb_get_property_reply_t *r = xcb_get_property_reply(
	    d->c, xcb_get_property(d->c, 0, w, property, type, 0, PROPERTY_WORDS), NULL);
	int len = r == NULL ? 0 : xcb_get_property_value_length(r);

	if (r == NULL || r->format != format || len <= 0)
		return false;
	buf_add(out, xcb_get_property_value(r), (size_t)len);
	return true;
}

static uint32_t
word(const struct buf *b, size_t i)
{
	uint32_t v;

	memcpy(&v, b->data + i * sizeof(v), sizeof(v));
	return v;
}

uint32_t
display_number(const struct display *d, xcb_window_t w, xcb_atom_t property)
{
	AUTO_BUF value = BUF_INIT;

	if (!display_property(d, w, property, XCB_ATOM_ANY, 32, &value))
		return 0;
	return value.len < sizeof(uint32_t) ? 0 : word(&value, 0);
}

bool
display_has(const struct display *d, xcb_window_t w, xcb_atom_t property, uint32_t wanted)
{
	AUTO_BUF value = BUF_INIT;

	(void)display_property(d, w, property, XCB_ATOM_ANY, 32, &value);
	for (size_t i = 0; i < value.len / sizeof(uint32_t); i++)
		if (word(&value, i) == wanted)
			return true;
	return false;
}

char *
display_text(const struct display *d, xcb_window_t w, xcb_atom_t property)
{
	AUTO_BUF value = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	bool utf8;

	utf8 = display_property(d, w, property, d->atoms[ATOM_UTF8_STRING], 8, &value);
	if (!utf8 && !display_property(d, w, property, XCB_ATOM_ANY, 8, &value))
		return NULL;
	/* A NUL would end the text early, and hide the rest from a comparison. */
	for (size_t i = 0; i < value.len; i++)
		if (utf8 && value.data[i] != '\0')
			buf_addc(&text, value.data[i]);
		else if (value.data[i] != '\0')
			buf_addrune(&text, (unsigned char)value.data[i]);
	return buf_detach(&text);
}

char *
display_manager(const struct display *d)
{
	xcb_atom_t check = d->atoms[ATOM_NET_SUPPORTING_WM_CHECK];
	uint32_t w = display_number(d, d->root, check);
	char *name;

	/* A window manager that is gone may have left the property on the root. */
	if (w == 0 || display_number(d, w, check) != w)
		return NULL;
	name = display_text(d, w, d->atoms[ATOM_NET_WM_NAME]);
	return name == NULL ? xstrdup("") : name;
}

xcb_generic_event_t *
display_event(const struct display *d, int64_t until)
{
	struct pollfd in = {.fd = xcb_get_file_descriptor(d->c), .events = POLLIN};

	(void)xcb_flush(d->c);
	for (;;) {
		xcb_generic_event_t *event = xcb_poll_for_event(d->c);
		int64_t left = until - clock_boot();

		if (event != NULL)
			return event;
		if (left <= 0 || xcb_connection_has_error(d->c) != 0)
			return NULL;
		(void)poll(&in, 1, (int)(left / NSEC_PER_MSEC + 1));
	}
}

void
display_sync(const struct display *d)
{
	free(xcb_get_input_focus_reply(d->c, xcb_get_input_focus(d->c), NULL));
}

void
display_tell(const struct display *d, xcb_window_t target, uint32_t mask, xcb_window_t window,
    enum atom_id type, const uint32_t data[static 5])
{
	xcb_client_message_event_t m = {
	    .response_type = XCB_CLIENT_MESSAGE,
	    .format = 32,
	    .window = window,
	    .type = d->atoms[type],
	};

	memcpy(m.data.data32, data, sizeof(m.data.data32));
	(void)xcb_send_event(d->c, 0, target, mask, (const char *)&m);
	(void)xcb_flush(d->c);
}
