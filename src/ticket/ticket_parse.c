#include "ticket/ticket.h"

#include "base/alloc.h"
#include "ticket/front.h"
#include <errno.h>

/* The one block that a ticket's strings and lists are cut from. */
struct block {
	char **lists;
	char *text;
};

static size_t
list_max(const struct front_field *f)
{
	char mark = f->block ? '\n' : ',';
	size_t n = 2; /* the last item, and the NULL */

	for (size_t i = 0; i < f->value.len; i++)
		n += f->value.p[i] == mark;
	return n;
}

static bool
is_list(enum front_key key)
{
	return key == FRONT_DEPS || key == FRONT_LINKS || key == FRONT_TAGS;
}

/* Room for everything, at most: no value grows by being read. */
static void *
block_make(struct block *b, const struct front *front, const char *name, struct span title)
{
	size_t pointers = 0, bytes = 2 * (strlen(name) + 1) + title.len + 1 + 1;
	char *store;

	for (int k = 0; k < FRONT_COUNT; k++) {
		size_t items = is_list((enum front_key)k) ? list_max(&front->fields[k]) : 0;

		pointers += items;
		bytes += front->fields[k].value.len + items + 1;
	}
	store = xmalloc(pointers * sizeof(char *) + bytes);
	b->lists = (char **)(void *)store;
	b->text = store + pointers * sizeof(char *);
	return store;
}

static char *
ticket_parse_block_add(struct block *b, const char *s, size_t len)
{
	char *out = b->text;

	memcpy(out, s, len);
	out[len] = '\0';
	b->text += len + 1;
	return out;
}

static char *
block_scalar(struct block *b, const struct front_field *f)
{
	char *out = b->text;
	size_t len;

	if (f->lines.p == NULL)
		return NULL;
	len = front_scalar(f->value, out);
	if (len == 0)
		return NULL;
	out[len] = '\0';
	b->text += len + 1;
	return out;
}

static char **
block_list(struct block *b, const struct front_field *f)
{
	char **list = b->lists;
	struct span rest = f->value;
	size_t len;

	while (rest.len > 0 && front_item(f, &rest, b->text, &len)) {
		*b->lists++ = b->text;
		b->text[len] = '\0';
		b->text += len + 1;
	}
	*b->lists++ = NULL;
	return list;
}

/* The first "# " line that says something. */
static struct span
title_find(const char *body, const char *end)
{
	struct span line;

	while (front_line(&body, end, &line)) {
		if (line.len > 0 && line.p[line.len - 1] == '\r')
			line.len--;
		if (line.len > 2 && line.p[0] == '#' && line.p[1] == ' ')
			return (struct span){line.p + 2, line.len - 2};
	}
	return (struct span){end, 0};
}

static int64_t
priority_read(const char *s)
{
	char *end;
	long long n;

	if (s == NULL)
		return TICKET_PRIORITY;
	errno = 0;
	n = strtoll(s, &end, 10);
	return *end == '\0' && errno == 0 ? (int64_t)n : TICKET_PRIORITY;
}

int
ticket_parse(
    const char *name, const char *data, size_t len, struct ticket *out, struct err *err)
{
	struct front front;
	const struct front_field *f = front.fields;
	AUTO_BUF differs = BUF_INIT;
	struct block b;
	struct span title;

	*out = (struct ticket){.status = TICKET_UNKNOWN};
	if (front_find(data, len, &front, err) < 0)
		return -1;
	title = title_find(front.body, data + len);
	title.len = strnlen(title.p, title.len);
	out->store = block_make(&b, &front, name, title);
	out->deps = block_list(&b, &f[FRONT_DEPS]);
	out->links = block_list(&b, &f[FRONT_LINKS]);
	out->tags = block_list(&b, &f[FRONT_TAGS]);
	out->name = ticket_parse_block_add(&b, name, strlen(name));
	out->title = ticket_parse_block_add(&b, title.p, title.len);
	out->id = block_scalar(&b, &f[FRONT_ID]);
	if (out->id == NULL)
		out->id = ticket_parse_block_add(&b, name, strlen(name));
	out->word = block_scalar(&b, &f[FRONT_STATUS]);
	if (out->word == NULL)
		out->word = ticket_parse_block_add(&b, "", 0);
	out->status = ticket_status_parse(out->word);
	out->priority = priority_read(block_scalar(&b, &f[FRONT_PRIORITY]));
	out->type = block_scalar(&b, &f[FRONT_TYPE]);
	out->assignee = block_scalar(&b, &f[FRONT_ASSIGNEE]);
	out->created = block_scalar(&b, &f[FRONT_CREATED]);
	out->external_ref = block_scalar(&b, &f[FRONT_EXTERNAL]);
	out->parent = block_scalar(&b, &f[FRONT_PARENT]);
	ticket_tk_compare(data, len, out, &differs);
	if (differs.len > 0)
		out->differs = buf_detach(&differs);
	return 0;
}
