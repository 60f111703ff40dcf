#include "watch/transcript.h"

#include "base/json.h"

#define KEEP_MAX 65536 /* of memory between lines: a picture in a line is rare */

void
transcript_init(struct transcript *t, line_fn *fn, void *ctx)
{
	*t = (struct transcript){0};
	lines_init(&t->said, fn, ctx);
	buf_init(&t->partial);
}

static void
watch_transcript_text_heard(struct transcript *t, const json_t *text)
{
	if (json_is_string(text))
		t->heard(t->said.ctx, json_string_value(text), json_string_length(text));
}

static void
text_said(struct transcript *t, const json_t *text)
{
	if (!json_is_string(text))
		return;
	lines_feed(&t->said, json_string_value(text), json_string_length(text));
	/* A block is a paragraph of its own, and an escape sequence ends with it. */
	lines_flush(&t->said);
}

static void
watch_transcript_message_read(struct transcript *t, const char *role, const json_t *message,
    void (*fn)(struct transcript *t, const json_t *text))
{
	const json_t *content = json_object_get(message, "content");
	size_t n = json_array_size(content);

	if (strcmp(json_str(message, "role", role), role) != 0)
		return;
	fn(t, content);
	for (size_t i = 0; i < n; i++) {
		const json_t *block = json_array_get(content, i);

		if (strcmp(json_str(block, "type", ""), "text") == 0)
			fn(t, json_object_get(block, "text"));
	}
}

static void
complaint_read(struct transcript *t, const json_t *message)
{
	const json_t *content = json_object_get(message, "content");

	for (size_t i = 0; i < json_array_size(content) && t->complained != NULL; i++) {
		const char *text = json_str(json_array_get(content, i), "text", NULL);

		if (text != NULL)
			t->complained(t->said.ctx, text);
	}
}

/* Does the agent end its turn with this message?  An agent that uses a tool or only thinks goes
 * on.  Not every version of the agent says why it stops. */
static bool
ends_turn(const json_t *message)
{
	const json_t *content = json_object_get(message, "content");
	const char *stop = json_str(message, "stop_reason", "end_turn");
	bool says = json_is_string(content);

	for (size_t i = 0; i < json_array_size(content); i++) {
		const char *type = json_str(json_array_get(content, i), "type", "");

		if (strcmp(type, "tool_use") == 0)
			return false;
		says |= strcmp(type, "text") == 0;
	}
	return says && (strcmp(stop, "end_turn") == 0 || strcmp(stop, "stop_sequence") == 0);
}

static void
watch_transcript_line_read(struct transcript *t, const char *line, size_t len)
{
	AUTO_JSON *v = json_parse(line, len, "transcript", NULL);
	const char *type = json_str(v, "type", "");
	bool agent = strcmp(type, "assistant") == 0;

	if ((!agent && strcmp(type, "user") != 0) || json_bool(v, "isSidechain", false))
		return;
	t->turns++;
	t->over = agent && !json_bool(v, "isApiErrorMessage", false) &&
		  ends_turn(json_object_get(v, "message"));
	if (agent && json_bool(v, "isApiErrorMessage", false))
		complaint_read(t, json_object_get(v, "message"));
	else if (agent)
		watch_transcript_message_read(
		    t, "assistant", json_object_get(v, "message"), text_said);
	else if (t->heard != NULL)
		watch_transcript_message_read(
		    t, "user", json_object_get(v, "message"), watch_transcript_text_heard);
}

static void
watch_transcript_line_end(struct transcript *t)
{
	if (!t->skipping && t->partial.len > 0)
		watch_transcript_line_read(t, t->partial.data, t->partial.len);
	t->skipping = false;
	if (t->partial.cap > KEEP_MAX)
		buf_release(&t->partial);
	else
		buf_clear(&t->partial);
}

void
transcript_feed(struct transcript *t, const char *data, size_t len)
{
	while (len > 0) {
		const char *end = memchr(data, '\n', len);
		size_t n = end != NULL ? (size_t)(end - data) : len;

		if (t->partial.len + n > TRANSCRIPT_LINE_MAX) {
			t->skipping = true;
			buf_release(&t->partial);
		}
		if (!t->skipping)
			buf_add(&t->partial, data, n);
		if (end == NULL)
			return;
		watch_transcript_line_end(t);
		data += n + 1;
		len -= n + 1;
	}
}

void
transcript_release(struct transcript *t)
{
	lines_release(&t->said);
	buf_release(&t->partial);
}
