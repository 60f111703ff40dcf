#include "base/alloc.h"
#include "base/clock.h"
#include "ticket/front.h"
#include "work/tickets/entries.h"
#include <errno.h>
#include <fcntl.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* No file system that holds a checkout has coarser times. */
#define STEADY_AFTER NSEC_PER_SEC

static void
entry_change(struct backlog *b, struct entry *e)
{
	ticket_release(&e->t);
	free(e->bad);
	e->bad = NULL;
	e->meant = e->conflict = false;
	e->fresh = true;
	b->changed = true;
}

static void
entry_spoil(struct backlog *b, struct entry *e, const char *why, bool meant)
{
	entry_change(b, e);
	e->bad = xstrdup(why);
	e->meant = meant;
	e->hash = 0;
	e->steady = true;
}

static int64_t
ns(struct timespec ts)
{
	return (int64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

struct entry_key
entry_key_of(const struct stat *st)
{
	return (struct entry_key){
	    st->st_dev, st->st_ino, st->st_size, ns(st->st_mtim), ns(st->st_ctim)};
}

bool
entry_key_same(const struct entry_key *a, const struct entry_key *b)
{
	return a->ino == b->ino && a->modified == b->modified && a->changed == b->changed &&
	       a->size == b->size && a->dev == b->dev;
}

/* Will this failure pass?  Then it says nothing about the file. */
static bool
is_passing(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOMEM || code == EIO;
}

static int
entry_read_all(struct backlog *b, int fd, size_t size)
{
	struct buf *text = &b->text;

	buf_clear(text);
	buf_reserve(text, size + 1);
	for (;;) {
		size_t room = text->cap - 1 - text->len;
		ssize_t n = read(fd, text->data + text->len, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		text->len += (size_t)n;
		text->data[text->len] = '\0';
		/* A short read is the end of a regular file. */
		if ((size_t)n < room || text->len > TICKET_MAX)
			return 0;
		buf_reserve(text, text->len);
	}
}

static void
entry_parse(struct backlog *b, struct entry *e)
{
	uint64_t hash = XXH3_64bits(b->text.data, b->text.len) | 1;
	AUTO_FREE char *name = NULL;
	struct err err = ERR_INIT;

	if (hash == e->hash)
		return;
	name = xstrndup(e->file, strlen(e->file) - 3);
	entry_change(b, e);
	e->hash = hash;
	if (ticket_parse(name, b->text.data, b->text.len, &e->t, &err) < 0)
		e->bad = xasprintf("is no ticket: %s", err.text);
	if (e->t.status == TICKET_UNKNOWN)
		e->meant = front_is_meant(b->text.data, b->text.len);
	e->conflict = front_has_conflict(b->text.data, b->text.len);
}

static int
entry_fail(struct backlog *b, struct entry *e, const char *what, struct err *err)
{
	AUTO_BUF why = BUF_INIT;

	if (is_passing(errno))
		return err_errno(err, "%s %s", what, e->file);
	buf_addf(&why, "%s it: %s", what, strerror(errno));
	entry_spoil(b, e, why.data, true);
	return 0;
}

int
entry_read(struct backlog *b, struct entry *e, struct err *err)
{
	AUTO_CLOSE int fd =
	    openat(dirfd(b->dir), e->file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return entry_fail(b, e, "cannot open", err);
	if (fstat(fd, &st) < 0)
		return entry_fail(b, e, "cannot look at", err);
	e->key = entry_key_of(&st);
	if (!S_ISREG(st.st_mode)) {
		entry_spoil(b, e, "is not a regular file", false);
		return 0;
	}
	if ((uint64_t)st.st_size <= TICKET_MAX && entry_read_all(b, fd, (size_t)st.st_size) < 0)
		return entry_fail(b, e, "cannot read", err);
	if ((uint64_t)st.st_size > TICKET_MAX || b->text.len > TICKET_MAX) {
		entry_spoil(b, e, "is larger than a ticket can be (4 MiB)", true);
		return 0;
	}
	e->steady = e->key.modified < clock_wall() - STEADY_AFTER;
	entry_parse(b, e);
	e->t.mtime = e->key.modified;
	return 0;
}

void
entry_free(struct entry *e)
{
	ticket_release(&e->t);
	free(e->bad);
	free(e);
}
