#include "ticket/ticket.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/userfile.h"
#include "ticket/front.h"
#include <errno.h>

struct edit;

/* Makes the new text of the ticket.  0: as in `out`; 1: it stays as it is. */
typedef int edit_fn(const struct edit *e, struct buf *out);

/* A ticket between reading and writing. */
struct edit {
	const char *name;
	edit_fn *fn;
	const void *ctx; /* the argument of fn */
	const struct buf *text;
	struct front front;
};

static int
edit_text(struct userfile *f, void *ctx, struct buf *out, struct err *err)
{
	struct edit *e = ctx;

	if (!f->exists) {
		errno = ENOENT;
		return err_errno(err, "cannot open %s.md", e->name);
	}
	e->text = &f->text;
	if (front_find(f->text.data, f->text.len, &e->front, err) < 0)
		return err_prefix(err, "%s.md", e->name);
	return e->fn(e, out);
}

/* 0: written, 1: it stays as it is. */
static int
ticket_edit(int dirfd, const char *name, edit_fn *fn, const void *ctx, struct err *err)
{
	struct edit e = {.name = name, .fn = fn, .ctx = ctx};
	AUTO_BUF file = BUF_INIT;

	if (ticket_file(name, &file, err) < 0)
		return -1;
	return userfile_change(dirfd, file.data, TICKET_MAX, edit_text, &e, err);
}

/* The text with the field's lines replaced by others; one that is missing becomes the first. */
static void
put_lines(const struct buf *text, const struct front *front, enum front_key key,
    struct span lines, struct buf *out)
{
	struct span old = front->fields[key].lines;
	const char *end = text->data + text->len;

	if (old.p == NULL)
		old = (struct span){front->first, 0};
	buf_reserve(out, text->len + lines.len);
	buf_add(out, text->data, (size_t)(old.p - text->data));
	buf_add(out, lines.p, lines.len);
	buf_add(out, old.p + old.len, (size_t)(end - old.p) - old.len);
}

static void
put_field(const struct edit *e, enum front_key key, const char *value, struct buf *out)
{
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line, "%s: %s%s", front_key_name(key), value, e->front.eol);
	put_lines(e->text, &e->front, key, (struct span){line.data, line.len}, out);
}

static int
put_status(const struct edit *e, struct buf *out)
{
	const char *word = ticket_status_name(*(const enum ticket_status *)e->ctx);
	struct span old = e->front.fields[FRONT_STATUS].value;

	if (old.p != NULL && old.len == strlen(word) && memcmp(old.p, word, old.len) == 0)
		return 1;
	put_field(e, FRONT_STATUS, word, out);
	return 0;
}

int
ticket_set_status(int dirfd, const char *name, enum ticket_status status, struct err *err)
{
	ENSURE(status < TICKET_UNKNOWN);
	return ticket_edit(dirfd, name, put_status, &status, err) < 0 ? -1 : 0;
}

/* Do both say the same, however it is written? */
static bool
field_is_same(const struct front *a, const struct front *b, enum front_key key)
{
	struct span x = span_trim(a->fields[key].value), y = span_trim(b->fields[key].value);
	AUTO_FREE char *one = xmalloc(x.len + 1);
	AUTO_FREE char *two = xmalloc(y.len + 1);
	size_t n = front_scalar(x, one), m = front_scalar(y, two);

	return n == m && memcmp(one, two, n) == 0;
}

int
ticket_keep_status(const struct buf *before, const struct buf *after, struct buf *out)
{
	struct front was, is;

	if (front_find(before->data, before->len, &was, NULL) < 0)
		return 0;
	if (after == NULL || front_find(after->data, after->len, &is, NULL) < 0 ||
	    !field_is_same(&was, &is, FRONT_ID)) {
		buf_add(out, before->data, before->len);
		return 1;
	}
	if (field_is_same(&was, &is, FRONT_STATUS))
		return 0;
	put_lines(after, &is, FRONT_STATUS, was.fields[FRONT_STATUS].lines, out);
	return 1;
}

/* ---- lists --------------------------------------------------------------------------- */

void
front_list_add(struct buf *out, const char *item)
{
	buf_adds(out, out->len > 1 ? ", " : "");
	if (strpbrk(item, " \t,[]\"'#") == NULL) {
		buf_adds(out, item);
		return;
	}
	buf_addc(out, '"');
	for (; *item != '\0'; item++) {
		if (*item == '"' || *item == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *item);
	}
	buf_addc(out, '"');
}

bool
front_is_one_line(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return false;
	return true;
}

/* Appends the list with the item added or left out; true when that is a change. */
static bool
list_change(const struct front_field *f, const char *item, bool add, struct buf *out)
{
	AUTO_FREE char *text = xmalloc(f->value.len + 1);
	struct span rest = f->value;
	bool found = false;
	size_t len;

	buf_addc(out, '[');
	while (rest.len > 0 && front_item(f, &rest, text, &len)) {
		text[len] = '\0';
		if (strcmp(text, item) == 0) {
			found = true;
			if (!add)
				continue;
		}
		front_list_add(out, text);
	}
	if (add && !found)
		front_list_add(out, item);
	buf_addc(out, ']');
	return found != add;
}

struct list_edit {
	enum front_key key;
	const char *item;
	bool add;
};

static int
put_list(const struct edit *e, struct buf *out)
{
	const struct list_edit *l = e->ctx;
	AUTO_BUF value = BUF_INIT;

	if (!list_change(&e->front.fields[l->key], l->item, l->add, &value))
		return 1;
	put_field(e, l->key, value.data, out);
	return 0;
}

static int
list_edit(int dirfd, const char *name, enum ticket_list list, const char *item, bool add,
    struct err *err)
{
	struct list_edit l = {list == TICKET_DEPS ? FRONT_DEPS : FRONT_LINKS, item, add};
	int rc;

	if (!front_is_one_line(item) || *item == '\0')
		return err_set(err, "that id cannot stand in a list");
	rc = ticket_edit(dirfd, name, put_list, &l, err);
	return rc < 0 ? -1 : rc == 0;
}

int
ticket_list_add(
    int dirfd, const char *name, enum ticket_list list, const char *item, struct err *err)
{
	return list_edit(dirfd, name, list, item, true, err);
}

int
ticket_list_remove(
    int dirfd, const char *name, enum ticket_list list, const char *item, struct err *err)
{
	return list_edit(dirfd, name, list, item, false, err);
}

/* ---- notes --------------------------------------------------------------------------- */

void
tickets_now(struct buf *out)
{
	clock_fmt_rfc3339(clock_wall(), out);
	buf_truncate(out, out->len - strlen(".000Z"));
	buf_addc(out, 'Z');
}

static bool
has_notes(const struct front *front, const char *end)
{
	const char *p = front->body;
	struct span line;

	while (front_line(&p, end, &line))
		if (line.len >= 8 && memcmp(line.p, "## Notes", 8) == 0)
			return true;
	return false;
}

static int
put_note(const struct edit *e, struct buf *out)
{
	const struct span *note = e->ctx;
	const char *eol = e->front.eol;

	buf_add(out, e->text->data, e->text->len);
	if (out->data[out->len - 1] != '\n')
		buf_adds(out, eol);
	if (!has_notes(&e->front, e->text->data + e->text->len))
		buf_addf(out, "%s## Notes%s", eol, eol);
	buf_addf(out, "%s**", eol);
	tickets_now(out);
	buf_addf(out, "**%s%s", eol, eol);
	buf_add(out, note->p, note->len);
	buf_adds(out, eol);
	return 0;
}

int
ticket_add_note(int dirfd, const char *name, const char *note, size_t len, struct err *err)
{
	return ticket_edit(dirfd, name, put_note, &(struct span){note, len}, err);
}
