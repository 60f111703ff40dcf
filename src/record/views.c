/*
 * views.c - what the views of a run over tickets share.
 */
#include "record/views.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/words.h"
#include <errno.h>
#include <fcntl.h>

size_t
view_count(const struct run_view *v, bool failed)
{
	size_t n = 0;

	for (size_t i = 0; i < v->noutcomes; i++)
		n += v->outcomes[i].failed == failed;
	return n;
}

size_t
view_active(const struct run_view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nsessions; i++)
		n += v->sessions[i].status == VIEW_ACTIVE;
	return n;
}

void
view_time(int64_t wall, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;

	clock_fmt_rfc3339(wall, &text);
	buf_truncate(&text, text.len - strlen(".123Z"));
	buf_addf(out, "%sZ", text.data);
}

static bool
views_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Appends the words of the text, with one space for all that separates two words. */
static void
views_add_words(struct buf *out, const char *text, size_t max)
{
	size_t first = out->len;

	for (; *text != '\0'; text++) {
		if (!views_is_blank(*text))
			buf_addc(out, *text);
		else if (out->len > first && out->data[out->len - 1] != ' ')
			buf_addc(out, ' ');
		if (out->len - first > max)
			break;
	}
	if (*text != '\0') {
		/* Not within a character. */
		size_t cut = first + max;

		while (cut > first && ((unsigned char)out->data[cut] & 0xC0) == 0x80)
			cut--;
		buf_truncate(out, cut);
		buf_adds(out, "...");
	}
	while (out->len > first && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
}

void
view_line(const char *text, size_t max, struct buf *out)
{
	AUTO_BUF words = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;

	views_add_words(&words, text, max);
	text_show(&shown, words.data, words.len, false);
	for (const char *p = shown.data; *p != '\0'; p++) {
		/* A comment would hide everything up to the next one's end. */
		if (strncmp(p, "<!--", 4) == 0)
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
}

char *
view_place(const struct run_view *v, const struct view_session *s)
{
	if (s->place != NULL)
		return xstrdup(s->place);
	if (!v->settings->worktrees || v->settings->worktrees_dir == NULL ||
	    !name_is_valid(s->ticket))
		return NULL;
	return xasprintf("%s/%s", v->settings->worktrees_dir, s->ticket);
}

void
view_reason(const struct view_session *s, struct buf *out)
{
	buf_adds(out, verdict_name(s->verdict));
	if (s->verdict == VERDICT_FAILED && s->exit.how != EXIT_UNKNOWN) {
		buf_adds(out, " (");
		words_cause(s->verdict, s->exit, out);
		buf_addc(out, ')');
	}
	if (s->text[0] != '\0') {
		buf_adds(out, ": ");
		view_line(s->text, sizeof(s->text), out);
	}
}

bool
view_is_over(const struct run_view *v)
{
	return v->finished && !end_reason_asked(v->reason) &&
	       end_reason_by(v->reason) != BY_SOURCE;
}

int
view_dir(const char *root, const char *path, struct err *err)
{
	AUTO_CLOSE int project = fs_open_dir(AT_FDCWD, root, err);
	struct err why = ERR_INIT;
	int fd;

	if (project < 0)
		return -1;
	fd = fs_open_dir(project, path, &why);
	if (fd < 0 && why.code != ENOENT && err != NULL)
		*err = why;
	if (fd >= 0 || why.code != ENOENT)
		return fd;
	for (size_t len = strcspn(path, "/");; len += 1 + strcspn(path + len + 1, "/")) {
		AUTO_FREE char *part = xstrndup(path, len);

		if (fs_mkdir(project, part, err) < 0)
			return -1;
		if (path[len] == '\0')
			return fs_open_dir(project, path, err);
	}
}

int
view_read(int dir, const char *name, struct buf *out, struct err *err)
{
	struct err why = ERR_INIT;

	if (fs_read(dir, name, VIEW_MAX, out, &why) == 0) {
		if (memchr(out->data, '\0', out->len) == NULL)
			return 0;
		/* A file that is no text stays, whatever it is, but under another name. */
		buf_clear(out);
		return fs_move_aside(dir, name, NULL, err);
	}
	if (why.code == ENOENT)
		return 0;
	return err_pass(err, &why);
}
