#include "supervisor/held.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/log.h"
#include <errno.h>
#include <string.h>

bool
held_is(const char *text)
{
	static const int codes[] = {ENOSPC, EDQUOT, EIO};

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (strstr(text, strerror(codes[i])) != NULL)
			return true;
	return strstr(text, "Out of diskspace") != NULL; /* in git's words */
}

void
running_held(struct running *r, enum held what, const char *text)
{
	bool full = strstr(text, strerror(EIO)) == NULL;
	bool new = r->sup->held[what][0] == '\0';

	(void)snprintf(r->sup->held[what], sizeof(r->sup->held[what]), "waiting for %s: %s",
	    full ? "disk space" : "the disk", text);
	if (!new)
		return;
	error("%s: %s", r->spec->name, r->sup->held[what]);
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = r->sup->held[what]});
}

void
running_unheld(struct running *r, enum held what)
{
	if (r->sup->held[what][0] == '\0')
		return;
	r->sup->held[what][0] = '\0';
	warning("%s: the disk can be written again", r->spec->name);
}

const char *
running_holds(const struct running *r)
{
	for (size_t i = 0; i < HELD_COUNT; i++)
		if (r->sup->held[i][0] != '\0')
			return r->sup->held[i];
	return NULL;
}
