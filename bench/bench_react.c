/*
 * bench_react - how long `ralph todo` takes from a worker's word to its own.
 *
 *   ralph todo --json ... | bench_react TAGS TURNS
 *
 * Notes when each event arrives, and in the end compares with the notes of bench/led:
 * TAGS, when each tag was printed, and TURNS, when each prompt came and the task was said to be
 * done.  Prints median and 99th percentile in ms, a line each: from a tag of progress to its
 * event; from the tag "DONE" to the event that its work lands; from the command `ralph done` to
 * the event that the next task is given; from either to that task's prompt.
 */
#include "notes.h"
#include "samples.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 100000 };

static int64_t heard[MANY], ended[MANY], given[MANY];
static size_t nheard, nended, ngiven;
static int64_t notes[MANY], gaps[MANY];

static void
listen(void)
{
	char line[65536];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		int64_t at = note_now();

		if (strstr(line, "\"signal\":\"progress\"") != NULL && nheard < MANY)
			heard[nheard++] = at;
		if (strstr(line, "\"event\":\"ended\"") != NULL && nended < MANY)
			ended[nended++] = at;
		if (strstr(line, "\"event\":\"assigned\"") != NULL && ngiven < MANY)
			given[ngiven++] = at;
	}
}

static int
print(size_t n)
{
	if (n == 0)
		return 1;
	printf("%.3f", sample_quantile(gaps, n, 0.5));
	printf(" %.3f\n", sample_quantile(gaps, n, 0.99));
	return 0;
}

static int
print_tags(const char *path)
{
	size_t n = notes_read(path, notes, sizeof(notes[0]), MANY);

	if (n != nheard) {
		fprintf(stderr, "bench_react: %zu tags, %zu events\n", n, nheard);
		return 1;
	}
	for (size_t i = 0; i < n; i++)
		gaps[i] = heard[i] - notes[i];
	return print(n);
}

/* Pairs of notes: when the prompt came, when its task was said to be done: of the first task by
 * a command, of the second by a tag, and so on. */
static int
print_turns(const char *path)
{
	size_t n = notes_read(path, notes, sizeof(notes[0]), MANY) / 2, i, k = 0;

	for (i = 1; i < n && i < nended; i += 2)
		gaps[k++] = ended[i] - notes[2 * i + 1];
	if (print(k) != 0)
		return 1;
	k = 0;
	for (i = 0; i + 1 < n && i < ngiven; i += 2)
		gaps[k++] = given[i] - notes[2 * i + 1];
	if (print(k) != 0)
		return 1;
	for (i = 0; i + 1 < n; i++)
		gaps[i] = notes[2 * i + 2] - notes[2 * i + 1];
	return print(i);
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: bench_react TAGS TURNS <EVENTS\n");
		return 2;
	}
	listen();
	return print_tags(argv[1]) || print_turns(argv[2]);
}
