/*
 * kinds.c - the kinds of loop there are: one for each row of SOURCES.
 */
#include "base/alloc.h"
#include "loop/source_row.h"
#include "supervisor/kind.h"

#define X(name, ...) extern const struct kind kind_##name;
SOURCES(X)
#undef X

const struct kind *const kind_all[] = {
#define X(name, ...) &kind_##name,
    SOURCES(X)
#undef X
	NULL,
};

const struct kind *
kind_find(const char *source)
{
	const struct kind *const *k = kind_all;

	while (*k != NULL && strcmp((*k)->source->name, source) != 0)
		k++;
	return *k;
}
