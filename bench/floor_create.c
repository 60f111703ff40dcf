/*
 * floor_create - what a directory with the files of a session costs: floor_create DIR
 *
 * Some file systems take their time to find room for a file, above all where many
 * were removed just now.  Prints the median and the 99th percentile, in ms.
 */
#include "samples.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIRS = 200, FILES = 10 };

static int
make_dir(int parent, int number)
{
	char name[32];
	int dir, rc = 0;

	snprintf(name, sizeof(name), "%d", number);
	if (mkdirat(parent, name, 0700) < 0)
		return -1;
	dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; dir >= 0 && i < FILES && rc == 0; i++) {
		int fd;

		snprintf(name, sizeof(name), "file-%d", i);
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		rc = fd < 0 ? -1 : close(fd);
	}
	return dir < 0 ? -1 : rc | close(dir);
}

int
main(int argc, char **argv)
{
	int dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int64_t samples[DIRS];

	if (dir < 0) {
		fprintf(stderr, "usage: floor_create DIR\n");
		return 2;
	}
	for (int i = 0; i < DIRS; i++) {
		int64_t start = now_ns();

		if (make_dir(dir, i) < 0)
			return 1;
		samples[i] = now_ns() - start;
	}
	printf("%.3f", sample_quantile(samples, DIRS, 0.5));
	printf(" %.3f\n", sample_quantile(samples, DIRS, 0.99));
	return 0;
}
