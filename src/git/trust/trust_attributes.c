/*
 * trust_attributes.c - what a change of .git/info/attributes may do; pure.
 *
 * Attributes name filters and drivers, which are facts of their own: one that is not trusted
 * does not run, and git refuses the files that it is for.  But no setting undoes what this file
 * says, and it counts more than .gitattributes, where everybody sees it: it can take a file
 * away from the filter that keeps it secret, have both sides of conflicts taken, or change line
 * ends.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include <string.h>

#define BLANK " \t\r"
#define MACRO "[attr]"

/* One of "-NAME", "!NAME", "NAME" and "NAME=VALUE". */
static bool
attribute_matters(const char *word, size_t len, const json_t *record)
{
	static const char *const names[] = {"merge", "text", "eol", "crlf", "ident", "binary",
	    "working-tree-encoding", "conflict-marker-size"};
	static const char filter[] = "filter=";
	size_t sign = *word == '-' || *word == '!';
	size_t name = strcspn(word + sign, "= \t\r\n");

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (name == strlen(names[i]) && strncmp(word + sign, names[i], name) == 0)
			return true;
	if (name != strlen("filter") || strncmp(word + sign, "filter", name) != 0)
		return false;
	if (len > strlen(filter) && sign == 0 && word[name] == '=') {
		AUTO_FREE char *value = xstrndup(word + strlen(filter), len - strlen(filter));

		return trust_has_filter(record, value);
	}
	return true;
}

/* Patterns with blanks are in quotes. */
static const char *
pattern_skip(const char *p)
{
	if (*p == '"')
		for (p++; *p != '\0' && *p != '"'; p++)
			p += *p == '\\' && p[1] != '\0';
	return p + strcspn(p, BLANK);
}

static bool
line_matters(const char *p, const json_t *record)
{
	size_t len;

	p += strspn(p, BLANK);
	if (*p == '\0' || *p == '#')
		return false;
	/* A macro may stand for any attribute. */
	if (strncmp(p, MACRO, strlen(MACRO)) == 0)
		return true;
	for (p = pattern_skip(p); *(p += strspn(p, BLANK)) != '\0'; p += len) {
		len = strcspn(p, BLANK);
		if (attribute_matters(p, len, record))
			return true;
	}
	return false;
}

static bool
lines_matter(const char *text, const json_t *record)
{
	AUTO_FREE char *lines = xstrdup(text);
	char *rest = lines;
	const char *line;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (line_matters(line, record))
			return true;
	return false;
}

/* How many bytes of whole lines two texts begin with. */
static size_t
same_lines(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
		if (a[i] == '\n')
			same = i + 1;
	return same;
}

bool
trust_attributes_matter(const char *before, const char *now, const json_t *record)
{
	size_t same = same_lines(before, now);

	return lines_matter(before + same, record) || lines_matter(now + same, record);
}
