#include "supervisor/kind.h"

#include "base/compiler.h"

static const struct kind kind_plain = {.source = NULL};

const struct kind *
kind_of(const struct settings *s)
{
	static const struct kind *const kinds[] = {
	    &kind_graph, &kind_command, &kind_tickets, &kind_todo};

	for (size_t i = 0; i < ARRAY_LEN(kinds) && s->source != NULL; i++)
		if (strcmp(s->source, kinds[i]->source) == 0)
			return kinds[i];
	return &kind_plain;
}
