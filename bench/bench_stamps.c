/*
 * bench_stamps - what the notes of bench/agent tell.
 *
 *   bench_stamps gaps FILE...  from the end of one agent to the start of the next in the
 *                              same file: median and 99th percentile in ms
 *   bench_stamps length FILE   how long the last one lived, in ms
 */
#include "notes.h"
#include "samples.h"

#include <stdio.h>
#include <string.h>

enum { NOTES_MAX = 100000 };

struct note {
	int64_t began, ended;
};

static struct note notes[NOTES_MAX];
static int64_t gaps[NOTES_MAX];

static int
print_gaps(char **paths)
{
	size_t n = 0;

	for (; *paths != NULL; paths++) {
		size_t count = notes_read(*paths, notes, sizeof(notes[0]), NOTES_MAX);

		for (size_t i = 0; i + 1 < count && n < NOTES_MAX; i++)
			gaps[n++] = notes[i + 1].began - notes[i].ended;
	}
	if (n == 0)
		return 1;
	printf("%.3f", sample_quantile(gaps, n, 0.5));
	printf(" %.3f\n", sample_quantile(gaps, n, 0.99));
	return 0;
}

static int
print_length(const char *path)
{
	size_t n = notes_read(path, notes, sizeof(notes[0]), NOTES_MAX);

	if (n == 0)
		return 1;
	printf("%.3f\n", (double)(notes[n - 1].ended - notes[n - 1].began) / 1e6);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "gaps") == 0)
		return print_gaps(argv + 2);
	if (argc == 3 && strcmp(argv[1], "length") == 0)
		return print_length(argv[2]);
	fprintf(stderr, "usage: bench_stamps gaps FILE... | length FILE\n");
	return 2;
}
