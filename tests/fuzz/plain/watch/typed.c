#include "watch/typed.h"

#include "base/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

void
typed_init(struct typed *t)
{
	*t = (struct typed){.keys = BUF_INIT, .text = echo_new("", 0)};
}

void
typed_release(struct typed *t)
{
	buf_release(&t->keys);
	echo_free(t->text);
	t->text = NULL;
}

static void
typed_end_line(struct typed *t)
{
	AUTO_BUF letters = BUF_INIT;

	echo_letters(t->keys.data, t->keys.len, &letters);
	if (letters.len > 0)
		t->lines[t->count++ % TYPED_LINES] = XXH3_64bits(letters.data, letters.len);
	buf_clear(&t->keys);
}

static void
erase_char(struct buf *keys)
{
	size_t len = keys->len;

	while (len > 0 && ((unsigned char)keys->data[--len] & 0xc0) == 0x80)
		;
	buf_truncate(keys, len);
}

static void
add_keys(struct typed *t, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t n = 0;

		while (i + n < len && memchr("\r\n\b\x7f", text[i + n], 4) == NULL)
			n++;
		text_strip(&t->keys, text + i, n);
		i += n;
		if (i < len && (text[i] == '\r' || text[i] == '\n'))
			typed_end_line(t);
		else if (i < len)
			erase_char(&t->keys);
	}
}

static void
typed_add_text(struct typed *t, const char *text, size_t len)
{
	AUTO_BUF lines = BUF_INIT;
	AUTO_BUF plain = BUF_INIT;

	buf_add(&lines, text, len);
	for (size_t i = 0; i < len; i++)
		if (lines.data[i] == '\r')
			lines.data[i] = '\n';
	text_strip(&plain, lines.data, lines.len);
	echo_free(t->text);
	t->text = echo_new(plain.data, plain.len);
	buf_clear(&t->keys);
}

void
typed_add(struct typed *t, const char *text, size_t len)
{
	size_t body = len;

	while (body > 0 && (text[body - 1] == '\n' || text[body - 1] == '\r'))
		body--;
	if (memchr(text, '\n', body) != NULL || memchr(text, '\r', body) != NULL)
		typed_add_text(t, text, len);
	else
		add_keys(t, text, len);
}

bool
typed_contains(const struct typed *t, const char *line, size_t len, size_t start, size_t end)
{
	size_t kept = t->count < TYPED_LINES ? t->count : TYPED_LINES;
	AUTO_BUF letters = BUF_INIT;
	AUTO_BUF keys = BUF_INIT;
	uint64_t hash;

	echo_letters(line, len, &letters);
	hash = XXH3_64bits(letters.data, letters.len);
	for (size_t i = 0; i < kept; i++)
		if (t->lines[i] == hash)
			return true;
	/* The screen may lag behind the keys. */
	echo_letters(t->keys.data, t->keys.len, &keys);
	if (letters.len > 0 && letters.len <= keys.len &&
	    !memcmp(keys.data, letters.data, letters.len))
		return true;
	return echo_contains(t->text, line, len, start, end);
}
