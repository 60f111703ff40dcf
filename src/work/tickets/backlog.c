#include "work/tickets/backlog.h"
#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "work/tickets/entries.h"
#include "work/tickets/project.h"
#include <errno.h>
#include <fcntl.h>

/* ---- opening ------------------------------------------------------------------------- */

/* "<before> '<what>' <after>", with a code; always NULL. */
static void *
fail_about(struct err *err, int code, const char *before, const char *what, const char *after)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, what);
	(void)err_code(err, code, "%s %s %s", before, shown.data, after);
	return NULL;
}

char *
backlog_find_dir(const char *from, struct err *err)
{
	const char *set = getenv("TICKETS_DIR");
	AUTO_FREE char *at = fs_absolute(from);
	AUTO_FREE char *root = NULL;
	AUTO_FREE char *dir = NULL;
	struct stat st;

	if (set != NULL && *set != '\0') {
		dir = *set == '/' ? xstrdup(set) : xasprintf("%s/%s", at, set);
		if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))
			return take_ptr(dir);
		return fail_about(err, ENOENT, "tickets directory", set, "does not exist");
	}
	root = project_nearest(at, (const char *const[]){".tickets/", NULL});
	if (root != NULL)
		return xasprintf("%s/.tickets", strcmp(root, "/") == 0 ? "" : root);
	(void)err_code(
	    err, ENOENT, "no .tickets directory found (searched parent directories)");
	return NULL;
}

static DIR *
backlog_dir_open(const char *path, struct err *err)
{
	AUTO_CLOSE int fd = fs_open_dir(AT_FDCWD, path, err);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir != NULL)
		(void)take_fd(&fd);
	else if (fd >= 0)
		err_errno(err, "cannot list %s", path);
	return dir;
}

struct backlog *
backlog_open(const char *dir, struct err *err)
{
	AUTO_FREE char *path = fs_absolute(dir);
	DIR *d = backlog_dir_open(path, err);
	struct backlog *b;

	if (d == NULL)
		return NULL;
	b = xcalloc(1, sizeof(*b));
	b->path = take_ptr(path);
	b->dir = d;
	buf_init(&b->text);
	buf_init(&b->notes);
	return b;
}

void
backlog_close(struct backlog *b)
{
	if (b == NULL)
		return;
	for (size_t i = 0; i < b->n; i++)
		entry_free(b->entries[i]);
	for (size_t i = 0; i < b->settled.cap; i++)
		if (b->settled.slots[i].key != NULL)
			free(b->settled.slots[i].value);
	strmap_release(&b->files);
	strmap_release(&b->ids);
	strmap_release(&b->settled);
	closedir(b->dir);
	free(b->entries);
	free(b->all);
	free(b->ready);
	free(b->blocked);
	free(b->path);
	buf_release(&b->text);
	buf_release(&b->notes);
	free(b);
}

int
backlog_dirfd(const struct backlog *b)
{
	return dirfd(b->dir);
}

/* Follows the directory when a checkout has put another one in its place; the old one would be
 * empty. */
static int
dir_follow(struct backlog *b, struct err *err)
{
	struct stat there, ours;
	DIR *dir;

	if (stat(b->path, &there) < 0 || fstat(dirfd(b->dir), &ours) < 0)
		return err_errno(err, "cannot look at %s", b->path);
	if (there.st_dev == ours.st_dev && there.st_ino == ours.st_ino) {
		rewinddir(b->dir);
		return 0;
	}
	dir = backlog_dir_open(b->path, err);
	if (dir == NULL)
		return -1;
	closedir(b->dir);
	b->dir = dir;
	return 0;
}

/* ---- reading ------------------------------------------------------------------------- */

static struct entry *
backlog_entry_add(struct backlog *b, const char *file)
{
	size_t len = strlen(file) + 1;
	struct entry *e = xcalloc(1, sizeof(*e) + len);

	memcpy(e->file, file, len);
	e->t.status = TICKET_UNKNOWN;
	b->entries = xgrow(b->entries, b->n, &b->cap, sizeof(struct entry *));
	b->entries[b->n++] = e;
	(void)strmap_put(&b->files, e->file, e);
	b->changed = true;
	return e;
}

static int
backlog_visit(struct backlog *b, const char *file, struct err *err)
{
	struct entry *e = strmap_get(&b->files, file);
	struct entry_key key;
	struct stat st;

	if (e == NULL) {
		e = backlog_entry_add(b, file);
	} else if (fstatat(dirfd(b->dir), file, &st, 0) == 0) {
		key = entry_key_of(&st);
		e->seen = b->round;
		if (e->steady && entry_key_same(&key, &e->key))
			return 0;
		e->key = key;
		e->steady = false; /* until it has been read */
	} else if (errno == ENOENT &&
		   fstatat(dirfd(b->dir), file, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		return 0; /* removed since it was listed */
	} else if (e->bad != NULL && e->steady) {
		e->seen = b->round; /* a link that leads nowhere still stands there */
		return 0;
	}
	e->seen = b->round;
	return entry_read(b, e, err);
}

static bool
is_ticket_file(const char *file)
{
	size_t len = strlen(file);

	return file[0] != '.' && len > 3 && strcmp(file + len - 3, ".md") == 0;
}

/* ---- indices ------------------------------------------------------------------------- */

static int
by_file(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	return strcmp((*x)->file, (*y)->file);
}

static void
backlog_note(struct backlog *b, const struct entry *e, const char *text)
{
	text_show(&b->notes, e->file, strlen(e->file), false);
	buf_adds(&b->notes, ": ");
	text_show(&b->notes, text, strlen(text), false);
	buf_addc(&b->notes, '\n');
}

static void
note_shadow(struct backlog *b, const struct entry *e, const struct entry *shadowed)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "does not count: its id is also that of ");
	text_quote(&text, e->file);
	backlog_note(b, shadowed, text.data);
}

/* Which of two files with one id counts?  The file named after the id, else the later one. */
static bool
goes_before(const struct entry *old, const struct entry *e)
{
	return strcmp(old->t.name, old->t.id) == 0 && strcmp(e->t.name, e->t.id) != 0;
}

static void
reindex(struct backlog *b)
{
	if (!b->changed)
		return;
	qsort(b->entries, b->n, sizeof(struct entry *), by_file);
	strmap_clear(&b->files);
	strmap_clear(&b->ids);
	for (size_t i = 0; i < b->n; i++) {
		struct entry *e = b->entries[i], *old;

		e->index = i;
		e->shadowed = false;
		(void)strmap_put(&b->files, e->file, e);
		if (e->fresh && (e->bad != NULL || e->t.differs != NULL))
			backlog_note(b, e, e->bad != NULL ? e->bad : e->t.differs);
		if (!entry_is_ticket(e))
			continue;
		e->settled = strmap_get(&b->settled, e->t.id) != NULL;
		old = strmap_get(&b->ids, e->t.id);
		if (old != NULL && goes_before(old, e)) {
			struct entry *other = e;

			e = old;
			old = other;
		} else {
			(void)strmap_put(&b->ids, e->t.id, e);
		}
		if (old != NULL) {
			old->shadowed = true;
			if (old->fresh || e->fresh)
				note_shadow(b, e, old);
		}
	}
	for (size_t i = 0; i < b->n; i++)
		b->entries[i]->fresh = false;
	b->changed = false;
	b->listed = false;
}

static void
drop_unseen(struct backlog *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (b->entries[i]->seen == b->round) {
			b->entries[kept++] = b->entries[i];
			continue;
		}
		entry_free(b->entries[i]);
		b->changed = true;
	}
	b->n = kept;
}

int
backlog_refresh(struct backlog *b, struct err *err)
{
	const struct dirent *d;
	int rc = 0;

	if (dir_follow(b, err) < 0)
		return -1;
	b->round++;
	while (rc == 0 && (errno = 0, d = readdir(b->dir)) != NULL)
		if (is_ticket_file(d->d_name))
			rc = backlog_visit(b, d->d_name, err);
	if (rc == 0 && errno != 0)
		rc = err_errno(err, "cannot list %s", b->path);
	if (rc == 0)
		drop_unseen(b);
	reindex(b);
	return rc;
}

int
backlog_refresh_only(struct backlog *b, const char *name, struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s.md", name);
	struct stat st;
	int rc;

	if (strchr(name, '/') != NULL || !is_ticket_file(file) ||
	    fstatat(dirfd(b->dir), file, &st, 0) < 0)
		return 0;
	b->round++;
	rc = backlog_visit(b, file, err);
	reindex(b);
	return rc < 0 ? -1 : 1;
}

void
backlog_notes(struct backlog *b, struct buf *out)
{
	buf_add(out, b->notes.data, b->notes.len);
	buf_clear(&b->notes);
}

void
backlog_settle(struct backlog *b, const char *id)
{
	struct entry *e = strmap_get(&b->ids, id);
	char *own;

	if (strmap_get(&b->settled, id) != NULL)
		return;
	own = xstrdup(id);
	(void)strmap_put(&b->settled, own, own);
	if (e != NULL)
		e->settled = true;
	b->listed = false;
}

bool
backlog_is_settled(const struct backlog *b, const char *id)
{
	return strmap_get(&b->settled, id) != NULL;
}

/* ---- questions ----------------------------------------------------------------------- */

bool
backlog_is_closed(const struct backlog *b, const char *id)
{
	const struct entry *e = strmap_get(&b->ids, id);

	return e != NULL ? entry_is_closed(e) : strmap_get(&b->settled, id) != NULL;
}

static bool
backlog_is_number(const char *s)
{
	return *s != '\0' && s[strspn(s, "0123456789")] == '\0';
}

/* tk sorts with awk, for which 9 comes before 10 when both are numbers. */
static int
compare_ids(const char *a, const char *b)
{
	if (backlog_is_number(a) && backlog_is_number(b)) {
		const char *x = a + strspn(a, "0"), *y = b + strspn(b, "0");
		size_t m = strlen(x), n = strlen(y);

		if (m != n)
			return m < n ? -1 : 1;
		if (strcmp(x, y) != 0)
			return strcmp(x, y);
	}
	return strcmp(a, b);
}

static int
by_priority(const void *a, const void *b)
{
	const struct ticket *const *x = a, *const *y = b;

	if ((*x)->priority != (*y)->priority)
		return (*x)->priority < (*y)->priority ? -1 : 1;
	return compare_ids((*x)->id, (*y)->id);
}

static bool
backlog_is_blocked(const struct backlog *b, const struct ticket *t)
{
	for (size_t i = 0; t->deps[i] != NULL; i++)
		if (!backlog_is_closed(b, t->deps[i]))
			return true;
	return false;
}

static void
lists_make(struct backlog *b)
{
	if (b->listed)
		return;
	b->all = xreallocarray(b->all, b->n + 1, sizeof(struct ticket *));
	b->ready = xreallocarray(b->ready, b->n + 1, sizeof(struct ticket *));
	b->blocked = xreallocarray(b->blocked, b->n + 1, sizeof(struct ticket *));
	b->nall = b->nready = b->nblocked = 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct entry *e = b->entries[i];

		if (entry_is_ticket(e))
			b->all[b->nall++] = &e->t;
		if (!entry_is_open(e))
			continue;
		if (backlog_is_blocked(b, &e->t))
			b->blocked[b->nblocked++] = &e->t;
		else
			b->ready[b->nready++] = &e->t;
	}
	qsort(b->ready, b->nready, sizeof(struct ticket *), by_priority);
	qsort(b->blocked, b->nblocked, sizeof(struct ticket *), by_priority);
	b->listed = true;
}

size_t
backlog_all(struct backlog *b, const struct ticket *const **out)
{
	lists_make(b);
	*out = b->all;
	return b->nall;
}

size_t
backlog_ready(struct backlog *b, const struct ticket *const **out)
{
	lists_make(b);
	*out = b->ready;
	return b->nready;
}

size_t
backlog_blocked(struct backlog *b, const struct ticket *const **out)
{
	lists_make(b);
	*out = b->blocked;
	return b->nblocked;
}

const struct ticket *
backlog_find(const struct backlog *b, const char *id)
{
	const struct entry *e = strmap_get(&b->ids, id);

	return e != NULL ? &e->t : NULL;
}

const struct ticket *
backlog_match(const struct backlog *b, const char *partial, struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s.md", partial);
	const struct entry *found = strmap_get(&b->files, file);

	if (found == NULL && *partial != '\0') {
		size_t len = strlen(partial);

		for (size_t i = 0; i < b->n; i++) {
			const char *name = b->entries[i]->file;

			if (memmem(name, strlen(name) - 3, partial, len) == NULL)
				continue;
			if (found != NULL)
				return fail_about(err, EEXIST, "ambiguous ID", partial,
				    "matches multiple tickets");
			found = b->entries[i];
		}
	}
	if (found == NULL || (!entry_is_ticket(found) && found->bad == NULL))
		return fail_about(err, ENOENT, "ticket", partial, "not found");
	if (found->bad == NULL)
		return &found->t;
	(void)err_code(err, EBADMSG, "%s %s", found->file, found->bad);
	return NULL;
}
