#include "work/graph/graph_yaml.h"

#include "base/alloc.h"
#include "base/strmap.h"
#include "base/text.h"
#include <errno.h>
#include <strings.h>
#include <yaml.h>

enum { DEPTH_MAX = 64, FEW_KEYS = 12, CHUNK = 1 << 16, MARK_STEP = 256 };

/* Nodes and texts live in chunks, so that they never move. */
struct ychunk {
	struct ychunk *next;
	size_t used, size;
	max_align_t bytes[];
};

struct reader {
	struct ytree *t;
	const char *name;
	unsigned first_line;
	yaml_parser_t parser;
	size_t *marks; /* the byte of every MARK_STEPth character; NULL: all are one byte */
	size_t chars;  /* in the text, where there are marks */
	struct level {
		struct ynode *node;
		bool value_next; /* a map has read a key, and its value comes next */
	} open[DEPTH_MAX];
	size_t depth;
	struct err *err;
};

static void *
chunk_alloc(struct ytree *t, size_t size)
{
	struct ychunk *c = t->chunks;
	void *p;

	size = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	if (c == NULL || c->size - c->used < size) {
		size_t room = size > CHUNK ? size : CHUNK;

		c = xmalloc(sizeof(*c) + room);
		*c = (struct ychunk){.next = t->chunks, .size = room};
		t->chunks = c;
	}
	p = (char *)c->bytes + c->used;
	c->used += size;
	return p;
}

void
ytree_release(struct ytree *t)
{
	while (t->chunks != NULL) {
		struct ychunk *c = t->chunks;

		t->chunks = c->next;
		free(c);
	}
	*t = (struct ytree){.root = NULL};
}

static int PRINTF(3, 4)
    graph_yaml_refuse(const struct reader *r, size_t line, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	return err_code(
	    r->err, EBADMSG, "%s:%zu: %s", r->name, line + r->first_line, text.data);
}

/* ---- places -------------------------------------------------------------------------- */

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Notes at which bytes characters begin, since libyaml's marks count characters.  Most texts
 * have only characters of one byte, and need no notes. */
static void
marks_make(struct reader *r)
{
	const char *p = r->t->data + r->t->from;
	size_t len = r->t->to - r->t->from, i;

	for (i = 0; i < len && (unsigned char)p[i] < 0x80; i++)
		;
	if (i == len)
		return;
	r->marks = xcalloc(len / MARK_STEP + 2, sizeof(*r->marks));
	for (i = 0; i < len; i++) {
		if (is_continuation(p[i]))
			continue;
		if (r->chars % MARK_STEP == 0)
			r->marks[r->chars / MARK_STEP] = i;
		r->chars++;
	}
}

static size_t
byte_of(const struct reader *r, const yaml_mark_t *mark)
{
	const char *p = r->t->data + r->t->from;
	size_t len = r->t->to - r->t->from, i = mark->index;

	if (r->marks != NULL && i >= r->chars) {
		i = len; /* behind the last character there is no mark of ours */
	} else if (r->marks != NULL) {
		i = r->marks[mark->index / MARK_STEP];
		for (size_t more = mark->index % MARK_STEP; more > 0 && i < len; more--) {
			i++;
			while (i < len && is_continuation(p[i]))
				i++;
		}
	}
	return r->t->from + (i < len ? i : len);
}

/* ---- the tree ------------------------------------------------------------------------ */

static struct ynode *
node_new(struct reader *r, enum ynode_kind kind, const yaml_event_t *e)
{
	struct ynode *n = chunk_alloc(r->t, sizeof(*n));

	*n = (struct ynode){
	    .kind = kind,
	    .line = (unsigned)e->start_mark.line + r->first_line,
	    .column = (unsigned)e->start_mark.column,
	    .start = byte_of(r, &e->start_mark),
	    .end = byte_of(r, &e->end_mark),
	    .text = "",
	};
	return n;
}

static enum ynode_style
scalar_style(yaml_scalar_style_t style)
{
	switch (style) {
	case YAML_SINGLE_QUOTED_SCALAR_STYLE:
		return YSTYLE_SINGLE;
	case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
		return YSTYLE_DOUBLE;
	case YAML_LITERAL_SCALAR_STYLE:
	case YAML_FOLDED_SCALAR_STYLE:
		return YSTYLE_BLOCK;
	case YAML_ANY_SCALAR_STYLE:
	case YAML_PLAIN_SCALAR_STYLE:
	default:
		return YSTYLE_PLAIN;
	}
}

static int
graph_yaml_node_add(struct reader *r, struct ynode *n)
{
	struct level *l = r->depth > 0 ? &r->open[r->depth - 1] : NULL;
	struct ynode *parent = l != NULL ? l->node : NULL;

	if (l == NULL) {
		r->t->root = n;
		return 0;
	}
	if (parent->kind == YNODE_MAP && !l->value_next && n->kind != YNODE_SCALAR)
		return graph_yaml_refuse(r, n->line - r->first_line, "a key must be a word");
	l->value_next = parent->kind == YNODE_MAP && !l->value_next;
	if (parent->child == NULL)
		parent->child = n;
	else
		parent->last->next = n;
	parent->last = n;
	return 0;
}

static int
repeated(struct reader *r, const struct ynode *key)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, key->text);
	return graph_yaml_refuse(
	    r, key->line - r->first_line, "the key %s is there twice", shown.data);
}

/* Refuses a key that occurs twice: libyaml accepts it, and which of the two counts would be
 * anybody's guess. */
static int
keys_check(struct reader *r, const struct ynode *map)
{
	struct strmap seen = {NULL, 0, 0};
	size_t n = 0;
	int rc = 0;

	for (const struct ynode *k = map->child; k != NULL && rc == 0; k = k->next->next, n++) {
		if (n == FEW_KEYS)
			for (struct ynode *o = map->child; o != k; o = o->next->next)
				(void)strmap_put(&seen, o->text, o);
		if (n >= FEW_KEYS) {
			if (strmap_get(&seen, k->text) != NULL)
				rc = repeated(r, k);
			(void)strmap_put(&seen, k->text, r);
			continue;
		}
		for (const struct ynode *o = map->child; o != k && rc == 0; o = o->next->next)
			if (strcmp(o->text, k->text) == 0)
				rc = repeated(r, k);
	}
	strmap_release(&seen);
	return rc;
}

/* ---- events -------------------------------------------------------------------------- */

static int
take_scalar(struct reader *r, const yaml_event_t *e)
{
	struct ynode *n = node_new(r, YNODE_SCALAR, e);
	size_t len = e->data.scalar.length;
	char *text = chunk_alloc(r->t, len + 1);

	memcpy(text, e->data.scalar.value, len);
	text[len] = '\0';
	if (memchr(text, '\0', len) != NULL)
		return graph_yaml_refuse(r, e->start_mark.line, "a NUL character in a text");
	n->text = text;
	n->style = scalar_style(e->data.scalar.style);
	return graph_yaml_node_add(r, n);
}

static int
open_level(struct reader *r, enum ynode_kind kind, bool flow, const yaml_event_t *e)
{
	struct ynode *n = node_new(r, kind, e);

	if (flow)
		n->style = YSTYLE_FLOW;
	if (graph_yaml_node_add(r, n) < 0)
		return -1;
	if (r->depth == DEPTH_MAX)
		return graph_yaml_refuse(
		    r, e->start_mark.line, "nested more than %d deep", DEPTH_MAX);
	r->open[r->depth++] = (struct level){.node = n};
	return 0;
}

static int
close_level(struct reader *r, const yaml_event_t *e)
{
	struct ynode *n = r->open[--r->depth].node;

	if (n->style == YSTYLE_FLOW)
		n->end = byte_of(r, &e->end_mark);
	else
		n->end = n->last != NULL ? n->last->end : n->start;
	return n->kind == YNODE_MAP ? keys_check(r, n) : 0;
}

static int
take_event(struct reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		return r->t->root == NULL ? 0
					  : graph_yaml_refuse(r, e->start_mark.line,
						"a second document begins here");
	case YAML_SCALAR_EVENT:
		return take_scalar(r, e);
	case YAML_SEQUENCE_START_EVENT:
		return open_level(
		    r, YNODE_LIST, e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, e);
	case YAML_MAPPING_START_EVENT:
		return open_level(
		    r, YNODE_MAP, e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_level(r, e);
	case YAML_ALIAS_EVENT:
		return graph_yaml_refuse(
		    r, e->start_mark.line, "an alias ('*') is not understood here");
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
	default:
		return 0;
	}
}

/* Says what libyaml could not read: it knows the byte where its reader fails, elsewhere the
 * line. */
static int
yaml_problem(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *data = r->t->data + r->t->from;
	size_t line = p->problem_mark.line, len = r->t->to - r->t->from;

	if (p->error == YAML_READER_ERROR) {
		line = 0;
		for (size_t i = 0; i < p->problem_offset && i < len; i++)
			line += data[i] == '\n';
	}
	return graph_yaml_refuse(
	    r, line, "%s", p->problem != NULL ? p->problem : "not enough memory");
}

static int
read_events(struct reader *r)
{
	bool end = false;
	int rc = 0;

	while (!end && rc == 0) {
		yaml_event_t e;

		if (!yaml_parser_parse(&r->parser, &e))
			return yaml_problem(r);
		end = e.type == YAML_STREAM_END_EVENT;
		rc = take_event(r, &e);
		yaml_event_delete(&e);
	}
	return rc;
}

/* Refuses line breaks that only YAML 1.1 knows: a lone CR, NEL, LS and PS.  No editor breaks
 * lines there, nor do we when we insert lines. */
static int
breaks_check(struct reader *r)
{
	static const char *const odd[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
	const char *p = r->t->data + r->t->from, *end = r->t->data + r->t->to;
	const char *at = memchr(p, '\r', (size_t)(end - p));
	size_t line = 0;

	while (at != NULL && at + 1 < end && at[1] == '\n')
		at = memchr(at + 1, '\r', (size_t)(end - at) - 1);
	/* marks: there are characters beyond ASCII. */
	for (size_t i = 0; i < ARRAY_LEN(odd) && at == NULL && r->marks != NULL; i++)
		at = memmem(p, (size_t)(end - p), odd[i], strlen(odd[i]));
	if (at == NULL)
		return 0;
	for (; p < at; p++)
		line += *p == '\n';
	return graph_yaml_refuse(r, line, "a line break that is neither LF nor CRLF");
}

int
ytree_parse(struct ytree *t, const char *name, const char *data, size_t from, size_t to,
    struct err *err)
{
	static const char bom[] = "\xef\xbb\xbf";
	struct reader r = {.t = t, .name = name, .first_line = 1, .err = err};
	int rc;

	/* Some editors begin a file with a byte order mark, which is no part of the text. */
	if (from == 0 && to >= strlen(bom) && memcmp(data, bom, strlen(bom)) == 0)
		from = strlen(bom);
	*t = (struct ytree){.data = data, .from = from, .to = to};
	for (size_t i = 0; i < from; i++)
		r.first_line += data[i] == '\n';
	if (to - from > YTREE_MAX)
		return graph_yaml_refuse(&r, 0, "longer than %zu MiB", YTREE_MAX >> 20);
	marks_make(&r);
	if (breaks_check(&r) < 0) {
		free(r.marks);
		return -1;
	}
	ENSURE(yaml_parser_initialize(&r.parser));
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)data + from, to - from);
	rc = read_events(&r);
	yaml_parser_delete(&r.parser);
	free(r.marks);
	if (rc < 0)
		ytree_release(t);
	return rc;
}

/* ---- questions ----------------------------------------------------------------------- */

struct ynode *
ynode_get(const struct ynode *map, const char *key)
{
	if (map == NULL || map->kind != YNODE_MAP)
		return NULL;
	for (struct ynode *k = map->child; k != NULL; k = k->next->next)
		if (strcmp(k->text, key) == 0)
			return k->next;
	return NULL;
}

struct ynode *
ynode_items(const struct ynode *list)
{
	return list != NULL && list->kind == YNODE_LIST ? list->child : NULL;
}

const char *
ynode_text(const struct ynode *n)
{
	if (n == NULL || n->kind != YNODE_SCALAR)
		return NULL;
	if (n->style == YSTYLE_PLAIN &&
	    (*n->text == '\0' || strcmp(n->text, "~") == 0 || strcasecmp(n->text, "null") == 0))
		return NULL;
	return n->text;
}
