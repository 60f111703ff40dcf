/*
 * floor_spawn - a loop without any care: floor_spawn TIMES CMD [ARG...]
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	long times = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

	if (times <= 0) {
		fprintf(stderr, "usage: floor_spawn TIMES CMD [ARG...]\n");
		return 2;
	}
	for (long i = 0; i < times; i++) {
		pid_t pid;
		int status;

		if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0)
			return 1;
	}
	return 0;
}
