/*
 * cast.c - a recording as asciicast v2, which asciinema plays.
 */
#include "session/recording/recording.h"

#include "base/clock.h"
#include "base/json.h"
#include "session/keeper.h"
#include <inttypes.h>
#include <stdio.h>

#define DEFAULT_ROWS 40
#define DEFAULT_COLS 120

struct cast {
	struct buf *out;
	const char *title;
	int64_t started; /* wall clock */
	bool is_pipe;	 /* a pipe's lines end without a carriage return */
	bool begun;
	struct buf text; /* scratch */
	struct buf held; /* the start of a character whose rest comes in the next chunk */
};

static void
cast_header(struct cast *c, int rows, int cols)
{
	AUTO_JSON *v = json_pack("{s:i, s:i, s:i, s:I}", "version", 2, "width", cols, "height",
	    rows, "timestamp", (json_int_t)(c->started / NSEC_PER_SEC));

	ENSURE(v != NULL);
	if (c->title != NULL)
		ENSURE(json_object_set_new(v, "title", json_text(c->title, strlen(c->title))) ==
		       0);
	json_print(v, true, c->out);
	buf_addc(c->out, '\n');
	c->begun = true;
}

static void
cast_event(struct cast *c, int64_t ms, const char *code, const char *data, size_t len)
{
	AUTO_JSON *text = json_text(data, len);

	buf_addf(c->out, "[%" PRId64 ".%03" PRId64 ",\"%s\",", ms / 1000, ms % 1000, code);
	json_print(text, true, c->out);
	buf_adds(c->out, "]\n");
}

/* How many bytes at the end begin a character without completing it. */
static size_t
cut_length(const char *s, size_t len)
{
	for (size_t n = 1; n <= 3 && n <= len; n++) {
		unsigned char c = (unsigned char)s[len - n];

		if (c >= 0xc0)
			return n < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? n : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

static void
cast_output(struct cast *c, int64_t ms, const char *data, size_t len)
{
	size_t cut;

	buf_clear(&c->text);
	buf_add(&c->text, c->held.data, c->held.len);
	buf_clear(&c->held);
	for (size_t i = 0; i < len; i++) {
		if (c->is_pipe && data[i] == '\n')
			buf_addc(&c->text, '\r');
		buf_addc(&c->text, data[i]);
	}
	cut = cut_length(c->text.data, c->text.len);
	buf_add(&c->held, c->text.data + c->text.len - cut, cut);
	if (c->text.len > cut)
		cast_event(c, ms, "o", c->text.data, c->text.len - cut);
}

static void
cast_chunk(void *ctx, int64_t ms, char kind, const char *data, size_t len)
{
	struct cast *c = ctx;
	int rows = (int)(len >> 16), cols = (int)(len & 0xffff);
	char note[64];

	if (!c->begun) {
		if (kind == 's') {
			cast_header(c, rows, cols);
			return;
		}
		cast_header(c, DEFAULT_ROWS, DEFAULT_COLS);
	}
	switch (kind) {
	case 'o':
	case 'e':
		cast_output(c, ms, data, len);
		break;
	case 's':
		snprintf(note, sizeof(note), "%dx%d", cols, rows);
		cast_event(c, ms, "r", note, strlen(note));
		break;
	case 'g':
		snprintf(note, sizeof(note), "\r\n[%zu bytes were not kept]\r\n", len);
		cast_event(c, ms, "o", note, strlen(note));
		break;
	default:
		break;
	}
}

int
recording_export_cast(int session_dirfd, const char *title, struct buf *out, struct err *err)
{
	struct cast c = {.out = out, .title = title, .text = BUF_INIT, .held = BUF_INIT};
	struct recording_reader *r = recording_open(session_dirfd, err);
	struct keeper_spec spec;
	int rc;

	if (r == NULL)
		return -1;
	/* A recording can be played without its meta.json. */
	if (keeper_spec_read(session_dirfd, &spec, NULL) == 0) {
		c.started = spec.started;
		c.is_pipe = spec.mode == MODE_PIPE;
		keeper_spec_release(&spec);
	}
	rc = recording_read(r, cast_chunk, &c, err);
	if (rc >= 0 && !c.begun)
		cast_header(&c, DEFAULT_ROWS, DEFAULT_COLS);
	recording_reader_free(r);
	buf_release(&c.text);
	buf_release(&c.held);
	return rc < 0 ? -1 : 0;
}
