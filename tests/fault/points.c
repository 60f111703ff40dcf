#include "points.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
add(struct points *p, unsigned point)
{
	p->list = realloc(p->list, (p->len + 1) * sizeof(*p->list));
	if (p->list == NULL)
		abort();
	p->list[p->len++] = point;
	if (point > p->last)
		p->last = point;
}

/* Which numbers the log has; several processes may have passed a point of the same number. */
static bool *
numbers_read(const char *path, const char *what)
{
	bool *seen = calloc(COUNTING, sizeof(*seen));
	FILE *f = fopen(path, "re");
	char *line = NULL, *end;
	size_t size = 0;

	if (seen == NULL)
		abort();
	while (f != NULL && getline(&line, &size, f) > 0) {
		unsigned long n = strtoul(line, &end, 10);
		size_t len = strcspn(end + (*end == ' '), " \n");

		if (n > 0 && n < COUNTING &&
		    (what == NULL || (strlen(what) == len && strncmp(end + 1, what, len) == 0)))
			seen[n] = true;
	}
	free(line);
	if (f != NULL)
		fclose(f);
	return seen;
}

bool
points_read(struct points *p, const char *path, const char *what)
{
	bool *seen = numbers_read(path, what);
	unsigned last = 0;

	for (unsigned n = 1; n < COUNTING; n++)
		last = seen[n] ? n : last;
	/* Numbers have no gap, but where they are not asked of the program (scenarios.h). */
	for (unsigned n = 1; n <= last; n++)
		if (what == NULL || seen[n])
			add(p, n);
	free(seen);
	p->total = (unsigned)p->len;
	return p->total > 0;
}

void
points_one(struct points *p, unsigned point)
{
	add(p, point);
	p->total = 1;
}

/* splitmix64 */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void
points_shuffle(struct points *p, unsigned seed, const char *words)
{
	uint64_t state = seed;

	for (; *words != '\0'; words++)
		state = draw(&state) ^ (unsigned char)*words;
	for (size_t i = p->len; i > 1; i--) {
		size_t other = (size_t)(draw(&state) % i);
		unsigned kept = p->list[i - 1];

		p->list[i - 1] = p->list[other];
		p->list[other] = kept;
	}
}

unsigned
points_next(struct points *p)
{
	return p->next < p->len ? p->list[p->next++] : 0;
}

void
points_again(struct points *p, unsigned point)
{
	add(p, point);
}

unsigned
points_tries(const struct points *p, unsigned point)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->len; i++)
		n += p->list[i] == point;
	return n;
}
