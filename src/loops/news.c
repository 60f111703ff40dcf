/*
 * news.c - descriptors that only say that there may be news.
 */
#include "loops/news.h"

#include <errno.h>
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
