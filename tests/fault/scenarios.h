/*
 * scenarios.h - the lives that are swept: what is done, which fault it meets, what must be
 * true afterwards.
 */
#ifndef FAULT_SCENARIOS_H
#define FAULT_SCENARIOS_H

#include "trial.h"

struct scenario {
	const char *name, *what;
	const char *kind, *role;
	bool onward;
	void (*run)(struct trial *t);
};

const struct scenario *scenario_find(const char *name);

#endif
