/*
 * sim.c - runs seeds through the world.
 *
 *   sim [--seeds N] [--first S]    TAP; N lives from seed S on (2000 from 1)
 *   sim --seed S                   one life, told step by step
 */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

static struct world world; /* large */

static bool
run_seed(uint64_t seed, bool verbose)
{
	struct world *w = &world;

	world_open(w, seed, verbose);
	while (w->steps < 150 && w->broken[0] == '\0')
		world_step(w);
	/* Trouble is over; an unlimited loop gets its last orders. */
	w->calm = true;
	w->disk_full = 0;
	if (w->settings.max_iterations == UNLIMITED && w->settings.max_runtime == 0)
		w->settings.max_runtime = 30 * SEC;
	if (w->alive)
		w->state.policy.max_runtime = w->settings.max_runtime;
	if (w->alive && w->state.wanted != WANT_STOP)
		world_resume(w);
	while (w->steps < 2000 && w->broken[0] == '\0' && !world_over(w))
		world_step(w);
	if (w->broken[0] == '\0')
		rules_end(w);
	return w->broken[0] == '\0';
}

int
main(int argc, char **argv)
{
	uint64_t first = 1, n = 2000, failed = 0;
	int64_t steps = 0, starts = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		uint64_t value = strtoull(argv[i + 1], NULL, 10);

		if (strcmp(argv[i], "--seed") == 0) {
			bool ok = run_seed(value, true);

			printf("seed %llu: %s\n", (unsigned long long)value,
			    ok ? "holds" : world.broken);
			return ok ? 0 : 1;
		}
		if (strcmp(argv[i], "--seeds") == 0)
			n = value;
		else if (strcmp(argv[i], "--first") == 0)
			first = value;
	}
	printf("1..1\n");
	for (uint64_t seed = first; seed < first + n && failed < 10; seed++) {
		if (!run_seed(seed, false)) {
			printf("# seed %llu: %s (replay: ./test --seed %llu)\n",
			    (unsigned long long)seed, world.broken, (unsigned long long)seed);
			failed++;
		}
		steps += world.steps;
		starts += (int64_t)world.nfakes;
	}
	printf("%s 1 - %llu lives of a loop hold every rule (%lld steps, %lld agents)\n",
	    failed == 0 ? "ok" : "not ok", (unsigned long long)n, (long long)steps,
	    (long long)starts);
	return failed == 0 ? 0 : 1;
}
