#include "base/text.h"
#include "base/err.h"
#include <errno.h>
#include <sys/random.h>

#define ESC 0x1B
#define BEL 0x07
#define CAN 0x18
#define SUB 0x1A
#define DEL 0x7F
/* In UTF-8 the C1 controls U+0080..U+009F are this byte and one of 0x80..0x9F. */
#define C1_LEAD 0xC2
/* The tag characters U+E0000..U+E007F begin with this byte. */
#define TAG_LEAD 0xF3

#define QUOTE_MAX 80
#define NAME_MAX_LEN 64

size_t
utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)s;
	uint32_t out;
	size_t n;

	*cp = 0xFFFD;
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	if (p[0] < 0xC2 || p[0] > 0xF4)
		return 0;
	n = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
	if (n > len)
		return 0;
	out = p[0] & (0x7FU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
		out = out << 6 | (p[i] & 0x3FU);
	}
	if (out < least[n] || out > 0x10FFFF || (out >= 0xD800 && out <= 0xDFFF))
		return 0;
	*cp = out;
	return n;
}

/* Characters above ASCII that change how the text around them is shown. */
static bool
rune_is_unsafe(uint32_t cp)
{
	return (cp >= 0x80 && cp <= 0x9F) ||		       /* C1 */
	       cp == 0x061C || cp == 0x200E || cp == 0x200F || /* bidi marks */
	       (cp >= 0x2028 && cp <= 0x202E) ||	       /* line breaks, bidi overrides */
	       (cp >= 0x2066 && cp <= 0x2069) ||	       /* bidi isolates */
	       (cp >= 0xFFF9 && cp <= 0xFFFB);		       /* annotations */
}

/* U+E0000..U+E007F: no terminal shows these characters, but a reader of the bytes can be told
 * things with them. */
static bool
rune_is_tag(uint32_t cp)
{
	return cp >= 0xE0000 && cp <= 0xE007F;
}

static bool
byte_is_plain(unsigned char c)
{
	return (c >= 0x20 && c < DEL) || c == '\t';
}

/* Appends what stands at p[0..len), which is no plain ASCII; returns its length. */
static size_t
show_special(struct buf *out, const char *p, size_t len)
{
	uint32_t cp;
	size_t n = utf8_decode(p, len, &cp);

	if (n <= 1)
		buf_addf(out, "\\x%02x", (unsigned)(unsigned char)*p);
	else if (rune_is_unsafe(cp))
		buf_addf(out, "\\u{%04x}", (unsigned)cp);
	else if (!rune_is_tag(cp))
		buf_add(out, p, n);
	return n ? n : 1;
}

void
text_show(struct buf *out, const char *s, size_t len, bool multiline)
{
	size_t start = 0;

	while (start < len) {
		size_t end = start;

		while (end < len &&
		       (byte_is_plain((unsigned char)s[end]) || (multiline && s[end] == '\n')))
			end++;
		buf_add(out, s + start, end - start);
		start = end;
		if (start < len)
			start += show_special(out, s + start, len - start);
	}
}

void
text_vaddf(struct buf *out, const char *fmt, va_list ap)
{
	AUTO_BUF text = BUF_INIT;
	bool line = *fmt != '\0' && fmt[strlen(fmt) - 1] == '\n';

	buf_vaddf(&text, fmt, ap);
	text_show(out, text.data, text.len - line, false);
	buf_adds(out, line ? "\n" : "");
}

void
text_addf(struct buf *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vaddf(out, fmt, ap);
	va_end(ap);
}

void
text_quote(struct buf *out, const char *s)
{
	size_t len = strlen(s), cut = len;

	if (len > QUOTE_MAX)
		for (cut = QUOTE_MAX; cut > QUOTE_MAX - 4; cut--)
			if (((unsigned char)s[cut] & 0xC0) != 0x80)
				break;
	buf_addc(out, '\'');
	text_show(out, s, cut, false);
	buf_adds(out, cut < len ? "...'" : "'");
}

/*
 * Stripping follows what a terminal would do with the bytes: CAN and SUB break
 * a sequence off, ESC begins the next one, a string runs to its terminator or
 * to the end of the text.  Each function below gets the position behind an
 * introducer and returns the position behind the sequence.
 */
static size_t
skip_csi(const unsigned char *s, size_t len, size_t at)
{
	while (at < len && s[at] >= 0x20 && s[at] < 0x40)
		at++;
	if (at < len && ((s[at] >= 0x40 && s[at] < DEL) || s[at] == CAN || s[at] == SUB))
		at++;
	return at;
}

static size_t
skip_string(const unsigned char *s, size_t len, size_t at, bool bel_ends)
{
	for (; at < len; at++) {
		if (s[at] == CAN || s[at] == SUB || (bel_ends && s[at] == BEL))
			return at + 1;
		if (s[at] == ESC)
			return at + 1 < len && s[at + 1] == '\\' ? at + 2 : at;
		if (s[at] == C1_LEAD && at + 1 < len && s[at + 1] == 0x9C)
			return at + 2;
	}
	return at;
}

/* A C1 control, given as the byte that follows ESC in its seven-bit form. */
static size_t
skip_control(const unsigned char *s, size_t len, size_t at, unsigned char c)
{
	switch (c) {
	case '[':
		return skip_csi(s, len, at);
	case ']':
		return skip_string(s, len, at, true);
	case 'P': /* DCS */
	case 'X': /* SOS */
	case '^': /* PM */
	case '_': /* APC */
		return skip_string(s, len, at, false);
	default:
		return at;
	}
}

static size_t
skip_escape(const unsigned char *s, size_t len, size_t at)
{
	if (at < len && s[at] >= 0x20 && s[at] < 0x30) { /* nF: ESC ( B and the like */
		while (at < len && s[at] >= 0x20 && s[at] < 0x30)
			at++;
		return at < len && s[at] >= 0x30 && s[at] < DEL ? at + 1 : at;
	}
	if (at < len && s[at] >= 0x30 && s[at] < DEL)
		return skip_control(s, len, at + 1, s[at]);
	return at;
}

static bool
strip_stops_at(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || c == DEL || c == C1_LEAD ||
	       c == TAG_LEAD;
}

/*
 * Does any of eight bytes need a closer look?  The usual word-at-a-time
 * tests: a borrow out of a byte that had no high bit marks it.
 */
static bool
word_is_suspect(const unsigned char *s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w, del, c1, tag;

	memcpy(&w, s, sizeof(w));
	del = w ^ ones * DEL;
	c1 = w ^ ones * C1_LEAD;
	tag = w ^ ones * TAG_LEAD;
	return (((w - ones * 0x20) & ~w) | ((del - ones) & ~del) | ((c1 - ones) & ~c1) |
		   ((tag - ones) & ~tag)) &
	       ones << 7;
}

static size_t
text_plain_run(const unsigned char *s, size_t len, size_t at)
{
	for (;;) {
		size_t stop;

		while (len - at >= sizeof(uint64_t) && !word_is_suspect(s + at))
			at += sizeof(uint64_t);
		stop = len - at > sizeof(uint64_t) ? at + sizeof(uint64_t) : len;
		while (at < stop && !strip_stops_at(s[at]))
			at++;
		if (at < stop || at == len)
			return at;
	}
}

/* Strips a C1 control that may begin at s[at]; returns the position behind it. */
static size_t
strip_c1(struct buf *out, const unsigned char *s, size_t len, size_t at)
{
	size_t next = at + 1;

	if (next < len && s[next] >= 0x80 && s[next] < 0xA0)
		return skip_control(s, len, next + 1, (unsigned char)(s[next] - 0x40));
	/* A stray lead byte goes too: it could meet its second half once what
	 * stands between them is gone.  At the end the text may yet go on. */
	if (next == len || (s[next] & 0xC0) == 0x80)
		buf_add(out, s + at, 1);
	return next;
}

/* Strips a tag character that may begin at s[at]; treats a stray lead byte as strip_c1 does. */
static size_t
strip_tag(struct buf *out, const unsigned char *s, size_t len, size_t at)
{
	size_t next = at + 1;
	uint32_t cp;

	if (utf8_decode((const char *)s + at, len - at, &cp) == 4) {
		if (!rune_is_tag(cp))
			buf_add(out, s + at, 4);
		return at + 4;
	}
	while (next < len && (s[next] & 0xC0) == 0x80)
		next++;
	if (next == len)
		buf_add(out, s + at, 1);
	return at + 1;
}

void
text_strip(struct buf *out, const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t at = 0;

	buf_reserve(out, len);
	while (at < len) {
		size_t end = text_plain_run(p, len, at);

		buf_add(out, p + at, end - at);
		at = end;
		if (at == len)
			break;
		if (p[at] == ESC)
			at = skip_escape(p, len, at + 1);
		else if (p[at] == C1_LEAD)
			at = strip_c1(out, p, len, at);
		else if (p[at] == TAG_LEAD)
			at = strip_tag(out, p, len, at);
		else
			at++;
	}
}

void
text_untag(struct buf *out, const char *s, size_t len)
{
	size_t at = 0;

	buf_reserve(out, len);
	while (at < len) {
		const char *lead = memchr(s + at, TAG_LEAD, len - at);
		size_t end = lead == NULL ? len : (size_t)(lead - s);

		buf_add(out, s + at, end - at);
		at = end < len ? strip_tag(out, (const unsigned char *)s, len, end) : end;
	}
}

static bool
name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

static bool
ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(s + len - n, end, n) == 0;
}

bool
name_is_valid(const char *s)
{
	size_t len = 0;

	while (len <= NAME_MAX_LEN && name_char(s[len]))
		len++;
	if (len == 0 || len > NAME_MAX_LEN || s[len] != '\0')
		return false;
	return strchr("._-", s[0]) == NULL && strstr(s, "..") == NULL &&
	       !ends_with(s, len, ".lock") && !ends_with(s, len, ".");
}

static int
text_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t
min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Edit distance with swapped neighbours as one edit; both at most NEAREST_MAX long. */
#define NEAREST_MAX 64

static size_t
edit_distance(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t rows[3][NEAREST_MAX + 1] = {{0}};
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= blen; j++)
		last[j] = j;
	for (size_t i = 1; i <= alen; i++) {
		size_t *spare = before;

		now[0] = i;
		for (size_t j = 1; j <= blen; j++) {
			bool same = text_fold(a[i - 1]) == text_fold(b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && text_fold(a[i - 1]) == text_fold(b[j - 2]) &&
			    text_fold(a[i - 2]) == text_fold(b[j - 1]) &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[blen];
}

bool
text_same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

bool
text_lists(const char *list, char between, const char *item)
{
	size_t len = strlen(item);

	for (const char *end; list != NULL; list = *end != '\0' ? end + 1 : NULL) {
		end = strchrnul(list, between);
		if ((size_t)(end - list) == len && memcmp(list, item, len) == 0)
			return true;
	}
	return false;
}

int
text_choice(const char *choices, const char *word)
{
	size_t len = strlen(word);

	for (int n = 0;; n++, choices++) {
		size_t span = strcspn(choices, "|");

		if (span == len && memcmp(choices, word, len) == 0)
			return n;
		choices += span;
		if (*choices == '\0')
			return -1;
	}
}

const char *
text_nearest(const char *word, const char *const *words, size_t n)
{
	size_t len = strnlen(word, NEAREST_MAX + 1), best_distance = SIZE_MAX;
	const char *best = NULL;

	if (len > NEAREST_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strnlen(words[i], NEAREST_MAX + 1);
		size_t longer = len > other ? len : other, distance;

		if (other > NEAREST_MAX)
			continue;
		/* A third of the letters may be wrong; more is a different word. */
		distance = edit_distance(word, len, words[i], other);
		if (distance <= longer / 3 && distance < best_distance) {
			best_distance = distance;
			best = words[i];
		}
	}
	return best;
}

void
text_random_hex(char *out, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		unsigned char byte;
		ssize_t got;

		do {
			got = getrandom(&byte, 1, 0);
		} while (got < 0 && errno == EINTR);
		ENSURE(got == 1);
		out[2 * i] = digits[byte >> 4];
		out[2 * i + 1] = digits[byte & 15];
	}
	out[2 * n] = '\0';
}

uint64_t
text_hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}
