#include "git/turn/turn.h"

#include "base/alloc.h"
#include "base/text.h"
#include <ctype.h>

#define SUBJECT_MAX 72
#define REQUEST_MAX 100
#define BULLET_MAX 500
#define BULLETS_MAX 20

/* White space of any kind becomes one space, control characters and those that turn the text
 * around go; what is no UTF-8 becomes U+FFFD. */
static void
text_flatten(const char *s, size_t len, struct buf *out)
{
	bool space = false;

	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t n = utf8_decode(s + at, len - at, &cp);

		at += n ? n : 1;
		if (cp == ' ' || (cp >= '\t' && cp <= '\r') || cp == 0x85 || cp == 0xA0 ||
		    cp == 0x2028 || cp == 0x2029) {
			space = out->len > 0;
			continue;
		}
		if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x202A && cp <= 0x202E) ||
		    (cp >= 0x2066 && cp <= 0x2069) || cp == 0x200E || cp == 0x200F ||
		    cp == 0xFEFF)
			continue;
		if (space)
			buf_addc(out, ' ');
		space = false;
		buf_addrune(out, cp);
	}
}

/* Appends at most max characters of valid UTF-8, the last of them "…" when there were more. */
static void
turn_message_text_cut(const char *s, size_t max, struct buf *out)
{
	size_t count = 0;
	size_t cut = 0; /* bytes of the first max - 1 */
	size_t at = 0;

	for (; s[at] != '\0'; at++) {
		if (((unsigned char)s[at] & 0xC0) == 0x80)
			continue;
		if (count++ == max - 1)
			cut = at;
	}
	if (count <= max) {
		buf_add(out, s, at);
		return;
	}
	while (cut > 0 && s[cut - 1] == ' ')
		cut--;
	buf_add(out, s, cut);
	buf_addrune(out, 0x2026);
}

/* Takes the next line that is not blank; false: there is none. */
static bool
turn_message_line_next(const char **at, struct buf *line)
{
	buf_clear(line);
	while (**at != '\0' && line->len == 0) {
		size_t len = strcspn(*at, "\r\n");

		text_flatten(*at, len, line);
		*at += len + ((*at)[len] != '\0');
	}
	return line->len > 0;
}

/* "- ", "* ", "+ ", "• ", "1. ", "2) ". */
static const char *
mark_skip(const char *line)
{
	static const char *const marks[] = {"- ", "* ", "+ ", "• ", "– "};
	size_t digits = strspn(line, "0123456789");

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strncmp(line, marks[i], strlen(marks[i])) == 0)
			return line + strlen(marks[i]);
	if (digits > 0 && digits < 4 && (line[digits] == '.' || line[digits] == ')') &&
	    line[digits + 1] == ' ')
		return line + digits + 2;
	return line;
}

static void
bullet_add(const char *text, size_t *count, struct buf *out)
{
	if (*text == '\0' || ++*count > BULLETS_MAX)
		return;
	buf_adds(out, "- ");
	turn_message_text_cut(text, BULLET_MAX, out);
	buf_addc(out, '\n');
}

static void
sentences_add(const char *line, size_t *count, struct buf *out)
{
	const char *from = line;

	for (const char *p = line; *p != '\0'; p++) {
		if (strchr(".!?", *p) == NULL || p[1] != ' ' || islower((unsigned char)p[2]))
			continue;
		AUTO_FREE char *sentence = xstrndup(from, (size_t)(p + 1 - from));

		bullet_add(sentence, count, out);
		from = p + 2;
	}
	bullet_add(from, count, out);
}

static void
bullets_add(const char *text, struct buf *out)
{
	AUTO_BUF first = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	size_t count = 0;

	if (!turn_message_line_next(&text, &first))
		return;
	if (!turn_message_line_next(&text, &line)) {
		sentences_add(mark_skip(first.data), &count, out);
		return;
	}
	bullet_add(mark_skip(first.data), &count, out);
	do {
		bullet_add(mark_skip(line.data), &count, out);
	} while (turn_message_line_next(&text, &line));
}

void
turn_message(const char *task, const struct turn_words *words, struct buf *out)
{
	const char *description = words->description != NULL ? words->description : "";
	const char *const texts[] = {
	    words->summary != NULL ? words->summary : "", description, "done"};
	const char *summary = NULL;
	AUTO_BUF line = BUF_INIT;
	AUTO_BUF subject = BUF_INIT;

	/* The first text that has something on a line. */
	for (size_t i = 0; line.len == 0 && i < ARRAY_LEN(texts); i++) {
		const char *at = summary = texts[i];

		(void)turn_message_line_next(&at, &line);
	}
	buf_addf(&subject, "%s: %s", task, mark_skip(line.data));
	turn_message_text_cut(subject.data, SUBJECT_MAX, out);
	buf_adds(out, "\n\n");
	bullets_add(summary, out);
	buf_clear(&line);
	text_flatten(description, strlen(description), &line);
	buf_adds(out, "\nRequest: ");
	turn_message_text_cut(line.len > 0 ? line.data : "(none)", REQUEST_MAX, out);
	buf_addf(out, "\nTask: %s\n", task);
}
