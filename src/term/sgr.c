/* Select graphic rendition, in and out. */
#include "term/internal.h"

static void
colour_set(struct style *s, int which, uint32_t colour)
{
	if (which == 38)
		s->fg = colour & COLOUR_MASK;
	else if (which == 48)
		s->bg = colour & COLOUR_MASK;
	else
		s->ul = colour & COLOUR_MASK;
}

static bool
is_byte(int n)
{
	return n >= 0 && n <= 255;
}

/* Sets a colour; false: r, g and b are none. */
static bool
colour_rgb(struct style *s, int which, int r, int g, int b)
{
	if (!is_byte(r) || !is_byte(g) || !is_byte(b))
		return false;
	colour_set(s, which, COLOUR_RGB | (uint32_t)r << 16 | (uint32_t)g << 8 | (uint32_t)b);
	return true;
}

static void
colour_palette(struct style *s, int which, int n)
{
	if (is_byte(n))
		colour_set(s, which, COLOUR_PALETTE | (uint32_t)n);
	else if (which != 58)
		colour_set(s, which, 0);
}

/* Reads one parameter and its sub-parameters, n in all:
 * 4:3, 38:5:n, 38:2:r:g:b, 38:2:space:r:g:b (with more behind it). */
static void
colon_form(struct style *s, const struct param *p, int n)
{
	int which = p[0].value, rgb = n == 5 ? 2 : 3;

	if (which == 4 && n == 2) {
		if (p[1].value >= 0 && p[1].value <= 5)
			s->underline = (uint32_t)p[1].value & 7;
	} else if (which == 38 || which == 48 || which == 58) {
		if (p[1].value == 5 && n >= 3)
			colour_palette(s, which, p[2].value);
		else if (p[1].value == 2 && n >= rgb + 3)
			(void)colour_rgb(
			    s, which, p[rgb].value, p[rgb + 1].value, p[rgb + 2].value);
	}
}

/* Reads 38;5;n or 38;2;r;g;b; returns how many parameters after the first are taken. */
static int
semicolon_colour(struct style *s, const struct parser *p, int i)
{
	int which = p->param[i].value;

	switch (parser_param(p, i + 1, 0, -1)) {
	case 2:
		return colour_rgb(s, which, parser_param(p, i + 2, 0, -1),
			   parser_param(p, i + 3, 0, -1), parser_param(p, i + 4, 0, -1))
			   ? 4
			   : 1;
	case 5:
		colour_palette(s, which, parser_param(p, i + 2, 0, -1));
		return 2;
	default:
		return 1;
	}
}

/* Attributes: 1 to 9 switch on, 22 to 29 off; 21 is a double underline. */
static void
attribute_set(struct style *s, int n)
{
	bool on = n < 10;

	switch (n % 20) {
	case 1:
		if (on)
			s->bold = 1;
		else
			s->underline = 2;
		break;
	case 2:
		s->bold = s->bold && on;
		s->dim = on;
		break;
	case 3:
		s->italic = on;
		break;
	case 4:
		s->underline = on;
		break;
	case 5:
		s->blink = on;
		break;
	case 6:
		s->blink = s->blink || on;
		break;
	case 7:
		s->reverse = on;
		break;
	case 8:
		s->hidden = on;
		break;
	case 9:
		s->strike = on;
		break;
	default:
		break;
	}
}

static void
sgr_number(struct style *s, int n)
{
	if (n == 0)
		memset(s, 0, sizeof(*s));
	else if (n < 30)
		attribute_set(s, n);
	else if (n < 38)
		colour_palette(s, 38, n - 30);
	else if (n == 39)
		s->fg = 0;
	else if (n >= 40 && n < 48)
		colour_palette(s, 48, n - 40);
	else if (n == 49)
		s->bg = 0;
	else if (n == 53 || n == 55)
		s->overline = n == 53;
	else if (n == 59)
		s->ul = 0;
	else if (n >= 90 && n < 98)
		colour_palette(s, 38, n - 90 + 8);
	else if (n >= 100 && n < 108)
		colour_palette(s, 48, n - 100 + 8);
}

void
sgr_dispatch(struct term *t, int first UNUSED)
{
	const struct parser *p = &t->parser;
	struct style *s = &t->pen.style;

	if (p->nparams == 0)
		sgr_number(s, 0);
	for (int i = 0; i < p->nparams; i++) {
		int n = p->param[i].value, subs = 1;

		while (i + subs < p->nparams && p->param[i + subs].sub)
			subs++;
		if (subs > 1) {
			colon_form(s, &p->param[i], subs);
			i += subs - 1;
		} else if (n == 38 || n == 48 || n == 58) {
			i += semicolon_colour(s, p, i);
		} else {
			sgr_number(s, n < 0 ? 0 : n);
		}
	}
}

static void
colour_text(struct buf *out, uint32_t colour, unsigned base)
{
	unsigned value = colour & 0xffffff;

	if (colour == 0)
		return;
	if (colour & COLOUR_RGB)
		buf_addf(out, ";%u;2;%u;%u;%u", base + 8, value >> 16, value >> 8 & 0xff,
		    value & 0xff);
	else if (base == 50 || value > 15)
		buf_addf(out, ";%u;5;%u", base + 8, value);
	else
		buf_addf(out, ";%u", value < 8 ? base + value : base + 60 + value - 8);
}

/* The sequence that makes any pen this one. */
void
sgr_text(const struct style *s, struct buf *out)
{
	static const char *const underlines[] = {"", ";4", ";4:2", ";4:3", ";4:4", ";4:5"};
	const char *const parts[] = {"\033[0", s->bold ? ";1" : "", s->dim ? ";2" : "",
	    s->italic ? ";3" : "", underlines[s->underline], s->blink ? ";5" : "",
	    s->reverse ? ";7" : "", s->hidden ? ";8" : "", s->strike ? ";9" : "",
	    s->overline ? ";53" : ""};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		buf_adds(out, parts[i]);
	colour_text(out, s->fg, 30);
	colour_text(out, s->bg, 40);
	colour_text(out, s->ul, 50);
	buf_addc(out, 'm');
}
