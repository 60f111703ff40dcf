/*
 * todo_context.c - the files that go with a task's prompt.
 */
#include "work/todo/todo_prompt.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#define BINARY_LOOK 8000 /* bytes, as git does */
#define PATH_LONGEST 1024

struct context {
	const char *root;
	char *real_root;
	char **seen; /* real paths */
	size_t nfiles;
	size_t left; /* bytes */
	struct buf *out;
};

static void
heading(struct context *c, const char *path)
{
	buf_adds(c->out, "### ");
	text_show(c->out, path, strlen(path), false);
	buf_addc(c->out, '\n');
}

static void
leave_out(struct context *c, const char *path, const char *why)
{
	heading(c, path);
	buf_addf(c->out, "(left out: %s)\n\n", why);
}

/* ---- one file ------------------------------------------------------------------------ */

/* The real path of a file of the project; NULL: none, and *why says why. */
static char *
todo_context_place(const struct context *c, const char *path, const char **why)
{
	AUTO_FREE char *joined =
	    *path == '/' ? xstrdup(path) : xasprintf("%s/%s", c->root, path);
	AUTO_FREE char *real = NULL;
	size_t len = c->real_root != NULL ? strlen(c->real_root) : 0;

	*why = "it cannot be found";
	if (len == 0 || strlen(path) > PATH_LONGEST)
		return NULL;
	real = realpath(joined, NULL);
	if (real == NULL)
		return NULL;
	*why = "it is outside the project";
	if (strcmp(c->real_root, "/") != 0 &&
	    (strncmp(real, c->real_root, len) != 0 || real[len] != '/'))
		return NULL;
	return take_ptr(real);
}

static bool
was_seen(struct context *c, const char *real)
{
	if (strlist_has(c->seen, real))
		return true;
	c->seen = strlist_add(c->seen, real);
	return false;
}

/* Reads the first bytes of a regular file; its size goes to *size. */
static const char *
read_head(const char *real, size_t max, struct buf *out, int64_t *size)
{
	AUTO_CLOSE int fd =
	    open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st) < 0)
		return "it cannot be read";
	if (!S_ISREG(st.st_mode))
		return "it is no regular file";
	*size = st.st_size;
	buf_reserve(out, max + 1);
	while (out->len < max && n != 0) {
		n = read(fd, out->data + out->len, max - out->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return "it cannot be read";
		out->len += (size_t)n;
	}
	out->data[out->len] = '\0';
	if (memchr(out->data, '\0', out->len < BINARY_LOOK ? out->len : BINARY_LOOK) != NULL)
		return "it is no text";
	return NULL;
}

/* Returns the length of a fence that nothing in the text can close. */
static size_t
fence_for(const struct buf *text)
{
	size_t longest = 2, run = 0;

	for (size_t i = 0; i < text->len; i++) {
		run = text->data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest + 1;
}

static void
add_fence(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_addc(out, '`');
	buf_addc(out, '\n');
}

/* Adds the text as valid UTF-8 without NUL; a character that was cut goes. */
static void
todo_context_add_text(struct buf *out, const struct buf *text, bool cut)
{
	const char *p = text->data, *end = p + text->len;
	uint32_t cp;

	while (p < end) {
		size_t n = utf8_decode(p, (size_t)(end - p), &cp);

		if (n == 0 && cut && end - p < 4)
			break;
		if (n == 0 || cp == 0)
			buf_addrune(out, 0xFFFD);
		else
			buf_add(out, p, n);
		p += n > 0 ? n : 1;
	}
	if (out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
}

static void
todo_context_add_file(struct context *c, const char *path, const char *real)
{
	size_t max = c->left < CONTEXT_FILE_MAX ? c->left : CONTEXT_FILE_MAX;
	AUTO_BUF text = BUF_INIT;
	const char *why = NULL;
	int64_t size = 0;
	size_t fence;

	if (c->nfiles == CONTEXT_FILES || max == 0)
		why = "there are too many, read it yourself";
	else
		why = read_head(real, max, &text, &size);
	if (why != NULL) {
		leave_out(c, path, why);
		return;
	}
	c->nfiles++;
	c->left -= text.len;
	heading(c, path);
	if (size > (int64_t)text.len)
		buf_addf(c->out, "(the first %zu of %" PRId64 " bytes)\n", text.len, size);
	fence = fence_for(&text);
	add_fence(c->out, fence);
	todo_context_add_text(c->out, &text, size > (int64_t)text.len);
	add_fence(c->out, fence);
	buf_addc(c->out, '\n');
}

/* ---- which files --------------------------------------------------------------------- */

static void
add_listed(struct context *c, const json_t *list)
{
	size_t n = json_array_size(list);

	for (size_t i = 0; i < n && i < 4 * CONTEXT_FILES; i++) {
		const json_t *one = json_array_get(list, i);
		const char *path =
		    json_is_object(one) ? json_str(one, "path", NULL) : json_string_value(one);
		AUTO_FREE char *real = NULL;
		const char *why;

		if (path == NULL || *path == '\0')
			continue;
		real = todo_context_place(c, path, &why);
		if (real == NULL)
			leave_out(c, path, why);
		else if (!was_seen(c, real))
			todo_context_add_file(c, path, real);
	}
}

/* May a word of a title be the path of a file? */
static bool
is_like_path(const char *word)
{
	const char *dot = strrchr(word, '.');

	if (strlen(word) > PATH_LONGEST || strstr(word, "://") != NULL || *word == '.' ||
	    strstr(word, "/.") != NULL)
		return false;
	return strchr(word, '/') != NULL || (dot != NULL && dot[1] != '\0');
}

/* "src/a.c:12," names src/a.c. */
static void
strip(char *word)
{
	size_t len = strlen(word);
	char *colon;

	while (len > 0 && strchr(".,;:!?", word[len - 1]) != NULL)
		word[--len] = '\0';
	colon = strchr(word, ':');
	if (colon != NULL && colon[1 + strspn(colon + 1, "0123456789:")] == '\0')
		*colon = '\0';
}

/* Adds the files that the title names.  A file that does not exist may be the one that the task
 * shall make. */
static void
add_named(struct context *c, const char *title)
{
	AUTO_FREE char *copy = xstrdup(title);
	char *rest = copy, *word;

	while ((word = strsep(&rest, " \t\"'`()[]{}<>,;|")) != NULL) {
		AUTO_FREE char *real = NULL;
		const char *why;
		struct stat st;

		strip(word);
		if (!is_like_path(word))
			continue;
		real = todo_context_place(c, word, &why);
		if (real != NULL && stat(real, &st) == 0 && S_ISREG(st.st_mode) &&
		    !was_seen(c, real))
			todo_context_add_file(c, word, real);
	}
}

void
todo_context(const struct todo_brief *b, struct buf *out)
{
	struct context c = {.root = b->root, .left = CONTEXT_MAX, .out = out};

	c.real_root = realpath(b->root, NULL);
	add_listed(&c, json_object_get(b->meta, "contextFiles"));
	add_named(&c, b->title);
	free(c.real_root);
	strlist_free(c.seen);
}
