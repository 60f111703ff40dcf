/*
 * output.c - what the latest agent of a worker wrote.
 */
#include "cmd/swarm/output.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "loops/between.h"
#include "loops/transcript.h"
#include "record/home.h"
#include "session/recording/recording.h"
#include "session/wire.h"
#include <errno.h>

#define ANSWER_TIMEOUT (10 * NSEC_PER_SEC)
#define FOREIGN_MAX ((size_t)64 << 20)

size_t
output_lines(const struct buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n;
}

void
output_tail(struct buf *text, size_t lines)
{
	size_t at = text->len;

	if (lines == 0 || at == 0) {
		buf_clear(text);
		return;
	}
	/* Behind the newline that precedes the last N lines. */
	for (at--; at > 0; at--)
		if (text->data[at - 1] == '\n' && --lines == 0)
			break;
	buf_drop(text, at);
}

static int
output_nothing(const struct worker *w, struct err *err)
{
	return err_code(err, ENOENT, "no logs found for %s", worker_name(w));
}

/* Rows of the screen, without the blank ones at its end; a wrapped line is one. */
static void
add_screen(const struct term *term, struct buf *out)
{
	size_t used = out->len;

	for (int row = 0; row < term_rows(term); row++) {
		AUTO_BUF text = BUF_INIT;
		bool wrapped = term_row_text(term, row, &text);

		text_show(out, text.data, text.len, false);
		if (!wrapped)
			buf_addc(out, '\n');
		if (text.len > 0)
			used = out->len;
	}
	buf_truncate(out, used);
}

/* Opens the recording of the latest session; NULL when there is none. */
static struct recording_reader *
output_latest(const struct loop_view *v)
{
	AUTO_FREE char *id = loop_view_session(v);
	AUTO_CLOSE int sessions = id == NULL ? -1 : loop_view_sessions(v, NULL);
	AUTO_CLOSE int dir = sessions < 0 ? -1 : fs_open_dir(sessions, id, NULL);

	return dir < 0 ? NULL : recording_open(dir, NULL);
}

/* Like output_latest, but waits for the recording of an agent that is just being started. */
static struct recording_reader *
latest_or_next(const struct worker *w, struct err *err)
{
	struct recording_reader *reader = output_latest(&w->view);
	int64_t deadline = between_deadline();
	struct loop_view v;

	if (reader != NULL)
		return reader;
	if (!between_comes(&w->view) || loop_view_open(&v, worker_name(w), NULL) < 0) {
		(void)output_nothing(w, err);
		return NULL;
	}
	while ((reader = output_latest(&v)) == NULL && between_wait(&v, deadline))
		continue;
	if (reader == NULL && between_comes(&v))
		(void)between_say(&v, err);
	else if (reader == NULL)
		(void)output_nothing(w, err);
	loop_view_close(&v);
	return reader;
}

static int
replay(const struct worker *w, struct buf *all, struct buf *screen, struct err *err)
{
	struct recording_reader *reader = latest_or_next(w, err);
	struct transcript t;
	int rc;

	if (reader == NULL)
		return -1;
	transcript_open(&t, w->view.settings.mode == MODE_PTY, all);
	rc = recording_read(reader, transcript_chunk, &t, err);
	if (t.term != NULL)
		add_screen(t.term, screen);
	transcript_end(&t);
	transcript_close(&t);
	recording_reader_free(reader);
	return rc < 0 ? -1 : 0;
}

/* A process of the original program has a file of its own. */
static int
foreign_output(const struct worker *w, struct buf *out, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&why);
	AUTO_CLOSE int logs = home < 0 ? -1 : fs_open_dir(home, "logs", NULL);
	AUTO_FREE char *file = xasprintf("%s.stdout.log", worker_name(w));
	AUTO_BUF bytes = BUF_INIT;

	if (home < 0 && why.code != ENOENT)
		return err_set(err, "%s", why.text);
	if (logs < 0 || strchr(file, '/') != NULL ||
	    fs_read(logs, file, FOREIGN_MAX, &bytes, NULL) < 0)
		return output_nothing(w, err);
	text_show(out, bytes.data, bytes.len, true);
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	return 0;
}

int
output_all(const struct worker *w, struct buf *out, size_t *screen, struct err *err)
{
	AUTO_BUF rows = BUF_INIT;
	int rc = w->foreign ? foreign_output(w, out, err) : replay(w, out, &rows, err);

	if (screen != NULL)
		*screen = output_lines(&rows);
	return rc;
}

/* The keeper's answer; cheap however much was recorded. */
static int
ask_screen(const struct worker *w, struct buf *out)
{
	AUTO_CLOSE int fd = worker_dial(w, NULL);
	AUTO_BUF text = BUF_INIT;
	enum wire_type type;

	if (fd < 0 || wire_write_frame(fd, WIRE_SCREEN, NULL, 0, NULL) < 0)
		return -1;
	do {
		buf_clear(&text);
		if (wire_read_frame(fd, ANSWER_TIMEOUT, &type, &text, NULL) < 0)
			return -1;
	} while (type != WIRE_SCREEN && type != WIRE_ERROR);
	if (type == WIRE_ERROR)
		return -1;
	while (
	    text.len > 1 && text.data[text.len - 1] == '\n' && text.data[text.len - 2] == '\n')
		buf_truncate(&text, text.len - 1);
	if (text.len == 1 && text.data[0] == '\n')
		buf_clear(&text);
	text_show(out, text.data, text.len, true);
	return 0;
}

int
output_screen(const struct worker *w, struct buf *out, struct err *err)
{
	AUTO_BUF all = BUF_INIT;

	if (w->foreign)
		return output_nothing(w, err);
	if (w->running && ask_screen(w, out) == 0)
		return 0;
	return replay(w, &all, out, err);
}
