/*
 * floor_pty - what a terminal lets through when nobody looks: floor_pty FILE CMD [ARG...]
 *
 * Copies what the command writes to its terminal into FILE.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A terminal whose last writer is gone reads as EIO. */
static int
drain(int master, int file)
{
	static char data[65536];

	for (;;) {
		ssize_t n = read(master, data, sizeof(data));

		if (n <= 0)
			return n < 0 && errno == EIO ? 0 : -1;
		if (write(file, data, (size_t)n) != n)
			return -1;
	}
}

int
main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 40, .ws_col = 120};
	int master, file, status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: floor_pty FILE CMD [ARG...]\n");
		return 2;
	}
	file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	pid = forkpty(&master, NULL, NULL, &size);
	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (file < 0 || pid < 0 || drain(master, file) < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	return status != 0;
}
