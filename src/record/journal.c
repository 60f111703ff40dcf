#include "record/journal.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "record/codec.h"
#include "record/seal.h"
#include "record/snapshot.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#define JOURNAL_FILE "journal.jsonl"
#define JOURNAL_VERSION 1
/* A line of LOOP_MAX_FACTS facts full of escaped text is a third of this. */
#define JOURNAL_LINE_MAX ((size_t)1024 * 1024)
#define JOURNAL_READ_STEP ((size_t)64 * 1024)
#define SNAPSHOT_EVERY 64
/* Space that is ours before the disk is full: then "stop" can still be written down. */
#define RESERVE ((int64_t)32 * 1024)
/* A reader may see a line while the writer repairs it; not this often in a row. */
#define READONLY_TRIES 3

struct journal {
	int dir;
	int fd; /* -1 until it is written to */
	bool readonly;
	bool torn;	  /* there may be bytes behind `end` */
	bool linked;	  /* the directory knows the file for good */
	int64_t n;	  /* lines */
	int64_t end;	  /* offset behind the last of them */
	struct buf late;  /* the last of them, as far as they may not be on disk yet */
	int64_t reserved; /* space on disk up to this offset, or as much as there was */
	int64_t snapshot; /* the last line in snapshot.json */
	int64_t snapshot_due;
};

/* ---- reading --------------------------------------------------------------- */

struct reader {
	int fd;
	int64_t offset;	 /* of what is read next */
	struct buf data; /* read, from `at` on not yet handed out */
	size_t at;
};

/* Returns how many bytes came, 0 at the end of the file. */
static ssize_t
reader_fill(struct reader *r, struct err *err)
{
	ssize_t n;

	buf_drop(&r->data, r->at);
	r->at = 0;
	buf_reserve(&r->data, JOURNAL_READ_STEP);
	do {
		n = pread(r->fd, r->data.data + r->data.len, JOURNAL_READ_STEP, r->offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_errno(err, "cannot read " JOURNAL_FILE);
	r->offset += n;
	r->data.len += (size_t)n;
	r->data.data[r->data.len] = '\0';
	return n;
}

/* 1: a line, without its newline.  0: no further newline, *len bytes are left. */
static int
reader_next(struct reader *r, const char **line, size_t *len, struct err *err)
{
	size_t searched = 0;

	for (;;) {
		const char *from = r->data.data + r->at;
		size_t there = r->data.len - r->at;
		const char *newline = memchr(from + searched, '\n', there - searched);
		ssize_t n;

		*line = from;
		*len = newline ? (size_t)(newline - from) : there;
		if (newline)
			r->at += *len + 1;
		if (*len > JOURNAL_LINE_MAX) {
			err_set(err, JOURNAL_FILE " has a line without end");
			return value_code(err, EBADMSG);
		}
		if (newline)
			return 1;
		searched = there;
		n = reader_fill(r, err);
		if (n <= 0) {
			*line = r->data.data;
			return (int)n;
		}
	}
}

static int
damage(const struct journal *j, const char *what, struct err *err)
{
	err_set(err, JOURNAL_FILE " is damaged in line %" PRId64 " (byte %" PRId64 "): %s",
	    j->n + 1, j->end, what);
	return value_code(err, EBADMSG);
}

static int
newer(const struct journal *j, const char *what, struct err *err)
{
	err_set(err, JOURNAL_FILE " was written by a newer version (line %" PRId64 "%s%s)",
	    j->n + 1, *what ? ": " : "", what);
	return value_code(err, ENOTSUP);
}

/* Before a broken line is called torn: a newer version may have sealed it otherwise. */
static bool
line_is_newer(const char *line, size_t len)
{
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, NULL);

	return json_int(obj, "v", JOURNAL_VERSION) > JOURNAL_VERSION;
}

/* Folds a whole line into the state. */
static int
line_apply(
    struct journal *j, const char *line, size_t len, struct loop_state *state, struct err *err)
{
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, NULL);
	const json_t *facts = json_object_get(obj, "facts");
	struct err why = ERR_INIT;

	if (!obj)
		return damage(j, "not JSON", err);
	if (json_int(obj, "v", JOURNAL_VERSION) > JOURNAL_VERSION)
		return newer(j, "", err);
	if (json_int(obj, "n", 0) != j->n + 1)
		return damage(j, "its number does not follow the one before", err);
	if (!json_is_array(facts))
		return damage(j, "no facts", err);
	for (size_t i = 0; i < json_array_size(facts); i++) {
		struct fact f;

		if (fact_from_json(json_array_get(facts, i), &f, &why) == 0)
			loop_apply(state, &f);
		else if (why.code == ENOTSUP)
			return newer(j, why.text, err);
		else
			return damage(j, why.text, err);
	}
	j->n++;
	j->end += (int64_t)len + 1;
	return 0;
}

/* Folds everything behind j->end.  *torn: how many bytes of a last line are no line. */
static int
replay(struct journal *j, struct reader *r, struct loop_state *state, size_t *torn,
    struct err *err)
{
	const char *line;
	size_t len, rest;
	int rc;

	*torn = 0;
	while ((rc = reader_next(r, &line, &len, err)) == 1 && seal_is_whole(line, len))
		if (line_apply(j, line, len, state, err) < 0)
			return -1;
	if (rc < 0)
		return -1;
	if (line_is_newer(line, len))
		return newer(j, "", err);
	/* A torn line is half of one line, not a whole one with something after it. */
	if (seal_begins(line, len))
		return damage(j, "something follows its end", err);
	*torn = rc == 1 ? len + 1 : len;
	/* And only the very last line can have been torn. */
	if (rc == 1 && (reader_next(r, &line, &rest, err) != 0 || rest != 0))
		return damage(j, "it does not match its checksum", err);
	return 0;
}

/* Returns -1 with code ENOENT when there is no journal yet. */
static int
open_for_reading(int dir, struct err *err)
{
	AUTO_CLOSE int fd = openat(
	    dir, JOURNAL_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "cannot open " JOURNAL_FILE);
	if (!S_ISREG(st.st_mode))
		return err_set(err, JOURNAL_FILE " is not a regular file");
	return take_fd(&fd);
}

static int
line_tell(const char *line, size_t len, journal_fact_fn *fn, void *ctx, struct err *err)
{
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, err);
	const json_t *facts = json_object_get(obj, "facts");

	if (!obj)
		return -1;
	for (size_t i = 0; i < json_array_size(facts); i++) {
		struct fact f;

		if (fact_from_json(json_array_get(facts, i), &f, err) < 0)
			return -1;
		fn(ctx, &f);
	}
	return 0;
}

int
journal_each(int loop_dirfd, journal_fact_fn *fn, void *ctx, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int fd = open_for_reading(loop_dirfd, &why);
	struct reader r = {.fd = fd, .data = BUF_INIT};
	const char *line;
	size_t len;
	int rc;

	if (fd < 0)
		return why.code == ENOENT ? 0 : err_set(err, "%s", why.text);
	while ((rc = reader_next(&r, &line, &len, err)) == 1 && seal_is_whole(line, len))
		if (line_tell(line, len, fn, ctx, err) < 0) {
			rc = -1;
			break;
		}
	buf_release(&r.data);
	return rc < 0 ? -1 : 0;
}

/* Does the snapshot end where a line of this journal ends? */
static bool
snapshot_fits(const struct snapshot *snap, int fd)
{
	char last = 0;

	return fd >= 0 && pread(fd, &last, 1, snap->offset - 1) == 1 && last == '\n';
}

static int
replay_from(struct journal *j, int fd, struct loop_state *state, size_t *torn, struct err *err)
{
	struct reader r = {.fd = fd, .offset = j->end, .data = BUF_INIT};
	int rc;

	*torn = 0;
	if (fd < 0)
		return 0;
	rc = replay(j, &r, state, torn, err);
	buf_release(&r.data);
	return rc;
}

/* What was found out about the files while they were read; nothing is changed yet. */
struct findings {
	struct err snapshot; /* why it is of no use; "" when it is, or when there is none */
	size_t torn;
};

static int
journal_read(
    struct journal *j, struct loop_state *state, struct findings *found, struct err *err)
{
	AUTO_FREE struct snapshot *snap = xcalloc(1, sizeof(*snap));
	struct err why = ERR_INIT;
	int have = snapshot_load(j->dir, snap, &found->snapshot);
	AUTO_CLOSE int fd = -1;

	j->n = j->end = j->snapshot = 0;
	if (have < 0 && found->snapshot.code != EBADMSG) {
		err_set(err, "%s", found->snapshot.text);
		return value_code(err, found->snapshot.code);
	}
	fd = open_for_reading(j->dir, &why);
	if (fd < 0 && why.code != ENOENT) {
		err_set(err, "%s", why.text);
		return value_code(err, why.code);
	}
	if (have == 1 && snapshot_fits(snap, fd)) {
		*state = snap->state;
		j->n = j->snapshot = snap->n;
		j->end = snap->offset;
	} else if (have == 1) {
		err_set(&found->snapshot, "snapshot.json does not fit " JOURNAL_FILE);
	}
	if (replay_from(j, fd, state, &found->torn, err) < 0)
		return -1;
	if (have == 1 && j->n < snap->n) {
		err_set(err,
		    JOURNAL_FILE " ends with line %" PRId64
				 ", but snapshot.json was made after line %" PRId64,
		    j->n, snap->n);
		return value_code(err, EBADMSG);
	}
	return 0;
}

/* ---- writing --------------------------------------------------------------- */

static int
journal_cut(const struct journal *j, int fd, struct err *err)
{
	int64_t safe = j->end - (int64_t)j->late.len;
	struct stat st;

	/* Cutting must not become growing: that would fill the gap with zeros. */
	if (fstat(fd, &st) == 0 && st.st_size < safe)
		return err_set(err, JOURNAL_FILE " has lost lines that were written");
	if (fs_fault("truncate", JOURNAL_FILE) < 0 || ftruncate(fd, safe) < 0 ||
	    fdatasync(fd) < 0)
		return err_errno(err, "cannot cut the torn end off " JOURNAL_FILE);
	if (j->late.len == 0)
		return 0;
	return fs_append(fd, JOURNAL_FILE, j->late.data, j->late.len, FS_NOSYNC, err);
}

/* Best effort: not every file system can, and a full one must not keep us from writing. */
static void
journal_reserve(struct journal *j)
{
	if (j->reserved - j->end >= RESERVE / 2)
		return;
	j->reserved = j->end + RESERVE;
	(void)!fallocate(j->fd, FALLOC_FL_KEEP_SIZE, j->end, RESERVE);
}

/* A descriptor to append to, with nothing behind the last line.  After a failure it is a
 * new one: what fsync says of the old one cannot be trusted any more. */
static int
journal_ready(struct journal *j, struct err *err)
{
	AUTO_CLOSE int fd = -1;

	if (j->fd >= 0 && !j->torn)
		return 0;
	fd = fs_open_append(j->dir, JOURNAL_FILE, err);
	if (fd < 0 || (j->torn && journal_cut(j, fd, err) < 0))
		return -1;
	auto_close_fn(&j->fd);
	j->fd = take_fd(&fd);
	j->torn = false;
	j->reserved = 0;
	return 0;
}

/* A file that is new, or that a crash left new, must not vanish with the power. */
static int
journal_link(struct journal *j, struct err *err)
{
	if (j->linked)
		return 0;
	if (fs_fault("dirsync", JOURNAL_FILE) < 0 || (fsync(j->dir) < 0 && errno != EINVAL))
		return err_errno(err, "cannot sync the directory of " JOURNAL_FILE);
	j->linked = true;
	return 0;
}

static void
line_print(int64_t n, const struct fact *facts, size_t count, struct buf *out)
{
	AUTO_JSON *obj = json_object();
	AUTO_BUF when = BUF_INIT;
	json_t *list = json_array();

	ENSURE(obj && list);
	clock_fmt_rfc3339(facts[0].at.wall, &when);
	value_set(obj, "n", value_int(n));
	value_set(obj, "t", json_text(when.data, when.len));
	for (size_t i = 0; i < count; i++)
		ENSURE(json_array_append_new(list, fact_to_json(&facts[i], NULL)) == 0);
	value_set(obj, "facts", list);
	seal_print(obj, out);
	buf_addc(out, '\n');
}

int
journal_append(
    struct journal *j, const struct fact *facts, size_t n, enum fs_sync sync, struct err *err)
{
	AUTO_BUF line = BUF_INIT;

	ENSURE(!j->readonly);
	if (n == 0)
		return 0;
	if (journal_ready(j, err) < 0)
		return -1;
	journal_reserve(j);
	line_print(j->n + 1, facts, n, &line);
	if (fs_append(j->fd, JOURNAL_FILE, line.data, line.len, sync, err) < 0 ||
	    (sync == FS_SYNC && journal_link(j, err) < 0)) {
		j->torn = true;
		return -1;
	}
	j->n++;
	j->end += (int64_t)line.len;
	if (sync == FS_SYNC)
		buf_clear(&j->late);
	else
		buf_add(&j->late, line.data, line.len);
	return 0;
}

int
journal_sync(struct journal *j, struct err *err)
{
	if (j->late.len == 0)
		return 0;
	if (journal_ready(j, err) < 0)
		return -1;
	if (fs_append(j->fd, JOURNAL_FILE, "", 0, FS_SYNC, err) < 0 ||
	    journal_link(j, err) < 0) {
		j->torn = true;
		return -1;
	}
	buf_clear(&j->late);
	return 0;
}

int
journal_snapshot(struct journal *j, const struct loop_state *state, bool now, struct err *err)
{
	if (j->readonly || j->n == j->snapshot || (!now && j->n < j->snapshot_due))
		return 0;
	/* Also after a failure: a full disk is not asked again for every line. */
	j->snapshot_due = j->n + SNAPSHOT_EVERY;
	/* It must not know more than the journal. */
	if (journal_sync(j, err) < 0 || snapshot_save(j->dir, j->n, j->end, state, err) < 0)
		return -1;
	j->snapshot = j->n;
	return 0;
}

/* ---- opening --------------------------------------------------------------- */

/* The repairs, once all has been read without an error. */
static int
journal_mend(
    struct journal *j, const struct findings *found, struct buf *notes, struct err *err)
{
	const char *why = found->snapshot.text;

	if (*why != '\0' && snapshot_discard(j->dir, why, notes, err) < 0)
		return -1;
	if (found->torn == 0)
		return 0;
	j->torn = true;
	if (journal_ready(j, err) < 0)
		return -1;
	buf_addf(notes, "%s" JOURNAL_FILE ": an unfinished last line (%zu bytes) was cut off",
	    notes->len > 0 ? "; " : "", found->torn);
	return 0;
}

static int
journal_start(struct journal *j, struct loop_state *state, struct buf *notes, struct err *err)
{
	const struct loop_state fresh = *state;
	struct findings found = {.snapshot = ERR_INIT};
	struct err why = ERR_INIT;
	int tries = j->readonly ? READONLY_TRIES : 1;

	while (journal_read(j, state, &found, &why) < 0) {
		if (--tries == 0 || why.code != EBADMSG) {
			err_set(err, "%s", why.text);
			return value_code(err, why.code);
		}
		*state = fresh;
		found = (struct findings){.snapshot = ERR_INIT};
	}
	j->snapshot_due = j->snapshot + SNAPSHOT_EVERY;
	return j->readonly ? 0 : journal_mend(j, &found, notes, err);
}

struct journal *
journal_open(
    int loop_dirfd, bool readonly, struct loop_state *state, struct buf *notes, struct err *err)
{
	struct journal *j = xcalloc(1, sizeof(*j));
	AUTO_BUF unwanted = BUF_INIT;

	j->readonly = readonly;
	j->fd = -1;
	buf_init(&j->late);
	j->dir = fcntl(loop_dirfd, F_DUPFD_CLOEXEC, 0);
	if (j->dir < 0)
		err_errno(err, "cannot open " JOURNAL_FILE);
	else if (journal_start(j, state, notes ? notes : &unwanted, err) == 0)
		return j;
	journal_close(j);
	return NULL;
}

int64_t
journal_seq(const struct journal *j)
{
	return j->n;
}

void
journal_close(struct journal *j)
{
	if (!j)
		return;
	/* What was never acknowledged had better not be found; whoever opens it can tell. */
	if (j->torn)
		(void)!journal_ready(j, NULL);
	(void)!journal_sync(j, NULL);
	buf_release(&j->late);
	auto_close_fn(&j->fd);
	auto_close_fn(&j->dir);
	free(j);
}
