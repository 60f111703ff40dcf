/*
 * show.c - ralph tk show: one ticket, and how it stands to the others.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/text.h"
#include "ticket/front.h"

struct show_options {
	bool json;
};

#define OPTIONS struct show_options
static const struct opt show_opts[] = {
    ROW_FLAG("json", json, "print a JSON object"),
};

/* The tickets in one relation to a ticket are a list of their ids. */
enum { BLOCKERS, BLOCKING, CHILDREN, LINKED, RELATIONS };

static const struct {
	const char *heading, *member;
} sections[RELATIONS] = {
    [BLOCKERS] = {"Blockers", "blockers"},
    [BLOCKING] = {"Blocking", "blocking"},
    [CHILDREN] = {"Children", "children"},
    [LINKED] = {"Linked", "linked"},
};

static void
relate(struct backlog *b, const struct ticket *t, char **r[RELATIONS])
{
	const struct ticket *const *all;
	size_t n = backlog_all(b, &all);

	r[BLOCKERS] = tk_blockers(b, t);
	r[BLOCKING] = r[CHILDREN] = NULL;
	for (size_t i = 0; i < n; i++) {
		if (all[i]->status != TICKET_CLOSED && strlist_has(all[i]->deps, t->id))
			r[BLOCKING] = strlist_add(r[BLOCKING], all[i]->id);
		if (all[i]->parent != NULL && strcmp(all[i]->parent, t->id) == 0)
			r[CHILDREN] = strlist_add(r[CHILDREN], all[i]->id);
	}
	r[LINKED] = strlist_dup(t->links);
}

/* Appends the file as it is, but the line of the parent says which ticket that is. */
static void
show_add_file(
    struct buf *out, const struct backlog *b, const struct ticket *t, const struct buf *text)
{
	const struct ticket *parent = t->parent != NULL ? backlog_find(b, t->parent) : NULL;
	struct err err = ERR_INIT;
	struct front front;
	const char *end = text->data + text->len, *line = NULL;

	if (parent != NULL && front_find(text->data, text->len, &front, &err) == 0)
		line = front.fields[FRONT_PARENT].lines.p;
	if (line != NULL) {
		const char *stop = line + strcspn(line, "\r\n");

		buf_add(out, text->data, (size_t)(stop - text->data));
		buf_addf(out, "  # %s", parent->title);
		buf_add(out, stop, (size_t)(end - stop));
	} else {
		buf_add(out, text->data, text->len);
	}
	if (out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
}

static void
show_print_text(const struct backlog *b, const struct ticket *t, const struct buf *text,
    char **const r[RELATIONS])
{
	AUTO_BUF out = BUF_INIT;
	AUTO_BUF file = BUF_INIT;

	show_add_file(&file, b, t, text);
	/* A program gets the file's own bytes, a terminal none that would steer it. */
	if (isatty(STDOUT_FILENO))
		text_show(&out, file.data, file.len, true);
	else
		buf_add(&out, file.data, file.len);
	for (size_t s = 0; s < RELATIONS; s++) {
		if (strlist_len(r[s]) > 0)
			buf_addf(&out, "\n## %s\n\n", sections[s].heading);
		for (size_t i = 0; r[s] != NULL && r[s][i] != NULL; i++) {
			buf_adds(&out, "- ");
			tk_add_entry(&out, b, r[s][i]);
			buf_addc(&out, '\n');
		}
	}
	cmd_print(&out);
}

static void
show_print_json(const struct ticket *t, const struct buf *text, char **const r[RELATIONS])
{
	json_t *obj = tk_json(t);

	for (size_t s = 0; s < RELATIONS; s++)
		(void)json_object_set_new(obj, sections[s].member, json_strlist(r[s]));
	(void)json_object_set_new(obj, "text", json_text(text->data, text->len));
	cmd_print_json(obj);
}

static int
run(const struct cmd_args *args)
{
	const struct show_options *o = args->opts;
	AUTO_BACKLOG *b = tk_open();
	const struct ticket *t = tk_match(b, args->operands.args[0]);
	char **r[RELATIONS];
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	if (t == NULL)
		return EX_FAILED;
	if (ticket_text(backlog_dirfd(b), t->name, &text, &err) < 0)
		return tk_error("%s", err.text);
	relate(b, t, r);
	if (o->json)
		show_print_json(t, &text, r);
	else
		show_print_text(b, t, &text, r);
	for (size_t s = 0; s < RELATIONS; s++)
		strlist_free(r[s]);
	return EX_OK;
}

const struct cmd cmd_tk_show = {
    .name = "tk show",
    .usage = "[--json] ID",
    .summary = "Show a ticket and how it stands to others",
    .about = "The file as it is, then what blocks it, what it blocks, its children and what it "
	     "is linked to.",
    .examples = "  ralph tk show l4ur\n"
		"  ralph tk show --json mp-l4ur | jq .blockers\n",
    CMD_OPTIONS(show_opts),
    TK_TICKETS(1),
    .run = run,
};
