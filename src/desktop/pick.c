#include "desktop/pick.h"

size_t
pick_by_name(const char *const *names, size_t n, const char *wanted, size_t *out)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (names[i] != NULL && strcmp(names[i], wanted) == 0)
			out[found++] = i;
	if (found > 0)
		return found;
	for (size_t i = 0; i < n; i++)
		if (names[i] != NULL && strstr(names[i], wanted) != NULL)
			out[found++] = i;
	return found;
}
