/*
 * agent - stands in for a coding agent where it must cost next to nothing itself.
 *
 *   agent stamp FILE      notes in FILE when it began and when it was about to end
 *   agent flood FILE MB   writes so many MB (10^6) of coloured log, then does the same
 *   agent idle            does nothing, for ever
 *   agent tick            prints a line a second, for ever
 *   agent next FILE N     prints the prompt of the next of N tasks, counted by FILE's size
 *   agent take            reads its input to the end
 *
 * A note is two int64_t, ns of boot time; bench_stamps reads them.
 */
#include "notes.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int
write_all(const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, data, len);

		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* No two lines of a block are the same, and a lost block shifts all that follow. */
static int
flood(size_t left)
{
	static char block[65536];
	unsigned line = 0;

	while (left > 0) {
		size_t len = 0;

		while (len + 128 < sizeof(block)) {
			int n = snprintf(block + len, sizeof(block) - len,
			    "\033[2m%010u\033[0m \033[1;3%umINFO\033[0m worker-%u compiled "
			    "\033[4msrc/room%u/file.c\033[0m in %u ms, no warnings\n",
			    line, line % 8, line % 7, line % 9, line % 977);

			len += (size_t)n;
			line++;
		}
		if (len > left)
			len = left;
		if (write_all(block, len) < 0)
			return 1;
		left -= len;
	}
	return 0;
}

static int
tick(void)
{
	static const char line[] =
	    "\033[1;32mINFO\033[0m compiled \033[4msrc/room/file.c\033[0m "
	    "in 42 ms, no warnings, going on\n";

	for (;;) {
		if (write_all(line, sizeof(line) - 1) < 0)
			return 1;
		sleep(1);
	}
}

static int
next(const char *path, long count)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	long n = fd < 0 ? count : (long)lseek(fd, 0, SEEK_END);

	if (n >= count) {
		(void)!write(STDERR_FILENO, "all tasks complete\n", 19);
		return 1;
	}
	printf("Your task: T-%ld - do it\n\nRead the ticket, do it, and say so.\n", n);
	return write(fd, "x", 1) == 1 ? 0 : 2;
}

static int
take(void)
{
	char data[4096];

	while (read(STDIN_FILENO, data, sizeof(data)) > 0) {}
	return 0;
}

int
main(int argc, char **argv)
{
	int64_t began = note_now();
	const char *deed = argc > 1 ? argv[1] : "";

	if (strcmp(deed, "stamp") == 0 && argc > 2)
		return note_span(argv[2], began);
	if (strcmp(deed, "flood") == 0 && argc > 3)
		return flood(strtoul(argv[3], NULL, 10) * 1000000) || note_span(argv[2], began);
	if (strcmp(deed, "idle") == 0)
		return pause();
	if (strcmp(deed, "tick") == 0)
		return tick();
	if (strcmp(deed, "next") == 0 && argc > 3)
		return next(argv[2], strtol(argv[3], NULL, 10));
	if (strcmp(deed, "take") == 0)
		return take();
	fprintf(stderr,
	    "usage: agent stamp FILE | flood FILE MB | idle | tick | next FILE N | take\n");
	return 2;
}
