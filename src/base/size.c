/*
 * size.c - how people write a number of bytes.
 */
#include "base/size.h"

#include "base/buf.h"
#include "base/text.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The power of 1024 that a unit means; -1: there is no such unit. */
static int
unit_power(const char *unit)
{
	static const char letters[] = "KMGT";
	const char *found;

	if (*unit == '\0' || strcasecmp(unit, "B") == 0)
		return 0;
	found = strchr(letters, toupper((unsigned char)*unit));
	unit++;
	if (found == NULL ||
	    (*unit != '\0' && strcasecmp(unit, "B") != 0 && strcasecmp(unit, "iB") != 0))
		return -1;
	return (int)(found - letters) + 1;
}

int
size_parse(const char *s, int64_t *bytes, struct err *err)
{
	AUTO_BUF quoted = BUF_INIT;
	const char *at = s;
	int64_t n = 0;
	int power;

	for (; *at >= '0' && *at <= '9' && n <= SIZE_LIMIT; at++)
		n = n * 10 + (*at - '0');
	text_quote(&quoted, s);
	if (n > SIZE_LIMIT)
		return err_set(err, "%s is too large a size", quoted.data);
	power = at == s ? -1 : unit_power(at);
	if (power < 0)
		return err_set(
		    err, "%s is not a size (such as 500M, 10GiB or 1T)", quoted.data);
	for (; power > 0; power--) {
		n *= 1024;
		if (n > SIZE_LIMIT)
			return err_set(err, "%s is too large a size", quoted.data);
	}
	*bytes = n;
	return 0;
}
