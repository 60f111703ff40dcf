/*
 * kinds.c - the kinds of loop there are: a row each.
 */
#include "base/alloc.h"
#include "supervisor/kind.h"

extern const struct kind kind_prompt, kind_once, kind_command, kind_tickets, kind_graph,
    kind_todo, kind_three;

static const struct kind *const kinds[] = {
    &kind_prompt,
    &kind_once,
    &kind_command,
    &kind_tickets,
    &kind_graph,
    &kind_todo,
#ifdef RALPH_TEST_KIND
    &kind_three,
#endif
};

const struct kind *
kind_find(const char *source)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i]->source->name, source) == 0)
			return kinds[i];
	return NULL;
}
