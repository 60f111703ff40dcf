/*
 * listen.c - what comes on stdin while a todo list is worked through.
 *
 * The watcher of the original types "NUDGE: ..." when it thinks that nothing moves; "y" and "n"
 * answer the question whether to commit.  Other input is ignored.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/log.h"
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_LEN 4096

struct lines_in {
	struct ev_io io;
	struct buf line;
};

void
listen_stop(struct running *r)
{
	struct lines_in *in = take_ptr(leader_of(r)->in);

	if (in == NULL)
		return;
	ev_io_stop(&in->io);
	buf_release(&in->line);
	free(in);
}

bool
listen_can_ask(const struct running *r)
{
	return leader_of(r)->in != NULL;
}

static void
heard(struct running *r, const char *line)
{
	bool yes = strcmp(line, "y") == 0 || strcmp(line, "yes") == 0;

	if (strncmp(line, "NUDGE", 5) == 0)
		running_input(r, &(struct loop_input){.kind = IN_NUDGE, .text = line});
	else if (yes || strcmp(line, "n") == 0 || strcmp(line, "no") == 0)
		lead_answered(r, yes);
	else if (line[0] != '\0' && leader_of(r)->asking != NULL)
		console_say(&r->console, "y or n?");
}

static void
take_lines(struct running *r, struct lines_in *in)
{
	char *end;

	while (leader_of(r)->in == in && in->line.len > 0 &&
	       (end = memchr(in->line.data, '\n', in->line.len)) != NULL) {
		size_t len = (size_t)(end - in->line.data);
		AUTO_FREE char *line = xstrndup(in->line.data, len);

		line[strcspn(line, "\r")] = '\0';
		buf_drop(&in->line, len + 1);
		heard(r, line);
	}
	if (leader_of(r)->in == in && in->line.len > LINE_MAX_LEN)
		buf_clear(&in->line);
}

static void
on_input(struct ev_io *io, uint32_t events)
{
	struct running *r = io->ctx;
	char chunk[1024];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof(chunk));

	(void)events;
	if (n > 0) {
		buf_add(&leader_of(r)->in->line, chunk, (size_t)n);
		take_lines(r, leader_of(r)->in);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		/* Nobody is left who could agree to the commit. */
		listen_stop(r);
		lead_answered(r, false);
	}
}

/* Is stdin worth listening to?  A file or /dev/null says nothing; a terminal that is not ours
 * would stop us for reading it. */
static bool
is_worth_it(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0 || poll(&p, 1, 0) < 0 || (p.revents & POLLNVAL))
		return false;
	if (isatty(STDIN_FILENO))
		return tcgetpgrp(STDIN_FILENO) == getpgrp();
	return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
}

void
listen_start(struct running *r)
{
	struct lines_in *in;

	if (r->spec->detach || !is_worth_it())
		return;
	in = xcalloc(1, sizeof(*in));
	buf_init(&in->line);
	ev_io_start(r->ev, &in->io, STDIN_FILENO, EPOLLIN, on_input, r);
	leader_of(r)->in = in;
}
