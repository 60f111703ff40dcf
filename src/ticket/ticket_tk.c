/*
 * ticket_tk.c - reads a file line by line as tk does: every line "---" opens or closes front
 * matter, however often; in front matter, a field is the text between the first ": " of its
 * line and the second; lists lose their brackets and all blanks and are split at commas; the
 * title is the first line "# ..." outside of front matter, and the lists of tickets cut it at a
 * '|'.
 */
#include "base/text.h"
#include "ticket/front.h"
#include "ticket/ticket.h"
#include <inttypes.h>

struct tk_view {
	struct span fields[FRONT_COUNT];
	struct span title;
};

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

static struct tk_view
tk_read(const char *data, size_t len)
{
	const char *p = data, *end = data + len;
	struct tk_view v = {.title = {NULL, 0}};
	struct span line;
	bool front = false;
	int key;

	while (front_line(&p, end, &line)) {
		if (line.len == 3 && memcmp(line.p, "---", 3) == 0)
			front = !front;
		else if (front && (key = front_key_find(line)) >= 0)
			v.fields[key] = second_field(line);
		else if (!front && v.title.len == 0 && line.len >= 2 &&
			 memcmp(line.p, "# ", 2) == 0)
			v.title = (struct span){line.p + 2, line.len - 2};
	}
	return v;
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
	size_t len = text != NULL ? strlen(text) : 0;

	if (s.len != len || (len > 0 && memcmp(s.p, text, len) != 0))
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
	const struct tk_view v = tk_read(data, len);
	const struct span *f = v.fields;
	char priority[32];

	if (f[FRONT_ID].len == 0) {
		say_unseen(why, data, len);
		return;
	}
	snprintf(priority, sizeof(priority), "%" PRId64, t->priority);
	compare_scalar(why, "id", before_bar(f[FRONT_ID]), t->id);
	compare_scalar(why, "status", f[FRONT_STATUS], t->word);
	compare_list(why, "deps", f[FRONT_DEPS], t->deps);
	if (f[FRONT_PRIORITY].len > 0 || t->priority != TICKET_PRIORITY)
		compare_scalar(why, "priority", f[FRONT_PRIORITY], priority);
	compare_scalar(why, "title", before_bar(v.title), t->title);
	compare_list(why, "tags", f[FRONT_TAGS], t->tags);
	compare_list(why, "links", f[FRONT_LINKS], t->links);
	compare_scalar(why, "assignee", f[FRONT_ASSIGNEE], t->assignee);
	compare_scalar(why, "parent", f[FRONT_PARENT], t->parent);
}
