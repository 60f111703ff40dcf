/*
 * reading.c - one session's recording, as it is printed.
 */
#include "loops/reading.h"

#include "base/fs.h"
#include "session/recording/recording.h"
#include <errno.h>
#include <unistd.h>

static void
add_raw(void *ctx, int64_t ms, char kind, const char *data, size_t len)
{
	struct reading *r = ctx;

	(void)ms;
	if (kind == 'o' || kind == 'e')
		buf_add(&r->out, data, len);
}

int
reading_open(struct reading *r, const struct loop_view *v, const char *session, bool raw,
    struct err *err)
{
	AUTO_CLOSE int sessions = loop_view_sessions(v, err);

	memset(r, 0, sizeof(*r));
	buf_init(&r->out);
	r->raw = raw;
	r->dir = sessions < 0 ? -1 : fs_open_dir(sessions, session, err);
	plain_open(&r->plain, v->settings.mode == MODE_PTY, &r->out);
	r->reader = r->dir < 0 ? NULL : recording_open(r->dir, err);
	return r->reader == NULL ? -1 : 0;
}

int
reading_more(struct reading *r, bool end, struct err *err)
{
	if (recording_read(r->reader, r->raw ? add_raw : plain_chunk,
		r->raw ? (void *)r : (void *)&r->plain, err) < 0)
		return -1;
	if (end && !r->raw)
		plain_end(&r->plain);
	return 0;
}

bool
reading_has_ended(const struct reading *r)
{
	return faccessat(r->dir, "exit.json", F_OK, 0) == 0;
}

void
reading_close(struct reading *r)
{
	if (r->reader != NULL)
		recording_reader_free(r->reader);
	plain_close(&r->plain);
	buf_release(&r->out);
	if (r->dir >= 0)
		close(r->dir);
	r->reader = NULL;
	r->dir = -1;
}

const char *
reading_last(const struct buf *text, int64_t lines)
{
	const char *end = text->data + text->len, *p = end;

	/* Behind the newline that precedes the last N lines. */
	while (p > text->data && !(p < end && p[-1] == '\n' && --lines == 0))
		p--;
	return p;
}

void
reading_tail(struct buf *text, int64_t lines)
{
	buf_drop(text, (size_t)(reading_last(text, lines) - text->data));
}
