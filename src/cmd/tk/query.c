/*
 * query.c - ralph tk query: tickets as lines of JSON, for jq.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/process/run.h"
#include "ticket/front.h"
#include <ctype.h>

/* A value as tk gives it: every list is an array, every other value a string. */
static json_t *
value_json(const struct front_field *f, bool list)
{
	struct span rest = f->value;
	AUTO_FREE char *text = xmalloc(rest.len + 1);
	json_t *array;
	size_t len;

	if (!list)
		return json_text(text, front_scalar(f->value, text));
	array = json_array();
	while (front_item(f, &rest, text, &len))
		if (len > 0)
			(void)json_array_append_new(array, json_text(text, len));
	return array;
}

static const struct front_field *
known_field(const struct front *front, struct span key, bool *list)
{
	static const bool lists[] = {
#define X(id, name, list) [FRONT_##id] = list,
	    FRONT_KEYS(X)
#undef X
	};

	for (int k = 0; k < FRONT_COUNT; k++) {
		const char *name = front_key_name((enum front_key)k);

		if (strlen(name) != key.len || strncmp(name, key.p, key.len) != 0)
			continue;
		*list = lists[k];
		return &front->fields[k];
	}
	return NULL;
}

static void
tk_query_add_line(json_t *obj, const struct front *front, struct span line)
{
	const char *colon = memchr(line.p, ':', line.len);
	struct span key = {line.p, colon == NULL ? 0 : (size_t)(colon - line.p)};
	struct front_field other = {.block = false};
	const struct front_field *field;
	AUTO_FREE char *name = NULL;
	bool list = false;

	if (key.len == 0 || !isalpha((unsigned char)*key.p))
		return;
	field = known_field(front, key, &list);
	if (field == NULL) {
		other.value = span_trim((struct span){colon + 1, line.len - key.len - 1});
		list = other.value.len > 1 && other.value.p[0] == '[' &&
		       other.value.p[other.value.len - 1] == ']';
		field = &other;
	}
	name = xstrndup(key.p, key.len);
	(void)json_object_set_new(obj, name, value_json(field, list));
}

/* All fields of the ticket's front matter, in their order. */
static json_t *
fields_json(const struct buf *text)
{
	json_t *obj = json_object();
	struct err err = ERR_INIT;
	struct front front;
	struct span line;
	const char *p;

	if (front_find(text->data, text->len, &front, &err) < 0)
		return obj;
	p = front.first;
	while (p < front.body && front_line(&p, front.body, &line))
		tk_query_add_line(obj, &front, line);
	return obj;
}

static void
tk_query_add_tickets(struct backlog *b, struct buf *out)
{
	const struct ticket *const *all;
	size_t n = backlog_all(b, &all);

	for (size_t i = 0; i < n; i++) {
		AUTO_BUF text = BUF_INIT;
		AUTO_JSON *obj = NULL;

		if (ticket_text(backlog_dirfd(b), all[i]->name, &text, NULL) < 0)
			continue; /* removed since it was read */
		obj = fields_json(&text);
		json_print(obj, true, out);
		buf_addc(out, '\n');
	}
}

/* Has jq select, since everybody knows jq; its exit code is ours, as for tk. */
static int
print_selected(const struct buf *lines, const char *filter)
{
	AUTO_FREE char *program = xasprintf("select(%s)", filter);
	char *argv[] = {(char *)(uintptr_t) "jq", (char *)(uintptr_t) "-c", program, NULL};
	struct run_spec spec = {.argv = argv, .input = lines->data, .input_len = lines->len};
	AUTO_RUN result = RUN_INIT;
	struct err err = ERR_INIT;
	int rc = run_checked(&spec, &result, &err);

	if (rc < 0)
		tk_error("%s", err.text);
	cmd_print(&result.out);
	if (rc < 0)
		rc = result.status.how == EXIT_CODE && result.status.value != 0
			 ? result.status.value
			 : EX_FAILED;
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const char *filter = args->operands.nargs > 0 ? args->operands.args[0] : "";
	AUTO_BACKLOG *b = tk_open();
	AUTO_BUF out = BUF_INIT;

	if (b == NULL)
		return EX_FAILED;
	tk_warn(b);
	tk_query_add_tickets(b, &out);
	if (*filter != '\0')
		return print_selected(&out, filter);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_tk_query = {
    .name = "tk query",
    .usage = "[FILTER]",
    .summary = "Print the tickets as lines of JSON",
    .about =
	"Every field of the front matter, in its order: lists are arrays, all else is text. "
	"FILTER is a condition for jq, which must be installed for it.",
    .examples = "  ralph tk query\n"
		"  ralph tk query '.status == \"open\" and .priority == \"0\"' | jq -r .id\n",
    .max_args = 1,
    .dashes = true,
    .surplus = true,
    .run = run,
};
