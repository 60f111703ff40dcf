#include "record/view.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/journal.h"
#include <errno.h>
#include <fcntl.h>

/* ---- the views of a loop --------------------------------------------------------------- */

static void
views_tell(struct view *const *list, size_t n, const struct decided *d)
{
	for (size_t i = 0; i < d->n; i++)
		for (size_t k = 0; k < n; k++)
			if (list[k]->ops->fact != NULL && (!d->past || list[k]->ops->past))
				list[k]->ops->fact(list[k], d, &d->facts[i]);
}

/* The views that hear of the past, and the loop's state after it. */
struct replay {
	const struct views *views;
	size_t from;
	const struct view_of *of;
};

static void
views_on_old_fact(void *ctx, const struct fact *f)
{
	const struct replay *r = ctx;

	views_tell(r->views->list + r->from, r->views->n - r->from,
	    &(struct decided){
		.loop = r->of->loop, .facts = f, .n = 1, .state = r->of->state, .past = true});
}

static void
views_shrink(struct views *v, size_t n)
{
	while (v->n > n) {
		struct view *last = v->list[--v->n];

		if (last->ops->close != NULL)
			last->ops->close(last);
	}
}

void
views_add(struct views *v, struct view *view)
{
	ENSURE(v->n < VIEWS_MAX);
	v->list[v->n++] = view;
}

int
views_open(struct views *v, const struct view_ops *const *ops, const struct view_of *of,
    int loop_dirfd, struct err *err)
{
	struct replay replay = {.views = v, .from = v->n, .of = of};
	bool past = false;

	for (; *ops != NULL; ops++) {
		struct view *one = (*ops)->open(of, err);

		if (one == NULL) {
			views_shrink(v, replay.from);
			return -1;
		}
		views_add(v, one);
		past |= (*ops)->past;
	}
	if (!past || journal_each(loop_dirfd, views_on_old_fact, &replay, err) == 0)
		return 0;
	views_shrink(v, replay.from);
	return -1;
}

void
views_fold(const struct views *v, const struct decided *d)
{
	views_tell(v->list, v->n, d);
}

struct view *
views_find(const struct views *v, const struct view_ops *ops)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->list[i]->ops == ops)
			return v->list[i];
	return NULL;
}

void
views_close(struct views *v)
{
	views_shrink(v, 0);
}

void *
view_new(size_t size, const struct view_ops *ops, const struct view_of *of)
{
	struct view *v = xcalloc(1, size);

	*v = (struct view){.ops = ops, .of = *of};
	return v;
}

/* ---- lines ----------------------------------------------------------------------------- */

static bool
view_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Appends the words of the text, with one space for all that separates two words. */
static void
view_add_words(struct buf *out, const char *text, size_t max)
{
	size_t first = out->len;

	for (; *text != '\0'; text++) {
		if (!view_is_blank(*text))
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

	view_add_words(&words, text, max);
	text_show(&shown, words.data, words.len, false);
	for (const char *p = shown.data; *p != '\0'; p++) {
		/* A comment would hide everything up to the next one's end. */
		if (strncmp(p, "<!--", 4) == 0)
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
}

void
view_field(const char *before, const char *text, size_t max, const char *after, struct buf *out)
{
	if (*text == '\0')
		return;
	buf_adds(out, before);
	view_line(text, max, out);
	buf_adds(out, after);
}

/* ---- files ----------------------------------------------------------------------------- */

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

/* A crash may have left half a line; the next one must not become part of it. */
static bool
ends_inside_line(int dir, const char *name)
{
	AUTO_CLOSE int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	char last = '\n';

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0 &&
	       pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
}

static void
keep_newest(struct buf *lines, size_t max)
{
	const char *newline;

	if (lines->len <= max)
		return;
	newline = memchr(lines->data + lines->len - max, '\n', max);
	buf_drop(lines, newline != NULL ? (size_t)(newline + 1 - lines->data) : lines->len);
}

int
view_append(int dir, const char *name, struct buf *lines, size_t max, struct err *err)
{
	AUTO_CLOSE int fd = dir < 0 ? -1 : fs_open_append(dir, name, err);
	AUTO_BUF text = BUF_INIT;

	if (fd >= 0 && ends_inside_line(dir, name))
		buf_addc(&text, '\n');
	buf_add(&text, lines->data, lines->len);
	if (fd < 0 || fs_append(fd, name, text.data, text.len, FS_NOSYNC, err) < 0) {
		keep_newest(lines, max);
		return -1;
	}
	buf_clear(lines);
	return 0;
}
