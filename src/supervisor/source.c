/*
 * source.c - the sources by name.
 */
#include "supervisor/source.h"

#include "base/alloc.h"

static const struct source_ops *const sources[] = {
    &source_command,
    &source_graph,
    &source_once,
    &source_prompt,
    &source_tickets,
    &source_todo,
};

void
source_work_release(struct source_work *work)
{
	buf_release(&work->prompt);
	strlist_free(work->values);
	work->values = NULL;
}

const struct source_ops *
source_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}
