/*
 * confirm.c - asking a person.
 */
#include "cmd/confirm.h"

#include "base/compiler.h"
#include <stdio.h>
#include <unistd.h>

bool
confirm_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

bool
confirm(const char *question)
{
	char answer[64];

	(void)fprintf(stderr, "%s [y/N] ", question);
	(void)fflush(stderr);
	return fgets(answer, sizeof(answer), stdin) != NULL &&
	       (answer[0] == 'y' || answer[0] == 'Y');
}
