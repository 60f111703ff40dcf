/*
 * viewers.c - the agent's screen, and the clients that look at it.
 *
 * A viewer gets the whole screen, then the bytes as they come.  A viewer that does not keep up
 * is left out until it has taken what it was sent, and then gets the whole screen again: no
 * viewer slows the agent down, and no viewer's queue grows.
 */
#include "session/keeper.h"

#include "base/text.h"

#define BEHIND ((size_t)256 * 1024)
#define PIPE_TAIL ((size_t)256 * 1024) /* the first that a viewer of a pipe session sees */
#define REPLIES_MAX ((size_t)64 * 1024)
#define ROWS_MAX 1000
#define COLS_MIN 2

static void
screen_reply(void *ctx, const char *data, size_t len)
{
	struct keeper *k = ctx;

	/* Drops answers for a program that asks and never reads the answers. */
	if (feed_queued(&k->input) < REPLIES_MAX)
		feed_add(&k->input, data, len);
}

static void
screen_line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct keeper *k = ctx;

	watcher_line_out(&k->watcher, text, len, wrapped);
}

static int
clamp(int n, int min, int max)
{
	return n < min ? min : n > max ? max : n;
}

void
keeper_screen_start(struct keeper *k)
{
	const struct term_callbacks cb = {
	    .reply = screen_reply, .line_out = screen_line_out, .ctx = k};

	k->screen.rows = clamp(k->spec.rows, 1, ROWS_MAX);
	k->screen.cols = clamp(k->spec.cols, COLS_MIN, ROWS_MAX);
	if (k->spec.mode == MODE_PTY)
		k->screen.term = term_new(k->screen.rows, k->screen.cols, &cb);
}

void
keeper_screen_free(struct keeper *k)
{
	term_free(k->screen.term);
	k->screen.term = NULL;
	term_filter_release(&k->screen.filter);
	buf_release(&k->screen.scratch);
}

/* A pipe has no terminal that would add the carriage returns. */
static void
newlines_expand(const char *data, size_t len, struct buf *out)
{
	while (len > 0) {
		const char *nl = memchr(data, '\n', len);
		size_t n = nl != NULL ? (size_t)(nl - data) : len;

		buf_add(out, data, n);
		if (nl == NULL)
			return;
		buf_add(out, "\r\n", 2);
		data += n + 1;
		len -= n + 1;
	}
}

static void
viewer_repaint(struct client *c)
{
	AUTO_BUF bytes = BUF_INIT;

	if (wire_queued(&c->wire) > BEHIND) {
		c->behind = true;
		return;
	}
	term_repaint(c->k->screen.term, &bytes);
	wire_send_pieces(&c->wire, WIRE_REPAINT, WIRE_OUTPUT, bytes.data, bytes.len);
}

static void
viewers_output(struct keeper *k, const char *data, size_t len)
{
	AUTO_BUF shown = BUF_INIT;

	if (k->screen.viewers == 0)
		return;
	term_filter(&k->screen.filter, data, len, &shown);
	if (shown.len == 0)
		return;
	for (struct client *c = k->clients; c != NULL; c = c->next) {
		if (c->role != ROLE_VIEWER || c->behind)
			continue;
		if (wire_queued(&c->wire) > BEHIND)
			c->behind = true;
		else
			wire_send_pieces(
			    &c->wire, WIRE_OUTPUT, WIRE_OUTPUT, shown.data, shown.len);
	}
}

void
keeper_screen_bytes(struct keeper *k, const char *data, size_t len)
{
	struct screen *s = &k->screen;

	if (s->term == NULL)
		return;
	if (k->spec.mode == MODE_PIPE) {
		buf_clear(&s->scratch);
		newlines_expand(data, len, &s->scratch);
		data = s->scratch.data;
		len = s->scratch.len;
	}
	term_feed(s->term, data, len);
	viewers_output(k, data, len);
}

void
keeper_screen_text(struct keeper *k, struct buf *out)
{
	AUTO_BUF tail = BUF_INIT;

	if (k->spec.mode == MODE_PTY && k->screen.term != NULL)
		term_text(k->screen.term, out);
	else if (recording_tail(k->dirfd, PIPE_TAIL, &tail, NULL) == 0)
		text_strip(out, tail.data, tail.len);
}

/* The client that set its size last decides the size for all. */
static bool
screen_resize(struct keeper *k, int rows, int cols)
{
	struct screen *s = &k->screen;

	rows = clamp(rows, 1, ROWS_MAX);
	cols = clamp(cols, COLS_MIN, ROWS_MAX);
	if (rows == s->rows && cols == s->cols)
		return false;
	s->rows = rows;
	s->cols = cols;
	if (s->term != NULL)
		term_resize(s->term, rows, cols);
	if (k->master >= 0)
		pty_resize(k->master, rows, cols);
	if (k->recording != NULL)
		recording_size(k->recording, rows, cols);
	return true;
}

static void
viewers_repaint(struct keeper *k)
{
	for (struct client *c = k->clients; c != NULL; c = c->next)
		if (c->role == ROLE_VIEWER && !c->behind)
			viewer_repaint(c);
}

/* A pipe session has no screen until someone wants to see one. */
static void
pipe_screen(struct keeper *k)
{
	AUTO_BUF tail = BUF_INIT, bytes = BUF_INIT;

	k->screen.term = term_new(k->screen.rows, k->screen.cols, &(struct term_callbacks){0});
	if (recording_tail(k->dirfd, PIPE_TAIL, &tail, NULL) < 0)
		return;
	newlines_expand(tail.data, tail.len, &bytes);
	term_feed(k->screen.term, bytes.data, bytes.len);
}

void
viewer_attach(struct client *c)
{
	struct keeper *k = c->k;
	bool resized = c->rows > 0 && c->cols > 0 && screen_resize(k, c->rows, c->cols);

	k->screen.viewers++;
	if (k->screen.term == NULL)
		pipe_screen(k);
	if (resized)
		viewers_repaint(k);
	else
		viewer_repaint(c);
}

void
viewer_leave(struct client *c)
{
	struct keeper *k = c->k;

	if (--k->screen.viewers > 0 || k->spec.mode == MODE_PTY)
		return;
	term_free(k->screen.term);
	k->screen.term = NULL;
	buf_release(&k->screen.scratch);
}

void
viewer_resize(struct client *c, int rows, int cols)
{
	if (rows > 0 && cols > 0 && screen_resize(c->k, rows, cols))
		viewers_repaint(c->k);
	else
		viewer_repaint(
		    c); /* the viewer drew over the screen and wants the screen back */
}

static void
viewer_farewell(struct client *c)
{
	AUTO_BUF bytes = BUF_INIT;

	term_leave(c->k->screen.term, &bytes);
	wire_send_pieces(&c->wire, WIRE_OUTPUT, WIRE_OUTPUT, bytes.data, bytes.len);
}

void
viewer_drained(struct client *c)
{
	if (!c->behind)
		return;
	c->behind = false;
	viewer_repaint(c);
	if (c->k->state == KEEPER_OVER)
		viewer_farewell(c);
}

void
viewers_farewell(struct keeper *k)
{
	for (struct client *c = k->clients; c != NULL; c = c->next)
		if (c->role == ROLE_VIEWER && !c->behind)
			viewer_farewell(c);
}
