/*
 * source.c - the sources by name.
 */
#include "source/source.h"

static const struct source_ops *const sources[] = {
    &source_once,
    &source_prompt,
};

const struct source_ops *
source_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}
