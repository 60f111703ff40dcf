/*
 * floor_react - the least that a worker's word costs: floor_react N FILE
 *
 * A process prints N words on a terminal; a second one reads each, waits until the terminal has
 * been quiet for 10 ms, and sends it to a third, which appends it to FILE and syncs that.
 * Prints median and 99th percentile in ms, a line each: until the word has come to the third,
 * and until it is on disk.
 */
#include "samples.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 10000, QUIET_MS = 10, REST_MS = 60 };

static int64_t heard[MANY], kept[MANY];

/* A word is the moment at which it is said. */
static int
say(int n)
{
	for (int i = 0; i < n; i++) {
		nanosleep(&(struct timespec){.tv_nsec = REST_MS * 1000000L}, NULL);
		if (printf("%lld\n", (long long)now_ns()) < 0 || fflush(stdout) != 0)
			return 1;
	}
	return 0;
}

/* Ends with the terminal. */
static int
relay(int n, int out)
{
	char word[4096];
	int master;
	pid_t pid = forkpty(&master, NULL, NULL, NULL);
	ssize_t len = 0, more;

	if (pid == 0)
		_exit(say(n));
	while (pid > 0) {
		struct pollfd p = {.fd = master, .events = POLLIN};
		int ready = poll(&p, 1, len > 0 ? QUIET_MS : -1);

		if (ready == 0) {
			if (write(out, word, (size_t)len) != len)
				return 1;
			len = 0;
			continue;
		}
		more = read(master, word + len, sizeof(word) - (size_t)len);
		if (more <= 0)
			return waitpid(pid, NULL, 0) != pid;
		len += more;
	}
	return 1;
}

static size_t
listen(int in, int file)
{
	char word[4096];
	ssize_t len;
	size_t n = 0;

	while (n < MANY && (len = read(in, word, sizeof(word) - 1)) > 0) {
		int64_t said;

		word[len] = '\0';
		said = strtoll(word, NULL, 10);
		heard[n] = now_ns() - said;
		if (write(file, word, (size_t)len) != len || fdatasync(file) < 0)
			return 0;
		kept[n++] = now_ns() - said;
	}
	return n;
}

int
main(int argc, char **argv)
{
	int file, ends[2];
	size_t n;
	pid_t pid;

	if (argc != 3) {
		fprintf(stderr, "usage: floor_react N FILE\n");
		return 2;
	}
	file = open(argv[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || pipe(ends) < 0)
		return 1;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		_exit(relay((int)strtol(argv[1], NULL, 10), ends[1]));
	}
	close(ends[1]);
	n = listen(ends[0], file);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid || n == 0)
		return 1;
	printf("%.3f", sample_quantile(heard, n, 0.5));
	printf(" %.3f\n", sample_quantile(heard, n, 0.99));
	printf("%.3f", sample_quantile(kept, n, 0.5));
	printf(" %.3f\n", sample_quantile(kept, n, 0.99));
	return 0;
}
