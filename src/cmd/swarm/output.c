/*
 * output.c - what the latest agent of a worker wrote.
 */
#include "cmd/swarm/output.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "loops/between.h"
#include "loops/reading.h"
#include "record/home.h"
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

static int
output_nothing(const struct worker *w, struct err *err)
{
	return err_code(err, ENOENT, "no logs found for %s", worker_name(w));
}

/* Adds the rows of the screen, without the blank ones at its end; a wrapped line is one. */
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

/* Opens the recording of the latest session; false when there is none. */
static bool
open_latest(struct reading *r, const struct loop_view *v)
{
	AUTO_FREE char *id = loop_view_session(v);

	if (id == NULL)
		return false;
	if (reading_open(r, v, id, false, NULL) == 0)
		return true;
	reading_close(r);
	return false;
}

/* Like open_latest, but waits for the recording of an agent that is just being started. */
static int
open_latest_or_next(struct reading *r, const struct worker *w, struct err *err)
{
	int64_t deadline = between_deadline();
	AUTO_VIEW v = VIEW_INIT;
	int rc = 0;

	if (open_latest(r, &w->view))
		return 0;
	if (!between_comes(&w->view) || loop_view_open(&v, worker_name(w), NULL) < 0)
		return output_nothing(w, err);
	while (rc == 0 && !open_latest(r, &v))
		if (!between_wait(&v, deadline))
			rc = between_comes(&v) ? between_say(&v, err) : output_nothing(w, err);
	return rc;
}

static int
replay(const struct worker *w, struct buf *all, struct buf *screen, struct err *err)
{
	struct reading r;
	int rc;

	if (open_latest_or_next(&r, w, err) < 0)
		return -1;
	rc = reading_more(&r, false, err);
	if (r.plain.term != NULL)
		add_screen(r.plain.term, screen);
	plain_end(&r.plain);
	buf_add(all, r.out.data, r.out.len);
	reading_close(&r);
	return rc;
}

/* Reads what a process of the original program wrote, into a file of its own. */
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

/* Asks the keeper for the screen: its answer is cheap, however much was recorded. */
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
