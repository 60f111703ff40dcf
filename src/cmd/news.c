/*
 * news.c - descriptors that only say that there may be news.
 */
#include "cmd/news.h"

#include "base/compiler.h"
#include "loop/verdict.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

void
news_drain(int *fd)
{
	char chunk[8192];
	ssize_t n;

	do
		n = read(*fd, chunk, sizeof(chunk));
	while (n > 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(*fd);
	*fd = -1;
}

static void
on_interrupt(int signo UNUSED)
{
	_exit(EX_OK);
}

void
news_leave_by_interrupt(void)
{
	(void)signal(SIGINT, on_interrupt);
}
