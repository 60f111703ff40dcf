#include "desktop/keyboard.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <xcb/xtest.h>

#define KEYSYM_TAB 0xff09
#define KEYSYM_RETURN 0xff0d
#define KEYSYM_SHIFT_L 0xffe1
#define KEYSYM_CAPS_LOCK 0xffe5
#define KEYSYM_UNICODE UINT32_C(0x01000000)
/* One part in so many of the action's time is kept for giving the keyboard back; the program
 * may take the rest to read what was typed. */
#define RESERVE 4
/* We assume that a program that cannot tell needs no longer than this. */
#define BLIND_MS 150
/* Keys between two questions whether the program keeps up. */
#define STRIDE 200
/* The group of the layout in a state of the modifiers. */
#define GROUP(mask) ((mask) >> 13 & 3U)

struct stroke {
	xcb_keycode_t code; /* 0: there is none */
	bool shift;
};

/* A keycode that no key has: what it means alone and with Shift.  Two characters a keycode,
 * because every change is told to all programs, and some window managers take long over it. */
struct borrowed {
	xcb_keycode_t code;
	xcb_keysym_t syms[2]; /* XCB_NO_SYMBOL: nothing that is needed now */
	bool changed;
};

struct keyboard {
	const struct display *d;
	xcb_get_keyboard_mapping_reply_t *map;
	const xcb_keysym_t *syms;
	xcb_keycode_t min;
	size_t codes, per; /* keycodes, and keysyms of each */
	unsigned group;
	xcb_keycode_t shift, caps;
	struct borrowed *borrowed;
	size_t nborrowed;
	xcb_window_t window; /* the window that gets the keys */
};

static volatile sig_atomic_t told_to_end;

static void
on_term(int signo)
{
	(void)signo;
	told_to_end = 1;
}

/* ---- the names that X has for characters --------------------------------------------- */

static xcb_keysym_t
keysym_of(uint32_t cp)
{
	if (cp == '\n')
		return KEYSYM_RETURN;
	if (cp == '\t')
		return KEYSYM_TAB;
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return XCB_NO_SYMBOL;
	return cp < 0x100 ? cp : KEYSYM_UNICODE | cp;
}

/* The keysyms of a text (UTF-8; newline is Return, tab is Tab).  -1: it has other control
 * characters, or is no UTF-8.  *n of them; the caller frees. */
static int
keysyms_of(const char *text, size_t len, xcb_keysym_t **syms, size_t *n, struct err *err)
{
	AUTO_FREE xcb_keysym_t *list = xcalloc(len + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0, step; i < len; i += step) {
		uint32_t cp;

		step = utf8_decode(text + i, len - i, &cp);
		if (step == 0)
			return err_set(err, "the text is no UTF-8 (at byte %zu)", i + 1);
		list[count] = keysym_of(cp);
		if (list[count++] == XCB_NO_SYMBOL)
			return err_set(err,
			    "the text has a control character (U+%04X, at byte %zu); only "
			    "newline and tab can be typed",
			    cp, i + 1);
	}
	*syms = take_ptr(list);
	*n = count;
	return 0;
}

/* ---- the layout ---------------------------------------------------------------------- */

static xcb_keycode_t
keyboard_code_of(const struct keyboard *k, xcb_keysym_t sym)
{
	for (size_t i = 0; i < k->codes; i++)
		if (k->syms[i * k->per] == sym)
			return (xcb_keycode_t)(k->min + i);
	return 0;
}

static void
find_spare(struct keyboard *k)
{
	k->borrowed = xcalloc(k->codes + 1, sizeof(*k->borrowed));
	for (size_t i = 0; i < k->codes; i++) {
		size_t j = 0;

		while (j < k->per && k->syms[i * k->per + j] == XCB_NO_SYMBOL)
			j++;
		if (j == k->per)
			k->borrowed[k->nborrowed++].code = (xcb_keycode_t)(k->min + i);
	}
}

static unsigned
modifiers(const struct display *d)
{
	AUTO_FREE xcb_query_pointer_reply_t *r =
	    xcb_query_pointer_reply(d->c, xcb_query_pointer(d->c, d->root), NULL);

	return r == NULL ? 0 : r->mask;
}

static int
keyboard_open(struct keyboard *k, const struct display *d, struct err *err)
{
	const xcb_setup_t *setup = xcb_get_setup(d->c);
	uint8_t count = (uint8_t)(setup->max_keycode - setup->min_keycode + 1);

	*k = (struct keyboard){.d = d, .min = setup->min_keycode, .window = toplevel_active(d)};
	k->map = xcb_get_keyboard_mapping_reply(
	    d->c, xcb_get_keyboard_mapping(d->c, k->min, count), NULL);
	if (k->map == NULL || k->map->keysyms_per_keycode == 0)
		return err_set(err, "the display does not tell its keyboard");
	k->syms = xcb_get_keyboard_mapping_keysyms(k->map);
	k->per = k->map->keysyms_per_keycode;
	k->codes = (size_t)xcb_get_keyboard_mapping_keysyms_length(k->map) / k->per;
	k->group = GROUP(modifiers(d));
	k->shift = keyboard_code_of(k, KEYSYM_SHIFT_L);
	k->caps = keyboard_code_of(k, KEYSYM_CAPS_LOCK);
	find_spare(k);
	return 0;
}

/* The key that has the symbol in the layout that is on now, alone or with Shift. */
static struct stroke
layout_key(const struct keyboard *k, xcb_keysym_t sym)
{
	size_t first = 2 * (size_t)k->group;

	for (size_t i = 0; i < k->codes && k->group < 2; i++)
		for (size_t level = 0; level < 2 && first + level < k->per; level++)
			if (k->syms[i * k->per + first + level] == sym &&
			    (level == 0 || k->shift != 0))
				return (struct stroke){(xcb_keycode_t)(k->min + i), level == 1};
	return (struct stroke){0};
}

static struct stroke
key_for(const struct keyboard *k, xcb_keysym_t sym)
{
	struct stroke key = layout_key(k, sym);

	for (size_t i = 0; i < k->nborrowed && key.code == 0; i++)
		for (size_t level = 0; level < 2 && key.code == 0; level++)
			if (k->borrowed[i].syms[level] == sym)
				key = (struct stroke){k->borrowed[i].code, level == 1};
	return key;
}

static void
announce(const struct keyboard *k, struct borrowed *b)
{
	/* A keycode with one meaning has it with Shift, too: somebody may hold Shift. */
	const xcb_keysym_t both[2] = {
	    b->syms[0], b->syms[1] == XCB_NO_SYMBOL ? b->syms[0] : b->syms[1]};

	b->changed = true;
	(void)xcb_change_keyboard_mapping(k->d->c, 1, b->code, 2, both);
}

/* ---- typing -------------------------------------------------------------------------- */

static void
keyboard_fake(const struct keyboard *k, uint8_t type, xcb_keycode_t code)
{
	(void)xcb_test_fake_input(k->d->c, type, code, XCB_CURRENT_TIME, k->d->root, 0, 0, 0);
}

static void
tap(const struct keyboard *k, struct stroke key)
{
	if (key.shift)
		keyboard_fake(k, XCB_KEY_PRESS, k->shift);
	keyboard_fake(k, XCB_KEY_PRESS, key.code);
	keyboard_fake(k, XCB_KEY_RELEASE, key.code);
	if (key.shift)
		keyboard_fake(k, XCB_KEY_RELEASE, k->shift);
}

/* Waits until the program has read all that was typed. */
static int
keyboard_settle(const struct keyboard *k, struct err *err)
{
	int64_t left = k->d->deadline - clock_boot();
	AUTO_FREE char *title = NULL;
	AUTO_BUF shown = BUF_INIT;

	display_sync(k->d);
	switch (toplevel_ping(k->d, k->window, left - left / RESERVE)) {
	case PONG_YES:
		return 0;
	case PONG_NONE:
		(void)poll(NULL, 0, BLIND_MS);
		return 0;
	case PONG_NO:
	default:
		title = display_text(k->d, k->window, k->d->atoms[ATOM_NET_WM_NAME]);
		text_quote(&shown, title == NULL ? "" : title);
		return err_code(
		    err, ETIMEDOUT, "the program of the window %s does not answer", shown.data);
	}
}

/* Gives the spare keycodes the meanings that come next in the text. */
static int
borrow(struct keyboard *k, const xcb_keysym_t *syms, size_t n, struct err *err)
{
	size_t levels = k->shift != 0 ? 2 : 1;
	size_t used = 0;

	if (k->nborrowed == 0)
		return err_set(
		    err, "the keyboard has no keycode to spare for U+%04X", syms[0] & 0xffffff);
	for (size_t i = 0; i < k->nborrowed; i++)
		k->borrowed[i].syms[0] = k->borrowed[i].syms[1] = XCB_NO_SYMBOL;
	for (size_t i = 0; i < n && used < k->nborrowed * levels; i++) {
		if (key_for(k, syms[i]).code != 0)
			continue;
		k->borrowed[used / levels].syms[used % levels] = syms[i];
		used++;
	}
	for (size_t i = 0; i * levels < used; i++)
		announce(k, &k->borrowed[i]);
	display_sync(k->d);
	return 0;
}

static int
type_all(struct keyboard *k, const xcb_keysym_t *syms, size_t n, struct err *err)
{
	size_t since = 0;

	for (size_t i = 0; i < n; i++) {
		struct stroke key = key_for(k, syms[i]);

		if (told_to_end != 0 || clock_boot() > k->d->deadline)
			return err_code(
			    err, ETIMEDOUT, "only %zu of %zu characters were typed", i, n);
		if (key.code == 0 || since == STRIDE) {
			if (since > 0 && keyboard_settle(k, err) < 0)
				return -1;
			since = 0;
		}
		if (key.code == 0) {
			if (borrow(k, syms + i, n - i, err) < 0)
				return -1;
			key = key_for(k, syms[i]);
		}
		tap(k, key);
		since++;
	}
	return keyboard_settle(k, err);
}

static void
keyboard_close(struct keyboard *k)
{
	bool changed = false;

	for (size_t i = 0; i < k->nborrowed; i++) {
		if (!k->borrowed[i].changed)
			continue;
		changed = true;
		k->borrowed[i].syms[0] = k->borrowed[i].syms[1] = XCB_NO_SYMBOL;
		announce(k, &k->borrowed[i]);
	}
	if (k->map != NULL)
		display_sync(k->d);
	/* The manager's view of the windows is old until it has dealt with the new keymap. */
	if (changed && told_to_end == 0)
		toplevels_settle(k->d);
	free(k->borrowed);
	free(k->map);
}

int
keyboard_type(const struct display *d, const char *text, size_t len, struct err *err)
{
	const struct sigaction term = {.sa_handler = on_term};
	AUTO_FREE xcb_keysym_t *syms = NULL;
	struct keyboard k;
	bool caps;
	size_t n = 0;
	int rc;

	if (keysyms_of(text, len, &syms, &n, err) < 0)
		return -1;
	(void)sigaction(SIGTERM, &term, NULL);
	rc = keyboard_open(&k, d, err);
	if (rc == 0 && k.window == XCB_NONE)
		rc = err_set(err, "no window is active; say which one with --window");
	/* Does the program answer at all? */
	if (rc == 0)
		rc = keyboard_settle(&k, err);
	if (rc == 0) {
		caps = (modifiers(d) & XCB_MOD_MASK_LOCK) != 0 && k.caps != 0;
		if (caps)
			tap(&k, (struct stroke){.code = k.caps});
		rc = type_all(&k, syms, n, err);
		if (caps)
			tap(&k, (struct stroke){.code = k.caps});
	}
	keyboard_close(&k);
	return rc;
}
