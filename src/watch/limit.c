#include "watch/limit.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "watch/lines.h"
#include "watch/resets.h"

#define WORDS_MAX 400 /* bytes of a line of plain text that are kept */
#define PATH_MAX_LEN 128
#define NUMBER_MAX 1e18
#define EPOCH_MS INT64_C(100000000000) /* what is greater counts milliseconds */

/* ---- tails --------------------------------------------------------------------------- */

void
limit_tail_add(struct tail *t, const char *data, size_t len)
{
	if (len > TAIL_BYTES) {
		data += len - TAIL_BYTES;
		len = TAIL_BYTES;
		buf_clear(&t->bytes);
		t->cut = true;
	}
	/* Cuts the tail only now and then, so that each byte is moved once. */
	if (t->bytes.len + len > 2 * TAIL_BYTES) {
		buf_drop(&t->bytes, t->bytes.len + len - TAIL_BYTES);
		t->cut = true;
	}
	buf_add(&t->bytes, data, len);
}

void
limit_tail_release(struct tail *t)
{
	buf_release(&t->bytes);
}

bool
limit_tail_has_objects(const struct tail *t)
{
	return t->bytes.len > 0 &&
	       (t->bytes.data[0] == '{' || strstr(t->bytes.data, "\n{") != NULL);
}

/* The last lines of a tail, oldest first. */
struct last_lines {
	char *line[TAIL_LINES];
	size_t n;
};

static void
limit_line_came(void *ctx, const char *line, size_t len)
{
	struct last_lines *l = ctx;

	if (strspn(line, " \t") >= len)
		return;
	if (l->n == TAIL_LINES) {
		free(l->line[0]);
		memmove(&l->line[0], &l->line[1], (TAIL_LINES - 1) * sizeof(l->line[0]));
		l->n--;
	}
	l->line[l->n++] = xstrndup(line, len);
}

static void
lines_last(const struct tail *t, struct last_lines *out)
{
	const char *from = t->bytes.data;
	size_t len = t->bytes.len;
	const char *newline = t->cut ? memchr(from, '\n', len) : NULL;
	struct lines lines;

	out->n = 0;
	if (newline != NULL) {
		len -= (size_t)(newline + 1 - from);
		from = newline + 1;
	}
	lines_init(&lines, limit_line_came, out);
	lines_feed(&lines, from, len);
	lines_flush(&lines);
	lines_release(&lines);
}

static void
lines_free(struct last_lines *l)
{
	while (l->n > 0)
		free(l->line[--l->n]);
}

/* ---- words --------------------------------------------------------------------------- */

/* Quotes, dots and blanks come in several forms, from one version to the next. */
static void
make_plain(const char *text, struct buf *out)
{
	static const struct {
		const char *from, *to;
	} forms[] = {{"\xe2\x80\x99", "'"}, {"\xe2\x80\x98", "'"}, {"\xc2\xa0", " "},
	    {"\xe2\x80\xaf", " "}, {"\xe2\x88\x99", "\xc2\xb7"}};

	text += strspn(text, " \t");
	while (*text != '\0' && out->len < WORDS_MAX) {
		size_t i;

		for (i = 0; i < ARRAY_LEN(forms); i++)
			if (strncmp(text, forms[i].from, strlen(forms[i].from)) == 0)
				break;
		if (i < ARRAY_LEN(forms)) {
			buf_adds(out, forms[i].to);
			text += strlen(forms[i].from);
		} else {
			buf_addc(out, *text++);
		}
	}
}

static int
judge_words(const struct limit_case *c, const char *text, bool is_stderr, enum limit_kind *kind,
    struct err *err)
{
	AUTO_BUF plain = BUF_INIT;

	make_plain(text, &plain);
	return limit_rules_words(c->rules, &plain, is_stderr, kind, err);
}

static void
found_clear(struct limit_found *found)
{
	found->kind = LIMIT_NONE;
	found->resets = 0;
	buf_clear(&found->text);
}

static void
found_set(const struct limit_case *c, struct limit_found *found, enum limit_kind kind,
    const char *text, int64_t resets)
{
	AUTO_BUF plain = BUF_INIT;

	make_plain(text, &plain);
	if (resets == 0 && kind == LIMIT_RATE)
		resets = resets_find(plain.data, c->now);
	/* A repeated message without a time keeps the time of the earlier message. */
	if (resets == 0 && found->kind == kind)
		resets = found->resets;
	found->kind = kind;
	found->resets = kind == LIMIT_RATE ? resets : 0;
	if (plain.len == 0)
		return;
	buf_clear(&found->text);
	buf_add(&found->text, plain.data, plain.len);
}

/* ---- lines of JSON ------------------------------------------------------------------- */

/* The member that a path names: "a.b.0" is the first item of b within a. */
static const json_t *
limit_member(const json_t *v, const char *path)
{
	char name[PATH_MAX_LEN];

	while (v != NULL && path != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");

		if (len >= sizeof(name))
			return NULL;
		memcpy(name, path, len);
		name[len] = '\0';
		v = json_is_array(v) ? json_array_get(v, (size_t)strtoul(name, NULL, 10))
				     : json_object_get(v, name);
		path += len + (path[len] == '.');
	}
	return path == NULL ? NULL : v;
}

static bool
fits(const json_t *line, const json_t *where)
{
	const char *path;
	json_t *value;

	json_object_foreach ((json_t *)(uintptr_t)where, path, value) {
		const json_t *have = limit_member(line, path);

		if (have == NULL || json_equal(have, value) != 1)
			return false;
	}
	return json_object_size(where) > 0;
}

static int64_t
number_of(const json_t *v)
{
	if (json_is_string(v))
		return strtoll(json_string_value(v), NULL, 10);
	if (json_is_integer(v))
		return json_integer_value(v);
	return json_is_real(v) && json_real_value(v) > 0 && json_real_value(v) < NUMBER_MAX
		   ? (int64_t)json_real_value(v)
		   : 0;
}

static int64_t
event_resets(const struct limit_case *c, const json_t *rule, const json_t *line)
{
	int64_t at = number_of(limit_member(line, json_str(rule, "resets", NULL)));
	int64_t in = number_of(limit_member(line, json_str(rule, "resets_in", NULL)));
	int64_t moment;

	if (at > EPOCH_MS)
		at /= 1000;
	if (at > 0 && !__builtin_mul_overflow(at, NSEC_PER_SEC, &moment))
		return moment;
	if (in > 0 && !__builtin_mul_overflow(in, NSEC_PER_SEC, &moment) &&
	    !__builtin_add_overflow(moment, c->now, &moment))
		return moment;
	/* There is no moment, or one that no clock can show. */
	return 0;
}

/* `kind` is the rule's; with LIMIT_NONE the words decide. */
static int
judge_event(const struct limit_case *c, const json_t *rule, enum limit_kind kind,
    const json_t *line, struct limit_found *found, struct err *err)
{
	const char *text = json_string_value(limit_member(line, json_str(rule, "text", NULL)));

	if (kind == LIMIT_NONE && text != NULL && judge_words(c, text, true, &kind, err) < 0)
		return -1;
	if (kind == LIMIT_OK)
		found_clear(found);
	else if (kind != LIMIT_NONE)
		found_set(
		    c, found, kind, text == NULL ? "" : text, event_resets(c, rule, line));
	return 0;
}

static int
judge_object(const struct limit_case *c, const char *text, struct limit_found *found,
    bool *is_object, struct err *err)
{
	AUTO_JSON *line = *text == '{' ? json_parse(text, strlen(text), "output", NULL) : NULL;
	const json_t *rule;
	enum limit_kind kind;

	*is_object = json_is_object(line);
	if (!*is_object)
		return 0;
	for (size_t i = 0; (rule = limit_rules_event(c->rules, i, &kind)) != NULL; i++)
		if (fits(line, json_object_get(rule, "where")) &&
		    judge_event(c, rule, kind, line, found, err) < 0)
			return -1;
	return 0;
}

/* ---- all of it ----------------------------------------------------------------------- */

static bool
is_echo(const struct limit_case *c, const char *line)
{
	AUTO_BUF words = BUF_INIT;

	text_strip(&words, line, strlen(line));
	return c->prompt != NULL && c->prompt->len > 0 && words.len > 0 &&
	       memmem(c->prompt->data, c->prompt->len, words.data, words.len) != NULL;
}

static int
judge_stream(
    const struct limit_case *c, bool is_stderr, struct limit_found *found, struct err *err)
{
	struct limit_found text = {.text = BUF_INIT};
	struct last_lines l;
	int rc = 0;

	lines_last(is_stderr ? c->err : c->out, &l);
	for (size_t i = 0; i < l.n && rc == 0; i++) {
		enum limit_kind kind = LIMIT_NONE;
		bool is_object;

		rc = judge_object(c, l.line[i], found, &is_object, err);
		if (rc < 0 || is_object || !c->failed || is_echo(c, l.line[i]))
			continue;
		rc = judge_words(c, l.line[i], is_stderr, &kind, err);
		if (kind != LIMIT_NONE)
			found_set(c, &text, kind, l.line[i], 0);
	}
	/* A JSON object is certain; plain words count only when no object says anything. */
	if (found->kind == LIMIT_NONE && text.kind != LIMIT_NONE)
		found_set(c, found, text.kind, text.text.data, text.resets);
	buf_release(&text.text);
	lines_free(&l);
	return rc;
}

int
limit_judge(const struct limit_case *c, struct limit_found *found, struct err *err)
{
	found_clear(found);
	if (judge_stream(c, false, found, err) < 0 ||
	    (found->kind == LIMIT_NONE && judge_stream(c, true, found, err) < 0))
		return -1;
	return 0;
}

int
limit_judge_text(
    const struct limit_case *c, const char *text, struct limit_found *found, struct err *err)
{
	enum limit_kind kind;

	found_clear(found);
	if (judge_words(c, text, true, &kind, err) < 0)
		return -1;
	if (kind != LIMIT_NONE)
		found_set(c, found, kind, text, 0);
	return 0;
}
