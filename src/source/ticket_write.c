#include "source/ticket.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "source/front.h"
#include "source/writing.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#define LOCK_WAIT (10 * NSEC_PER_SEC)
#define LOCK_STEP 2000 /* us */

/* A file between reading and writing, with the directory locked. */
struct edit {
	int dirfd, lock;
	char *file;
	mode_t mode;
	struct buf text;
	struct front front;
};

/* The holder needs milliseconds; one that was stopped in the middle must not stop us for ever.
 */
static int
lock_wait(int fd, struct err *err)
{
	int64_t until = clock_boot() + LOCK_WAIT;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		/* File systems on a network may have no lock for a directory; nor has tk. */
		if (errno == EBADF || errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL)
			return 0;
		if (errno != EWOULDBLOCK || clock_boot() > until)
			return err_errno(err, "cannot lock the tickets");
		usleep(LOCK_STEP);
	}
	return 0;
}

int
tickets_lock(int dirfd, struct err *err)
{
	AUTO_CLOSE int fd = fs_open_dir(dirfd, ".", err);

	if (fd < 0 || lock_wait(fd, err) < 0)
		return -1;
	/* Or `git add -A` would find what a killed writer has left. */
	if (fs_sweep(fd, err) < 0)
		return -1;
	return take_fd(&fd);
}

static void
edit_end(struct edit *e)
{
	auto_close_fn(&e->lock);
	free(e->file);
	buf_release(&e->text);
}

static int
edit_begin(struct edit *e, int dirfd, const char *name, struct err *err)
{
	struct stat st;

	*e = (struct edit){.dirfd = dirfd, .file = xasprintf("%s.md", name), .text = BUF_INIT};
	e->lock = tickets_lock(dirfd, err);
	if (e->lock < 0 || ticket_text(dirfd, name, &e->text, err) < 0) {
		edit_end(e);
		return -1;
	}
	if (front_find(e->text.data, e->text.len, &e->front, err) < 0) {
		err_prefix(err, "%s", e->file);
		edit_end(e);
		return -1;
	}
	e->mode = fstatat(dirfd, e->file, &st, 0) == 0 ? st.st_mode & 0777 : 0600;
	return 0;
}

static int
edit_write(struct edit *e, const struct buf *text, struct err *err)
{
	if (fs_replace(e->dirfd, e->file, text->data, text->len, FS_SYNC, err) < 0)
		return -1;
	if (fchmodat(e->dirfd, e->file, e->mode, 0) < 0)
		return err_errno(err, "cannot set the mode of %s", e->file);
	return 0;
}

/* Writes the file with the field's lines replaced; one that is missing becomes the first. */
static int
edit_field(struct edit *e, enum front_key key, const char *value, struct err *err)
{
	struct span old = e->front.fields[key].lines;
	const char *data = e->text.data, *end = data + e->text.len;
	AUTO_BUF text = BUF_INIT;

	if (old.p == NULL)
		old = (struct span){e->front.first, 0};
	buf_reserve(&text, e->text.len + strlen(value) + 64);
	buf_add(&text, data, (size_t)(old.p - data));
	buf_addf(&text, "%s: %s%s", front_key_name(key), value, e->front.eol);
	buf_add(&text, old.p + old.len, (size_t)(end - old.p) - old.len);
	return edit_write(e, &text, err);
}

int
ticket_set_status(int dirfd, const char *name, enum ticket_status status, struct err *err)
{
	struct edit e;
	struct span old;
	const char *word = ticket_status_name(status);
	int rc = 0;

	ENSURE(status < TICKET_UNKNOWN);
	if (edit_begin(&e, dirfd, name, err) < 0)
		return -1;
	old = e.front.fields[FRONT_STATUS].value;
	if (old.p == NULL || old.len != strlen(word) || memcmp(old.p, word, old.len) != 0)
		rc = edit_field(&e, FRONT_STATUS, word, err);
	edit_end(&e);
	return rc;
}

/* Do both say the same, however it is written? */
static bool
field_is_same(const struct front *a, const struct front *b, enum front_key key)
{
	struct span x = span_trim(a->fields[key].value), y = span_trim(b->fields[key].value);
	AUTO_FREE char *one = xmalloc(x.len + 1);
	AUTO_FREE char *two = xmalloc(y.len + 1);
	size_t n = front_scalar(x, one), m = front_scalar(y, two);

	return n == m && memcmp(one, two, n) == 0;
}

int
ticket_keep_status(const struct buf *before, const struct buf *after, struct buf *out)
{
	struct front was, is;
	struct span from, to;

	if (front_find(before->data, before->len, &was, NULL) < 0)
		return 0;
	if (after == NULL || front_find(after->data, after->len, &is, NULL) < 0 ||
	    !field_is_same(&was, &is, FRONT_ID)) {
		buf_add(out, before->data, before->len);
		return 1;
	}
	if (field_is_same(&was, &is, FRONT_STATUS))
		return 0;
	from = was.fields[FRONT_STATUS].lines;
	to = is.fields[FRONT_STATUS].lines;
	if (to.p == NULL)
		to = (struct span){is.first, 0};
	buf_add(out, after->data, (size_t)(to.p - after->data));
	if (from.p != NULL)
		buf_add(out, from.p, from.len);
	buf_add(out, to.p + to.len, (size_t)(after->data + after->len - to.p) - to.len);
	return 1;
}

/* ---- lists --------------------------------------------------------------------------- */

void
list_add_item(struct buf *out, const char *item)
{
	buf_adds(out, out->len > 1 ? ", " : "");
	if (strpbrk(item, " \t,[]\"'#") == NULL) {
		buf_adds(out, item);
		return;
	}
	buf_addc(out, '"');
	for (; *item != '\0'; item++) {
		if (*item == '"' || *item == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *item);
	}
	buf_addc(out, '"');
}

bool
is_one_line(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return false;
	return true;
}

/* Appends the list with the item added or left out; true when that is a change. */
static bool
list_change(const struct front_field *f, const char *item, bool add, struct buf *out)
{
	AUTO_FREE char *text = xmalloc(f->value.len + 1);
	struct span rest = f->value;
	bool found = false;
	size_t len;

	buf_addc(out, '[');
	while (rest.len > 0 && front_item(f, &rest, text, &len)) {
		text[len] = '\0';
		if (strcmp(text, item) == 0) {
			found = true;
			if (!add)
				continue;
		}
		list_add_item(out, text);
	}
	if (add && !found)
		list_add_item(out, item);
	buf_addc(out, ']');
	return found != add;
}

static int
list_edit(int dirfd, const char *name, enum ticket_list list, const char *item, bool add,
    struct err *err)
{
	enum front_key key = list == TICKET_DEPS ? FRONT_DEPS : FRONT_LINKS;
	AUTO_BUF value = BUF_INIT;
	struct edit e;
	int rc = 0;

	if (!is_one_line(item) || *item == '\0')
		return err_set(err, "that id cannot stand in a list");
	if (edit_begin(&e, dirfd, name, err) < 0)
		return -1;
	if (list_change(&e.front.fields[key], item, add, &value))
		rc = edit_field(&e, key, value.data, err) < 0 ? -1 : 1;
	edit_end(&e);
	return rc;
}

int
ticket_list_add(
    int dirfd, const char *name, enum ticket_list list, const char *item, struct err *err)
{
	return list_edit(dirfd, name, list, item, true, err);
}

int
ticket_list_remove(
    int dirfd, const char *name, enum ticket_list list, const char *item, struct err *err)
{
	return list_edit(dirfd, name, list, item, false, err);
}

/* ---- notes --------------------------------------------------------------------------- */

void
tickets_now(struct buf *out)
{
	time_t now = (time_t)(clock_wall() / NSEC_PER_SEC);
	char text[32];
	struct tm tm;

	if (gmtime_r(&now, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		BUG("the time has no text");
	buf_adds(out, text);
}

static bool
has_notes(const struct front *front, const char *end)
{
	const char *p = front->body;
	struct span line;

	while (front_line(&p, end, &line))
		if (line.len >= 8 && memcmp(line.p, "## Notes", 8) == 0)
			return true;
	return false;
}

int
ticket_add_note(int dirfd, const char *name, const char *note, size_t len, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct edit e;
	const char *eol;
	int rc;

	if (edit_begin(&e, dirfd, name, err) < 0)
		return -1;
	eol = e.front.eol;
	buf_add(&text, e.text.data, e.text.len);
	if (text.data[text.len - 1] != '\n')
		buf_adds(&text, eol);
	if (!has_notes(&e.front, e.text.data + e.text.len))
		buf_addf(&text, "%s## Notes%s", eol, eol);
	buf_addf(&text, "%s**", eol);
	tickets_now(&text);
	buf_addf(&text, "**%s%s", eol, eol);
	buf_add(&text, note, len);
	buf_adds(&text, eol);
	rc = edit_write(&e, &text, err);
	edit_end(&e);
	return rc;
}
