/*
 * source_row.c - the table of sources, by name.
 */
#include "loop/source_row.h"

#include <stddef.h>
#include <string.h>

const struct source_row *
source_row(const char *name)
{
	static const struct source_row rows[] = {
#define X(name_, tracked_, given_, names_tasks_, single_, run_, swarm_, noun_) \
	{.name = #name_,                                                       \
	    .tracked = tracked_,                                               \
	    .given = given_,                                                   \
	    .names_tasks = names_tasks_,                                       \
	    .single = single_,                                                 \
	    .run = run_,                                                       \
	    .swarm = swarm_,                                                   \
	    .noun = noun_},
	    SOURCES(X)
#undef X
	};
	static const struct source_row unread = {.name = "", .single = true, .noun = "task"};
	static const struct source_row other = {
	    .name = "", .names_tasks = true, .noun = "task"};

	if (name == NULL)
		return &unread;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return &other;
}
