/*
 * keysym.c - the names that X has for characters.
 */
#include "desktop/keyboard.h"

#include "base/alloc.h"
#include "base/text.h"
#include <errno.h>

#define KEYSYM_TAB 0xff09
#define KEYSYM_RETURN 0xff0d
#define KEYSYM_UNICODE UINT32_C(0x01000000)

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

int
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
