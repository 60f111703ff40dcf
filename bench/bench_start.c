/*
 * bench_start - how long commands take from being started to being gone.
 *
 *   bench_start RUNS CMD [ARG...] [-- CMD [ARG...]]...
 *
 * They take turns, so that whatever else the machine does falls on all of them alike.
 * For each: the least and the median time in ms, on a line.
 */
#include "samples.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CMDS_MAX = 8 };

/* Cuts the arguments at each "--". */
static size_t
split(char **argv, char **cmds[CMDS_MAX])
{
	size_t n = 0;

	while (*argv != NULL && n < CMDS_MAX) {
		cmds[n++] = argv;
		while (*argv != NULL && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv != NULL)
			*argv++ = NULL;
	}
	return n;
}

static int64_t
run_once(char **cmd, const posix_spawn_file_actions_t *quiet)
{
	int64_t start = now_ns();
	pid_t pid;
	int status;

	if (cmd[0] == NULL || posix_spawn(&pid, cmd[0], quiet, NULL, cmd, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		return -1;
	return now_ns() - start;
}

static int
run_all(size_t runs, char **cmds[], size_t n, int64_t *samples[])
{
	posix_spawn_file_actions_t quiet;
	int rc = 0;

	if (posix_spawn_file_actions_init(&quiet) != 0 ||
	    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0))
		return -1;
	for (size_t run = 0; run < runs && rc == 0; run++)
		for (size_t i = 0; i < n && rc == 0; i++) {
			samples[i][run] = run_once(cmds[i], &quiet);
			if (samples[i][run] < 0) {
				fprintf(stderr, "bench_start: %s failed\n", cmds[i][0]);
				rc = -1;
			}
		}
	posix_spawn_file_actions_destroy(&quiet);
	return rc;
}

int
main(int argc, char **argv)
{
	size_t runs = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	char **cmds[CMDS_MAX];
	int64_t *samples[CMDS_MAX] = {NULL};
	size_t n;
	int rc = 1;

	if (runs == 0 || runs > 1000000) {
		fprintf(stderr, "usage: bench_start RUNS CMD [ARG...] [-- CMD [ARG...]]...\n");
		return 2;
	}
	n = split(argv + 2, cmds);
	for (size_t i = 0; i < n; i++) {
		samples[i] = calloc(runs, sizeof(*samples[i]));
		if (samples[i] == NULL)
			goto out;
	}
	if (run_all(runs, cmds, n, samples) < 0)
		goto out;
	for (size_t i = 0; i < n; i++) {
		double median = sample_quantile(samples[i], runs, 0.5);

		printf("%.3f %.3f\n", (double)samples[i][0] / 1e6, median);
	}
	rc = 0;
out:
	for (size_t i = 0; i < n; i++)
		free(samples[i]);
	return rc;
}
