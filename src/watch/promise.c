#include "watch/promise.h"

#include "base/text.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

#define OPENING "<promise>"
#define CLOSING "</promise>"

static const struct {
	const char *word;
	bool needs_text;
} kinds[] = {
    [PROMISE_DONE] = {"DONE", false},
    [PROMISE_STUCK] = {"STUCK", false},
    [PROMISE_BLOCKED] = {"BLOCKED", false},
    [PROMISE_PROGRESS] = {"PROGRESS", true},
};

/* ---- reading ------------------------------------------------------------------------- */

/* The place behind `word` at s, or NULL when another word is there. */
static const char *
pass_word(const char *s, const char *end, const char *word)
{
	for (; *word; word++, s++) {
		while (s < end && *s == '\n')
			s++;
		if (s == end || tolower((unsigned char)*s) != tolower((unsigned char)*word))
			return NULL;
	}
	return s;
}

static const char *
pass_blanks(const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	return s;
}

/* The beginning of the closing tag, if that tag comes last and no other tag is there. */
static const char *
find_closing(const char *s, const char *end)
{
	for (; s < end; s++) {
		const char *behind = *s == '<' ? pass_word(s, end, CLOSING) : NULL;

		if (behind != NULL)
			return pass_blanks(behind, end) == end ? s : NULL;
		if (*s == '<' && pass_word(s, end, OPENING) != NULL)
			return NULL;
	}
	return NULL;
}

/* ---- filling ------------------------------------------------------------------------- */

/* The length without the last character, whose bytes do not all fit. */
static size_t
without_half(const char *s, size_t n)
{
	while (n > 0 && ((unsigned char)s[n - 1] & 0xc0) == 0x80)
		n--;
	return n > 0 ? n - 1 : 0;
}

/* Sets the text: on one line, without blanks around it, and without invisible characters. */
static void
fill_text(struct promise *p, const char *s, size_t len)
{
	AUTO_BUF seen = BUF_INIT;
	size_t n = 0;
	bool blank = false;

	text_untag(&seen, s, len);
	for (size_t i = 0; i < seen.len; i++) {
		unsigned char c = (unsigned char)seen.data[i];

		if (c <= ' ' || c == '\177') {
			blank = n > 0;
			continue;
		}
		if (n + blank >= PROMISE_TEXT_MAX) {
			if ((c & 0xc0) == 0x80)
				n = without_half(p->text, n);
			break;
		}
		if (blank)
			p->text[n++] = ' ';
		blank = false;
		p->text[n++] = (char)c;
	}
	p->text[n] = '\0';
}

static bool
fill_number(struct promise *p)
{
	const char *s = p->text;
	bool negative = *s == '-';
	int n = 0;

	s += negative || *s == '+';
	if (!isdigit((unsigned char)*s))
		return false;
	for (; isdigit((unsigned char)*s); s++)
		n = n < 100 ? n * 10 + (*s - '0') : n;
	if (*s == '.') /* drops the parts of a percent */
		while (isdigit((unsigned char)*++s))
			;
	s += strspn(s, " %");
	if (*s)
		return false;
	n = negative ? 0 : n > 100 ? 100 : n;
	(void)snprintf(p->text, sizeof(p->text), "%d", n);
	return true;
}

bool
promise_fill(struct promise *p, enum promise_kind kind, const char *text, size_t len)
{
	p->kind = kind;
	fill_text(p, text, len);
	return kind != PROMISE_PROGRESS || fill_number(p);
}

/* ---- all ----------------------------------------------------------------------------- */

bool
promise_parse(const char *text, size_t len, struct promise *p)
{
	const char *end = text + len, *s = pass_blanks(text, end);
	const char *closing;

	s = pass_word(s, end, OPENING);
	if (s == NULL)
		return false;
	s = pass_blanks(s, end);
	closing = find_closing(s, end);
	for (size_t i = 0; closing != NULL && i < ARRAY_LEN(kinds); i++) {
		const char *behind = pass_word(s, closing, kinds[i].word);

		if (behind == NULL)
			continue;
		behind = pass_blanks(behind, closing);
		if (behind == closing)
			return !kinds[i].needs_text &&
			       promise_fill(p, (enum promise_kind)i, "", 0);
		return *behind == ':' && promise_fill(p, (enum promise_kind)i, behind + 1,
					     (size_t)(closing - behind - 1));
	}
	return false;
}

bool
promise_is_of(const struct promise *p, const char *task)
{
	return p->kind != PROMISE_DONE || !*p->text || strcasecmp(p->text, task) == 0;
}
