#include "ticket/front.h"
#include <errno.h>

#define BOM "\xef\xbb\xbf"

static const struct {
	const char *name;
	size_t len;
	bool list;
} keys[FRONT_COUNT] = {
#define X(id, name, list) [FRONT_##id] = {name, sizeof(name) - 1, list},
    FRONT_KEYS(X)
#undef X
};

const char *
front_key_name(enum front_key key)
{
	return keys[key].name;
}

bool
front_line(const char **p, const char *end, struct span *line)
{
	const char *stop;

	if (*p >= end)
		return false;
	stop = memchr(*p, '\n', (size_t)(end - *p));
	line->p = *p;
	line->len = (size_t)((stop != NULL ? stop : end) - *p);
	*p = stop != NULL ? stop + 1 : end;
	return true;
}

static bool
front_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct span
trim_right(struct span s)
{
	while (s.len > 0 && front_is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

static struct span
trim_left(struct span s)
{
	while (s.len > 0 && front_is_blank(*s.p)) {
		s.p++;
		s.len--;
	}
	return s;
}

struct span
span_trim(struct span s)
{
	return trim_left(trim_right(s));
}

static bool
is_rule(struct span line)
{
	line = trim_right(line);
	return line.len == 3 && memcmp(line.p, "---", 3) == 0;
}

int
front_key_find(struct span line)
{
	for (int k = 0; k < FRONT_COUNT; k++)
		if (line.len > keys[k].len && line.p[keys[k].len] == ':' &&
		    memcmp(line.p, keys[k].name, keys[k].len) == 0)
			return k;
	return -1;
}

static bool
is_item(struct span line)
{
	line = span_trim(line);
	return line.len > 0 && line.p[0] == '-' && (line.len == 1 || front_is_blank(line.p[1]));
}

/* A list may go on below its key: as items, or up to its bracket. Moves *p behind it. */
static void
list_extend(struct front_field *f, const char **p, const char *end)
{
	const char *next = *p;
	struct span line;

	if (f->value.len == 0) {
		while (front_line(&next, end, &line) && is_item(line)) {
			if (!f->block)
				f->value.p = line.p;
			f->block = true;
			*p = next;
		}
		if (f->block)
			f->value.len = (size_t)(*p - f->value.p);
	} else if (*f->value.p == '[' && memchr(f->value.p, ']', f->value.len) == NULL) {
		while (front_line(&next, end, &line) && !is_rule(line) &&
		       front_key_find(line) < 0) {
			if (memchr(line.p, ']', line.len) == NULL)
				continue;
			*p = next;
			f->value.len = (size_t)(line.p + line.len - f->value.p);
			break;
		}
	}
}

static void
front_field_take(struct front *out, struct span line, const char **p, const char *end)
{
	int key = front_key_find(line);
	struct front_field *f;

	if (key < 0)
		return;
	f = &out->fields[key];
	*f = (struct front_field){.lines = {.p = line.p}};
	f->value =
	    span_trim((struct span){line.p + keys[key].len + 1, line.len - keys[key].len - 1});
	if (keys[key].list)
		list_extend(f, p, end);
	f->lines.len = (size_t)(*p - line.p);
}

/* Finds the first line that is not blank, and moves *p behind it; false when all are. */
static bool
first_line(const char **p, const char *end, struct span *line)
{
	size_t mark = strlen(BOM);

	if ((size_t)(end - *p) >= mark && memcmp(*p, BOM, mark) == 0)
		*p += mark;
	while (front_line(p, end, line))
		if (span_trim(*line).len > 0)
			return true;
	return false;
}

int
front_find(const char *data, size_t len, struct front *out, struct err *err)
{
	const char *p = data, *end = data + len;
	struct span line = {data, 0};

	*out = (struct front){.eol = "\n"};
	if (!first_line(&p, end, &line) || !is_rule(line))
		return err_code(
		    err, EBADMSG, "it does not begin with front matter (a line '---')");
	if (line.p[line.len - 1] == '\r')
		out->eol = "\r\n";
	out->first = p;
	while (front_line(&p, end, &line)) {
		if (is_rule(line)) {
			out->body = p;
			if (memchr(data, '\0', (size_t)(p - data)) != NULL)
				return err_code(
				    err, EBADMSG, "its front matter has a NUL byte");
			return 0;
		}
		front_field_take(out, line, &p, end);
	}
	return err_code(err, EBADMSG, "its front matter has no end (a second line '---')");
}

static bool
is_marker(struct span line)
{
	return line.len >= 7 &&
	       (memcmp(line.p, "<<<<<<<", 7) == 0 || memcmp(line.p, ">>>>>>>", 7) == 0);
}

bool
front_is_meant(const char *data, size_t len)
{
	const char *p = data, *end = data + len;
	struct span line = {data, 0};
	struct front front;
	int key;

	if (front_find(data, len, &front, NULL) == 0)
		return front.fields[FRONT_ID].lines.p != NULL ||
		       front.fields[FRONT_STATUS].lines.p != NULL;
	if (!first_line(&p, end, &line))
		return true;
	key = front_key_find(line);
	return is_rule(line) || is_marker(line) || key == FRONT_ID || key == FRONT_STATUS;
}

bool
front_has_conflict(const char *data, size_t len)
{
	struct front front;
	struct span line;
	const char *p;

	if (memmem(data, len, "\n<<<<<<<", 8) == NULL ||
	    front_find(data, len, &front, NULL) < 0)
		return false;
	for (p = front.first; front_line(&p, front.body, &line);)
		if (is_marker(line))
			return true;
	return false;
}

/* ---- values -------------------------------------------------------------------------- */

/* Writes the text in the quotes that s begins with to out; *used is its length in s, with the
 * quotes.  False when the quotes are never closed, and so are no quotes. */
static bool
unquote(struct span s, char *out, size_t *len, size_t *used)
{
	char quote = s.p[0];
	size_t n = 0;

	for (size_t i = 1; i < s.len; i++) {
		char c = s.p[i];
		bool pair = i + 1 < s.len && (s.p[i + 1] == quote || s.p[i + 1] == '\\');

		if (quote == '"' && c == '\\' && pair) {
			out[n++] = s.p[++i];
		} else if (quote == '\'' && c == quote && i + 1 < s.len &&
			   s.p[i + 1] == quote) {
			out[n++] = s.p[++i];
		} else if (c == quote) {
			*len = n;
			*used = i + 1;
			return true;
		} else {
			out[n++] = c;
		}
	}
	return false;
}

/* YAML wants one blank before the mark; "Bob #2" is more often a name. */
static struct span
without_comment(struct span s)
{
	for (size_t i = 1; i < s.len; i++)
		if (s.p[i] == '#' && front_is_blank(s.p[i - 1]) &&
		    (i + 1 == s.len || front_is_blank(s.p[i + 1]))) {
			s.len = i;
			break;
		}
	return trim_right(s);
}

static bool
is_quoted(struct span s)
{
	return s.len > 1 && (s.p[0] == '"' || s.p[0] == '\'');
}

size_t
front_scalar(struct span value, char *out)
{
	size_t len, used;

	value = span_trim(value);
	if (is_quoted(value) && unquote(value, out, &len, &used))
		return len;
	value = without_comment(value);
	if (value.len > 0) /* else it may be no field at all */
		memcpy(out, value.p, value.len);
	return value.len;
}

static bool
block_item(struct span *rest, char *out, size_t *len)
{
	const char *p = rest->p, *end = rest->p + rest->len;
	struct span line;

	while (front_line(&p, end, &line)) {
		line = span_trim(line);
		line = (struct span){line.p + 1, line.len - 1}; /* the dash */
		*len = front_scalar(line, out);
		*rest = (struct span){p, (size_t)(end - p)};
		if (*len > 0)
			return true;
	}
	return false;
}

static void
front_advance(struct span *s, size_t n)
{
	s->p += n;
	s->len -= n;
}

/* An item of a list in one line ends at a comma, at the bracket, or with the line. */
static size_t
flow_item(struct span *rest, bool bracket, char *out)
{
	size_t len = 0, used = 0, stop;

	*rest = trim_left(*rest);
	if (is_quoted(*rest) && unquote(*rest, out, &len, &used))
		front_advance(rest, used);
	for (stop = 0; stop < rest->len; stop++)
		if (rest->p[stop] == ',' || (bracket && rest->p[stop] == ']'))
			break;
	if (used == 0) {
		struct span item = without_comment((struct span){rest->p, stop});

		len = item.len;
		memcpy(out, item.p, len);
	}
	if (stop < rest->len && rest->p[stop] == ',')
		front_advance(rest, stop + 1);
	else
		front_advance(rest, rest->len);
	return len;
}

bool
front_item(const struct front_field *field, struct span *rest, char *out, size_t *len)
{
	bool bracket = field->value.len > 0 && field->value.p[0] == '[';

	if (field->block)
		return block_item(rest, out, len);
	if (bracket && rest->p == field->value.p)
		front_advance(rest, 1);
	while (rest->len > 0) {
		*len = flow_item(rest, bracket, out);
		if (*len > 0)
			return true;
	}
	return false;
}
