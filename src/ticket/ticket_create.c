#include "ticket/ticket.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/userfile.h"
#include "ticket/front.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/random.h>

#define ID_LETTERS 4
#define ID_TRIES 1000

void
ticket_prefix(const char *dir, struct buf *out)
{
	const char *name = basename(dir);
	size_t start = out->len;

	for (const char *p = name; *p != '\0'; p++)
		if (strchr("-_", *p) == NULL && (p == name || strchr("-_", p[-1]) != NULL) &&
		    isalnum((unsigned char)*p))
			buf_addc(out, *p);
	if (out->len - start < 2) {
		buf_truncate(out, start);
		for (size_t i = 0; i < 3 && name[i] != '\0'; i++)
			buf_addc(out, name[i]);
	}
	buf_adds(out, "-0"); /* as an id goes on */
	if (!name_is_valid(out->data + start)) {
		buf_truncate(out, start);
		buf_adds(out, "t-0");
	}
	buf_truncate(out, out->len - 2);
}

static void
add_random(struct buf *out)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	const unsigned char fair = 256 / 36 * 36;

	for (int n = 0; n < ID_LETTERS;) {
		unsigned char byte;

		if (getrandom(&byte, 1, 0) != 1 || byte >= fair)
			continue;
		buf_addc(out, letters[byte % 36]);
		n++;
	}
}

static void
ticket_create_add_tags(struct buf *out, const char *tags)
{
	AUTO_BUF list = BUF_INIT;
	AUTO_FREE char *copy = xstrdup(tags);
	char *rest = copy, *tag;

	buf_addc(&list, '[');
	while ((tag = strsep(&rest, ",")) != NULL) {
		size_t len;

		tag += strspn(tag, " ");
		len = strlen(tag);
		while (len > 0 && tag[len - 1] == ' ')
			tag[--len] = '\0';
		if (len > 0)
			front_list_add(&list, tag);
	}
	buf_addf(out, "tags: %s]\n", list.data);
}

static void
ticket_create_add_field(struct buf *out, const char *key, const char *value)
{
	if (value != NULL && *value != '\0')
		buf_addf(out, "%s: %s\n", key, value);
}

static void
ticket_create_add_section(struct buf *out, const char *heading, const char *text)
{
	if (text != NULL && *text != '\0')
		buf_addf(out, "%s%s\n\n", heading, text);
}

static void
draft_write(const struct ticket_draft *d, const char *id, struct buf *out)
{
	buf_clear(out);
	buf_addf(out, "---\nid: %s\nstatus: open\ndeps: []\nlinks: []\ncreated: ", id);
	tickets_now(out);
	buf_addf(out, "\ntype: %s\npriority: %" PRId64 "\n", d->type != NULL ? d->type : "task",
	    d->priority);
	ticket_create_add_field(out, "assignee", d->assignee);
	ticket_create_add_field(out, "external-ref", d->external_ref);
	ticket_create_add_field(out, "parent", d->parent);
	if (d->tags != NULL && *d->tags != '\0')
		ticket_create_add_tags(out, d->tags);
	buf_addf(out, "---\n# %s\n\n", d->title != NULL ? d->title : "Untitled");
	ticket_create_add_section(out, "", d->description);
	ticket_create_add_section(out, "## Design\n\n", d->design);
	ticket_create_add_section(out, "## Acceptance Criteria\n\n", d->acceptance);
}

/* A line end would make another field in the front matter, and more than a title of a title. */
static int
draft_check(const struct ticket_draft *d, struct err *err)
{
	const struct {
		const char *what, *text;
	} lines[] = {
	    {"title", d->title},
	    {"type", d->type},
	    {"assignee", d->assignee},
	    {"external reference", d->external_ref},
	    {"parent", d->parent},
	    {"list of tags", d->tags},
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (lines[i].text != NULL && !front_is_one_line(lines[i].text))
			return err_set(err, "the %s must be one line", lines[i].what);
	return 0;
}

int
ticket_create(int dirfd, const struct ticket_draft *draft, struct buf *id, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;

	if (draft_check(draft, err) < 0)
		return -1;
	for (int i = 0; i < ID_TRIES; i++) {
		AUTO_BUF file = BUF_INIT;

		buf_clear(id);
		buf_addf(id, "%s-", draft->prefix);
		add_random(id);
		draft_write(draft, id->data, &text);
		buf_addf(&file, "%s.md", id->data);
		if (userfile_create(dirfd, file.data, &text, &why) == 0)
			return 0;
		if (why.code != EEXIST)
			break;
	}
	return err_set(err, "%s", why.text);
}
