/*
 * feed.c - bytes on their way to the agent, at the pace at which it takes them.
 */
#include "session/keeper.h"

#include <errno.h>

static void feed_writable(struct ev_io *io, uint32_t events);

static void
feed_watch(struct feed *f)
{
	if (f->fd < 0 || feed_queued(f) == 0)
		ev_io_stop(&f->io);
	else if (f->io.ev == NULL)
		ev_io_start(f->ev, &f->io, f->fd, EPOLLOUT, feed_writable, f);
}

static void
feed_flush(struct feed *f)
{
	while (f->fd >= 0 && feed_queued(f) > 0) {
		ssize_t n = write(f->fd, f->queue.data + f->taken, feed_queued(f));

		if (n >= 0) {
			f->taken += (size_t)n;
			f->moved = clock_boot();
		} else if (errno == EAGAIN) {
			break;
		} else if (errno != EINTR) {
			/* The reader closed its end: it has read all that it wanted. */
			feed_clear(f);
			feed_close(f);
		}
	}
	if (feed_queued(f) == 0) {
		feed_clear(f);
		if (f->close_after)
			feed_close(f);
	}
	feed_watch(f);
}

static void
feed_writable(struct ev_io *io, uint32_t events UNUSED)
{
	struct feed *f = io->ctx;

	feed_flush(f);
	if (feed_queued(f) == 0 && f->emptied != NULL)
		f->emptied(f);
}

void
feed_open(struct feed *f, struct ev *ev, int fd, void (*emptied)(struct feed *f), void *ctx)
{
	*f = (struct feed){.ev = ev, .fd = fd, .emptied = emptied, .ctx = ctx};
	f->moved = clock_boot();
	buf_init(&f->queue);
}

void
feed_add(struct feed *f, const void *data, size_t len)
{
	bool idle = feed_queued(f) == 0;

	if (f->fd < 0)
		return;
	buf_add(&f->queue, data, len);
	if (idle) {
		f->moved = clock_boot();
		feed_flush(f);
	}
}

size_t
feed_queued(const struct feed *f)
{
	return f->queue.len - f->taken;
}

void
feed_clear(struct feed *f)
{
	buf_release(&f->queue);
	f->taken = 0;
	feed_watch(f);
}

void
feed_close(struct feed *f)
{
	ev_io_close(&f->io, &f->fd);
	feed_clear(f);
}
