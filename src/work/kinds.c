/*
 * kinds.c - the kinds of loop there are: a row each.
 */
#include "base/alloc.h"
#include "supervisor/kind.h"

extern const struct kind kind_prompt, kind_once, kind_command, kind_tickets, kind_graph,
    kind_todo, kind_three;

const struct kind *const kind_all[] = {
    &kind_prompt,
    &kind_once,
    &kind_command,
    &kind_tickets,
    &kind_graph,
    &kind_todo,
#ifdef RALPH_TEST_KIND
    &kind_three,
#endif
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
