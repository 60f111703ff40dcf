/*
 * stream.c - the agent's output, read in big pieces.
 */
#include "session/keeper.h"

#include <errno.h>

#define CHUNK 65536
/* Read at once; then others have their turn, and the descriptor stays readable. */
#define CHUNKS_AT_ONCE 8
/* Read at the end.  This is more than any pipe holds: a process that still writes is not of
 * the family. */
#define CHUNKS_LEFT 1024

enum stream_read { READ_SOME, READ_EMPTY, READ_END };

/* A terminal gives at most 4 KB at a time: gathers them into one piece. */
static enum stream_read
chunk_read(int fd, char *chunk, size_t *len)
{
	*len = 0;
	while (*len < CHUNK) {
		ssize_t n = read(fd, chunk + *len, CHUNK - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return READ_EMPTY;
		if (n <= 0)
			return READ_END;
		*len += (size_t)n;
	}
	return READ_SOME;
}

static void
stream_read(struct stream *s, int chunks)
{
	static char chunk[CHUNK]; /* nothing of it outlives the call */

	while (s->fd >= 0 && chunks-- > 0) {
		size_t len;
		enum stream_read left = chunk_read(s->fd, chunk, &len);

		if (len > 0)
			keeper_output(s->k, s, chunk, len);
		if (left == READ_END)
			stream_close(s);
		if (left != READ_SOME)
			break;
	}
}

static void
stream_readable(struct ev_io *io, uint32_t events UNUSED)
{
	stream_read(io->ctx, CHUNKS_AT_ONCE);
}

void
stream_open(struct stream *s, struct keeper *k, int fd, char kind)
{
	s->k = k;
	s->fd = fd;
	s->kind = kind;
	ev_io_start(k->ev, &s->io, fd, EPOLLIN, stream_readable, s);
}

void
stream_drain(struct stream *s)
{
	stream_read(s, CHUNKS_LEFT);
}

void
stream_close(struct stream *s)
{
	ev_io_close(&s->io, &s->fd);
}
