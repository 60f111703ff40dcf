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

bool
points_read(struct points *p, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	unsigned long last = 0;

	/* Several processes may have passed a point of the same number. */
	while (f != NULL && getline(&line, &size, f) > 0) {
		unsigned long n = strtoul(line, NULL, 10);

		if (n > last && n < COUNTING)
			last = n;
	}
	free(line);
	if (f != NULL)
		fclose(f);
	for (unsigned n = 1; n <= last; n++)
		add(p, n);
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
