#include "work/graph/graph_edit.h"

#include "base/alloc.h"
#include <errno.h>
#include <strings.h>

struct yedit {
	size_t start, end;
	size_t number;	   /* insertions at one place keep their order */
	const char *begun; /* the key of the list that the change begins; NULL */
	char *text;
};

/* ---- the list of changes ------------------------------------------------------------- */

void
yedits_init(struct yedits *e, const struct ytree *tree)
{
	const char *nl = memchr(tree->data + tree->from, '\n', tree->to - tree->from);
	bool crlf = nl != NULL && nl > tree->data && nl[-1] == '\r';

	*e = (struct yedits){.tree = tree, .eol = crlf ? "\r\n" : "\n"};
}

void
yedits_release(struct yedits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->list[i].text);
	free(e->list);
	e->list = NULL;
	e->n = e->cap = 0;
}

bool
yedits_none(const struct yedits *e)
{
	return e->n == 0;
}

static void
graph_edit_change(struct yedits *e, size_t start, size_t end, struct buf *text)
{
	e->list = xgrow(e->list, e->n, &e->cap, sizeof(*e->list));
	e->list[e->n] = (struct yedit){start, end, e->n, NULL, buf_detach(text)};
	e->n++;
}

void
yedits_cut(struct yedits *e, size_t start, size_t end)
{
	AUTO_BUF none = BUF_INIT;

	graph_edit_change(e, start, end, &none);
}

bool
yedits_touch(const struct yedits *e, size_t start, size_t end)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].start <= end && e->list[i].end >= start)
			return true;
	return false;
}

void
yedits_copy(struct yedits *e, const struct yedits *from)
{
	for (size_t i = 0; i < from->n; i++) {
		AUTO_BUF text = BUF_INIT;

		buf_adds(&text, from->list[i].text);
		graph_edit_change(e, from->list[i].start, from->list[i].end, &text);
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct yedit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

int
yedits_make(struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err)
{
	size_t at = 0;

	buf_reserve(out, len + 512);
	if (e->n > 0)
		qsort(e->list, e->n, sizeof(*e->list), by_place);
	for (size_t i = 0; i < e->n; i++) {
		const struct yedit *c = &e->list[i];

		if (c->start < at)
			return err_set(err, "%s: two changes at one place", name);
		buf_add(out, e->tree->data + at, c->start - at);
		buf_adds(out, c->text);
		at = c->end;
	}
	buf_add(out, e->tree->data + at, len - at);
	return 0;
}

int
yedits_apply(struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err)
{
	size_t base = out->len, tail = len - e->tree->to;
	struct ytree again;

	if (yedits_make(e, name, len, out, err) < 0)
		return -1;
	/* The text around the YAML (the body of a ticket) is left out. */
	if (ytree_parse(
		&again, name, out->data + base, e->tree->from, out->len - base - tail, err) < 0)
		return err_prefix(err, "cannot change it in place");
	ytree_release(&again);
	return 0;
}

/* ---- scalars ------------------------------------------------------------------------- */

/* Would every reader take the unquoted text for this very string, even a reader that knows
 * booleans and dates? */
static bool
graph_edit_is_plain(const char *s)
{
	static const char *const words[] = {
	    "null", "true", "false", "yes", "no", "on", "off", "y", "n"};
	const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t len = strlen(s);

	if (len == 0 || strchr(letters, s[0]) == NULL || s[len - 1] == ' ')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(s, words[i]) == 0)
			return false;
	for (const char *p = s; *p != '\0'; p++)
		if (strchr(letters, *p) == NULL && strchr("0123456789 _./-()", *p) == NULL)
			return false;
	return true;
}

/* Single quotes have no escapes, and would fold a line's end. */
static bool
graph_edit_has_control(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return true;
	return false;
}

static void
add_double(struct buf *out, const char *s)
{
	buf_addc(out, '"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			buf_addf(out, "\\%c", *s);
		else if (*s == '\n')
			buf_adds(out, "\\n");
		else if ((unsigned char)*s < ' ' || *s == 0x7f)
			buf_addf(out, "\\u%04x", (unsigned char)*s); /* JSON has no \x */
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

static void
add_single(struct buf *out, const char *s)
{
	buf_addc(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_addc(out, '\'');
		buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

void
yscalar_add(struct buf *out, const char *text, enum ynode_style style)
{
	if (style == YSTYLE_DOUBLE || graph_edit_has_control(text))
		add_double(out, text);
	else if (style == YSTYLE_SINGLE || !graph_edit_is_plain(text))
		add_single(out, text);
	else
		buf_adds(out, text);
}

static void
add_value(struct buf *out, const char *value, enum yvalue as, enum ynode_style style)
{
	if (as == YVALUE_RAW)
		buf_adds(out, value);
	else
		yscalar_add(out, value, style);
}

/* Is the map written as JSON?  A map without fields is written like the root of the text. */
static bool
is_json(const struct yedits *e, const struct ynode *map)
{
	if (map->child == NULL)
		map = e->tree->root;
	return map->kind == YNODE_MAP && map->style == YSTYLE_FLOW && map->child != NULL &&
	       map->child->style == YSTYLE_DOUBLE;
}

/* Appends "key: value", or the same as JSON. */
static void
add_pair(struct buf *out, const char *key, const char *value, enum yvalue as, bool json)
{
	buf_addf(out, json ? "\"%s\": " : "%s: ", key);
	add_value(out, value, as, json ? YSTYLE_DOUBLE : YSTYLE_PLAIN);
}

/* ---- places -------------------------------------------------------------------------- */

static size_t
line_start(const struct ytree *t, size_t at)
{
	while (at > t->from && t->data[at - 1] != '\n')
		at--;
	return at;
}

/* The end of the line, before its newline; a comment belongs to the line. */
static size_t
graph_edit_line_end(const struct ytree *t, size_t at)
{
	while (at < t->to && t->data[at] != '\n')
		at++;
	if (at > t->from && at < t->to && t->data[at - 1] == '\r')
		at--;
	return at;
}

static size_t
graph_edit_next_line(const struct ytree *t, size_t at)
{
	while (at < t->to && t->data[at] != '\n')
		at++;
	return at < t->to ? at + 1 : at;
}

/* Does the node end with its last line's end, as block texts do? */
static bool
ends_line(const struct ytree *t, const struct ynode *n)
{
	return n->end > n->start && t->data[n->end - 1] == '\n';
}

/*
 * Inserts lines behind a node.  Behind a block text they go before the next line; elsewhere
 * behind the node's line, which may be the last one and have no end.
 */
static void
insert_lines(struct yedits *e, const struct ynode *behind, const struct buf *lines)
{
	AUTO_BUF text = BUF_INIT;
	size_t at = behind->end;

	if (ends_line(e->tree, behind)) {
		buf_addf(&text, "%s%s", lines->data, e->eol);
	} else {
		at = graph_edit_line_end(e->tree, at);
		buf_addf(&text, "%s%s", e->eol, lines->data);
	}
	graph_edit_change(e, at, at, &text);
}

static void
add_indent(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_addc(out, ' ');
}

/* ---- fields -------------------------------------------------------------------------- */

static struct ynode *
graph_edit_key_of(const struct ynode *map, const struct ynode *value)
{
	struct ynode *k = map->child;

	while (k->next != value)
		k = k->next->next;
	return k;
}

/* Begins a value that is not there yet: behind "key:" a blank is missing, in "{key}" the colon,
 * too. */
static void
begin_value(const struct ytree *t, size_t at, struct buf *out)
{
	size_t p = at;

	while (p > t->from && t->data[p - 1] == ' ')
		p--;
	if (p == t->from || t->data[p - 1] != ':')
		buf_adds(out, ": ");
	else if (p == at)
		buf_addc(out, ' ');
}

static void
replace_value(struct yedits *e, const struct ynode *map, const struct ynode *old,
    const char *value, enum yvalue as)
{
	AUTO_BUF text = BUF_INIT;
	enum ynode_style style = is_json(e, map) ? YSTYLE_DOUBLE : old->style;

	if (old->start == old->end)
		begin_value(e->tree, old->start, &text);
	add_value(&text, value, as, style);
	if (ends_line(e->tree, old))
		buf_adds(&text, e->eol);
	graph_edit_change(e, old->start, old->end, &text);
}

/* Does an earlier change begin at this place? */
static bool
is_changed(const struct yedits *e, size_t at)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].start == at)
			return true;
	return false;
}

static void
graph_edit_add_field(struct yedits *e, const struct ynode *map, const char *key,
    const char *value, enum yvalue as, const char *after)
{
	const struct ynode *behind = after != NULL ? ynode_get(map, after) : NULL;
	AUTO_BUF text = BUF_INIT;

	if (behind == NULL)
		behind = map->last;
	if (behind == NULL) { /* only "{}" is a map without a field */
		buf_adds(&text, is_changed(e, map->start + 1) ? ", " : "");
		add_pair(&text, key, value, as, is_json(e, map));
		graph_edit_change(e, map->start + 1, map->start + 1, &text);
	} else if (map->style == YSTYLE_FLOW) {
		buf_adds(&text, ", ");
		add_pair(&text, key, value, as, is_json(e, map));
		graph_edit_change(e, behind->end, behind->end, &text);
	} else {
		add_indent(&text, map->child->column);
		add_pair(&text, key, value, as, false);
		insert_lines(e, behind, &text);
	}
}

/* Are there only blanks before `at` in its line? */
static bool
begins_line(const struct ytree *t, size_t at)
{
	size_t from = line_start(t, at);

	return strspn(t->data + from, " ") >= at - from;
}

/* Cuts the lines from `start` to the end of the node's last one. */
static void
cut_lines(struct yedits *e, size_t start, const struct ynode *last)
{
	const struct ytree *t = e->tree;

	yedits_cut(e, line_start(t, start),
	    ends_line(t, last) ? last->end : graph_edit_next_line(t, last->end));
}

static void
remove_field(struct yedits *e, const struct ynode *map, const struct ynode *value)
{
	const struct ytree *t = e->tree;
	const struct ynode *k = graph_edit_key_of(map, value);

	if (map->style == YSTYLE_FLOW || k == map->child || !begins_line(t, k->start)) {
		if (ynode_text(value) != NULL || value->kind != YNODE_SCALAR)
			replace_value(e, map, value, "null", YVALUE_RAW);
		return;
	}
	cut_lines(e, k->start, value);
}

void
yedits_set(struct yedits *e, const struct ynode *map, const char *key, const char *value,
    enum yvalue as, const char *after)
{
	const struct ynode *old = ynode_get(map, key);

	if (old == NULL && value != NULL)
		graph_edit_add_field(e, map, key, value, as, after);
	else if (old != NULL && value == NULL)
		remove_field(e, map, old);
	else if (old != NULL && (old->kind != YNODE_SCALAR || strcmp(old->text, value) != 0))
		replace_value(e, map, old, value, as);
}

/* ---- lists --------------------------------------------------------------------------- */

static void
add_flow(struct buf *out, const struct yfield *fields, size_t n, bool json)
{
	bool first = true;

	buf_addc(out, '{');
	for (size_t i = 0; i < n; i++) {
		if (fields[i].value == NULL)
			continue;
		buf_adds(out, first ? "" : ", ");
		add_pair(out, fields[i].key, fields[i].value, fields[i].as, json);
		first = false;
	}
	buf_addc(out, '}');
}

static void
graph_edit_add_block(
    struct buf *out, const struct yfield *fields, size_t n, size_t indent, const char *eol)
{
	bool first = true;

	for (size_t i = 0; i < n; i++) {
		if (fields[i].value == NULL)
			continue;
		buf_adds(out, first ? "" : eol);
		add_indent(out, indent);
		buf_addf(out, "%s%s: ", first ? "- " : "  ", fields[i].key);
		add_value(out, fields[i].value, fields[i].as, YSTYLE_PLAIN);
		first = false;
	}
}

/* Adds the item to a list that an earlier change began: behind the text of that change; in
 * JSON, before the closing bracket. */
static bool
graph_edit_go_on(
    struct yedits *e, const char *key, const struct yfield *fields, size_t n, bool json)
{
	for (size_t i = 0; i < e->n; i++) {
		AUTO_BUF text = BUF_INIT;
		bool ended;

		if (e->list[i].begun == NULL || strcmp(e->list[i].begun, key) != 0)
			continue;
		buf_adds(&text, e->list[i].text);
		ended = text.data[text.len - 1] == '\n';
		if (json) {
			buf_truncate(&text, text.len - 1);
			buf_adds(&text, ", ");
			add_flow(&text, fields, n, true);
			buf_addc(&text, ']');
		} else {
			buf_adds(&text, ended ? "" : e->eol);
			graph_edit_add_block(&text, fields, n, 2, e->eol);
			buf_adds(&text, ended ? e->eol : "");
		}
		free(e->list[i].text);
		e->list[i].text = buf_detach(&text);
		return true;
	}
	return false;
}

/* "key: []" and "key:" become a list of lines; so does a key that is not there. */
static void
begin_list(struct yedits *e, const struct ynode *root, const char *key,
    const struct yfield *fields, size_t n)
{
	const struct ynode *old = ynode_get(root, key);
	bool json = is_json(e, root);
	AUTO_BUF text = BUF_INIT;

	if (graph_edit_go_on(e, key, fields, n, json))
		return;
	if (json) {
		if (old == NULL)
			buf_addf(&text, ", \"%s\": ", key);
		buf_addc(&text, '[');
		add_flow(&text, fields, n, true);
		buf_addc(&text, ']');
	} else {
		if (old == NULL)
			buf_addf(&text, "%s:", key);
		buf_adds(&text, e->eol);
		graph_edit_add_block(&text, fields, n, 2, e->eol);
	}
	if (old != NULL)
		graph_edit_change(e, old->start, old->end, &text);
	else if (json)
		graph_edit_change(e, root->last->end, root->last->end, &text);
	else
		insert_lines(e, root->last, &text);
	e->list[e->n - 1].begun = key;
}

void
yedits_append(struct yedits *e, const struct ynode *root, const char *key,
    const struct yfield *fields, size_t n)
{
	const struct ynode *list = ynode_get(root, key);
	AUTO_BUF text = BUF_INIT;

	if (list == NULL || list->kind != YNODE_LIST || list->child == NULL) {
		begin_list(e, root, key, fields, n);
	} else if (list->style == YSTYLE_FLOW) {
		buf_adds(&text, ", ");
		add_flow(&text, fields, n, is_json(e, list->last));
		graph_edit_change(e, list->last->end, list->last->end, &text);
	} else if (list->last->style == YSTYLE_FLOW) {
		add_indent(&text, list->column);
		buf_adds(&text, "- ");
		add_flow(&text, fields, n, is_json(e, list->last));
		insert_lines(e, list->last, &text);
	} else {
		graph_edit_add_block(&text, fields, n, list->column, e->eol);
		insert_lines(e, list->last, &text);
	}
}

/* Removes an item from a flow list with one comma: the comma before the item, or behind the
 * first item. */
static void
remove_flow(struct yedits *e, const struct ynode *list, const struct ynode *item)
{
	const struct ynode *before = NULL;

	for (const struct ynode *n = list->child; n != item; n = n->next)
		before = n;
	yedits_cut(e, before != NULL ? before->end : item->start,
	    before == NULL && item->next != NULL ? item->next->start : item->end);
}

size_t
yitem_line(const struct ytree *t, const struct ynode *item)
{
	size_t dash = item->start;

	while (dash > t->from && t->data[dash - 1] == ' ')
		dash--;
	if (dash == t->from || t->data[--dash] != '-' || !begins_line(t, dash))
		return SIZE_MAX;
	return line_start(t, dash);
}

void
yedits_remove(struct yedits *e, const struct ynode *list, const struct ynode *item)
{
	size_t line = yitem_line(e->tree, item);
	AUTO_BUF null = BUF_INIT;

	if (list->style == YSTYLE_FLOW) {
		remove_flow(e, list, item);
	} else if (line != SIZE_MAX) {
		cut_lines(e, line, item);
	} else { /* An item whose dash does not begin a line becomes null, which is no item. */
		buf_adds(&null, "null");
		graph_edit_change(e, item->start, item->end, &null);
	}
}
