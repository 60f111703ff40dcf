/*
 * Reads a file line by line as tk does: every line "---" opens or closes front matter, however
 * often; in front matter, a field is the text between the first ": " of its line and the
 * second; lists lose their brackets and all blanks and are split at commas; the title is the
 * first line "# ..." outside of front matter, and the lists of tickets cut it at a '|'.
 */
#include "ticket/ticket_tk.h"
#include "base/text.h"
#include "ticket/front.h"

struct tk_view {
	struct span id, status, priority, assignee, parent, deps, links, tags, title;
};

static bool
ticket_tk_begins(struct span line, const char *key)
{
	size_t len = strlen(key);

	return line.len >= len && memcmp(line.p, key, len) == 0;
}

static struct span
second_field(struct span line)
{
	const char *start = memmem(line.p, line.len, ": ", 2), *stop;
	const char *end = line.p + line.len;

	if (start == NULL)
		return (struct span){line.p, 0};
	start += 2;
	stop = memmem(start, (size_t)(end - start), ": ", 2);
	return (struct span){start, (size_t)((stop != NULL ? stop : end) - start)};
}

static void
tk_field(struct tk_view *v, struct span line)
{
	const struct {
		const char *key;
		struct span *to;
	} fields[] = {
	    {"id:", &v->id},
	    {"status:", &v->status},
	    {"priority:", &v->priority},
	    {"assignee:", &v->assignee},
	    {"parent:", &v->parent},
	    {"deps:", &v->deps},
	    {"links:", &v->links},
	    {"tags:", &v->tags},
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (ticket_tk_begins(line, fields[i].key))
			*fields[i].to = second_field(line);
}

static struct tk_view
tk_read(const char *data, size_t len)
{
	const char *p = data, *end = data + len;
	struct tk_view v = {.id = {NULL, 0}};
	struct span line;
	bool front = false;

	while (front_line(&p, end, &line)) {
		if (line.len == 3 && memcmp(line.p, "---", 3) == 0)
			front = !front;
		else if (front)
			tk_field(&v, line);
		else if (v.title.len == 0 && ticket_tk_begins(line, "# "))
			v.title = (struct span){line.p + 2, line.len - 2};
	}
	return v;
}

static bool
ticket_tk_same(struct span s, const char *text)
{
	return s.len == strlen(text) && (s.len == 0 || memcmp(s.p, text, s.len) == 0);
}

/* Is it the same list when brackets and blanks are ignored? */
static bool
ticket_tk_same_list(struct span s, char *const *list)
{
	size_t at = 0; /* in *list */
	bool inside = false;

	for (size_t i = 0; i <= s.len; i++) {
		char c = i < s.len ? s.p[i] : ',';

		if (strchr("[] ", c) != NULL && c != '\0')
			continue;
		if (c != ',') {
			if (*list == NULL || (*list)[at] != c)
				return false;
			inside = true;
			at++;
		} else if (inside) {
			if ((*list)[at] != '\0')
				return false;
			list++;
			at = 0;
			inside = false;
		}
	}
	return *list == NULL;
}

static void
ticket_tk_say(struct buf *why, const char *what, struct span s)
{
	AUTO_BUF text = BUF_INIT;

	if (why->len > 0)
		buf_adds(why, "; ");
	if (s.len == 0) {
		buf_addf(why, "tk sees no %s", what);
		return;
	}
	buf_add(&text, s.p, s.len);
	buf_addf(why, "tk reads its %s as ", what);
	text_quote(why, text.data);
}

static struct span
before_bar(struct span s)
{
	const char *bar = s.len > 0 ? memchr(s.p, '|', s.len) : NULL;

	if (bar != NULL)
		s.len = (size_t)(bar - s.p);
	return s;
}

static void
compare_scalar(struct buf *why, const char *what, struct span s, const char *text)
{
	if (!ticket_tk_same(s, text != NULL ? text : ""))
		ticket_tk_say(why, what, s);
}

static void
compare_list(struct buf *why, const char *what, struct span s, char *const *list)
{
	if (!ticket_tk_same_list(s, list))
		ticket_tk_say(why, what, s);
}

static void
say_unseen(struct buf *why, const char *data, size_t len)
{
	const char *end = memchr(data, '\n', len);

	buf_adds(why, "tk does not see it");
	if (end != NULL && end > data && end[-1] == '\r')
		buf_adds(why, ": its lines end in CRLF");
	else
		buf_adds(why, ": it has no line 'id: ...' in its front matter");
}

void
ticket_tk_compare(const char *data, size_t len, const struct ticket *t, struct buf *why)
{
	struct tk_view v = tk_read(data, len);
	char priority[32];

	if (v.id.len == 0) {
		say_unseen(why, data, len);
		return;
	}
	snprintf(priority, sizeof(priority), "%lld", (long long)t->priority);
	compare_scalar(why, "id", before_bar(v.id), t->id);
	compare_scalar(why, "status", v.status, t->word);
	compare_list(why, "deps", v.deps, t->deps);
	if (v.priority.len > 0 || t->priority != TICKET_PRIORITY)
		compare_scalar(why, "priority", v.priority, priority);
	compare_scalar(why, "title", before_bar(v.title), t->title);
	compare_list(why, "tags", v.tags, t->tags);
	compare_list(why, "links", v.links, t->links);
	compare_scalar(why, "assignee", v.assignee, t->assignee);
	compare_scalar(why, "parent", v.parent, t->parent);
}
