/* Operating system commands: titles, and what colours we claim to have. */
#include "term/internal.h"

#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>

void
term_reply(struct term *t, const char *fmt, ...)
{
	char reply[128];
	va_list ap;
	int len;

	if (t->cb.reply == NULL)
		return;
	va_start(ap, fmt);
	len = vsnprintf(reply, sizeof(reply), fmt, ap);
	va_end(ap);
	if (len > 0 && (size_t)len < sizeof(reply))
		t->cb.reply(t->cb.ctx, reply, (size_t)len);
}

static bool
osc_is_utf8(const char *s, size_t len)
{
	uint32_t cp;

	while (len > 0) {
		size_t n = utf8_decode(s, len, &cp);

		if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return false;
		s += n;
		len -= n;
	}
	return true;
}

/* Ignores a title that is not UTF-8; cuts a long title at a character. */
static void
title_set(struct term *t, const char *s, size_t len)
{
	if (!osc_is_utf8(s, len))
		return;
	if (len > TITLE_MAX) {
		len = TITLE_MAX;
		while (len > 0 && ((uint8_t)s[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(t->title, s, len);
	t->title[len] = '\0';
}

void
title_push(struct term *t)
{
	if (t->ntitles < TITLES_MAX)
		memcpy(t->titles[t->ntitles], t->title, sizeof(t->title));
	if (t->ntitles < PARAM_MAX)
		t->ntitles++;
}

void
title_pop(struct term *t)
{
	if (t->ntitles > 0 && --t->ntitles < TITLES_MAX)
		memcpy(t->title, t->titles[t->ntitles], sizeof(t->title));
}

/* Answers white on black, whatever colours a viewer has: programs must look the same to all
 * viewers. */
static void
colour_ask(struct term *t, int number, const char *rest)
{
	if (strcmp(rest, "?") == 0)
		term_reply(t, "\033]%d;rgb:%s%s", number,
		    number == 10 ? "ffff/ffff/ffff" : "0000/0000/0000",
		    t->parser.bell_end ? "\a" : "\033\\");
}

void
osc_dispatch(struct term *t)
{
	const char *s = t->parser.osc.data, *end = s + t->parser.osc.len;
	int number = 0;

	if (s == end || *s < '0' || *s > '9')
		return;
	for (; s < end && *s >= '0' && *s <= '9'; s++) {
		if (number < 10000)
			number = number * 10 + (*s - '0');
	}
	if (s == end || *s++ != ';')
		return;
	switch (number) {
	case 0:
	case 2:
		title_set(t, s, (size_t)(end - s));
		break;
	case 10:
	case 11:
		colour_ask(t, number, s);
		break;
	default:
		break;
	}
}
