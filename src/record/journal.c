#include "record/journal.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "record/codec.h"
#include "record/scan.h"
#include "record/seal.h"
#include "record/snapshot.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#define SNAPSHOT_EVERY 64
/* Space that is ours before the disk is full: then "stop" can still be written down. */
#define RESERVE ((int64_t)32 * 1024)
/* Nobody writes more into a file by mistake. */
#define STRAY_MAX ((size_t)256 * 1024 * 1024)
/* A reader may see a line while the writer repairs it; not this often in a row. */
#define READONLY_TRIES 3

struct journal {
	int dir;
	int fd; /* -1 until it is written to */
	bool readonly;
	bool beside;	  /* a supervisor writes it */
	bool torn;	  /* there may be bytes behind `end` */
	bool stray;	  /* and they are not ours alone */
	bool linked;	  /* the directory knows the file for good */
	int64_t n;	  /* lines */
	int64_t end;	  /* offset behind the last of them */
	struct buf late;  /* the last of them, as far as they may not be on disk yet */
	int64_t reserved; /* space on disk up to this offset, or as much as there was */
	int64_t snapshot; /* the last line in snapshot.json */
	int64_t snapshot_due;
	struct buf mended; /* the damage that was mended while the journal was written to */
};

/* ---- reading --------------------------------------------------------------- */

int
journal_each(int loop_dirfd, journal_fact_fn *fn, void *ctx, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int fd = scan_open(loop_dirfd, &why);
	const char *line;
	struct scan s;
	size_t len;
	int rc;

	if (fd < 0 && why.code != ENOENT)
		return err_pass(err, &why);
	scan_init(&s, fd);
	while ((rc = scan_next(&s, &line, &len, err)) == 1)
		if (scan_facts(&s, line, len, fn, ctx, err) < 0) {
			rc = -1;
			break;
		}
	scan_release(&s);
	return rc;
}

/* Findings from reading the files; nothing is changed yet. */
struct findings {
	struct err snapshot; /* why it is of no use; "" when it is, or when there is none */
	size_t torn;
	bool zeroed;
	int64_t lost;
};

/* Passes over the lines that the snapshot tells the sum of: they must be whole all the same,
 * because views are folded from them.  1: it fits, 0: it does not, and is of no use. */
static int
pass_snapshot(struct scan *s, const struct snapshot *snap, struct err *err)
{
	const char *line;
	size_t len;
	int rc = 1;

	while (s->n < snap->n && (rc = scan_next(s, &line, &len, err)) == 1)
		;
	if (rc < 0)
		return -1;
	if (s->n == snap->n)
		return s->end == snap->offset;
	return err_code(err, EBADMSG,
	    JOURNAL_FILE " is damaged: it ends with line %" PRId64
			 ", but snapshot.json was made after line %" PRId64,
	    s->n, snap->n);
}

/* Folds the lines from here on. */
static int
journal_fold(const struct journal *j, struct scan *s, struct loop_state *state, struct err *err)
{
	const char *line;
	size_t len;
	int rc;

	while ((rc = scan_next(s, &line, &len, err)) == 1) {
		if (scan_is_lost(line, len))
			return err_code(err, EBADMSG,
			    JOURNAL_FILE " is damaged: line %" PRId64
					 " was lost, and no snapshot tells what followed "
					 "from it",
			    s->n);
		if (scan_facts(s, line, len, scan_apply, state, err) < 0)
			return -1;
	}
	return rc < 0 && j->beside && s->last ? 0 : rc;
}

static int
read_lines(struct journal *j, int fd, const struct snapshot *snap, struct loop_state *state,
    struct findings *found, struct err *err)
{
	struct scan s;
	int fits = 0;
	int rc = 0;

	scan_init(&s, fd);
	if (snap != NULL && (fits = pass_snapshot(&s, snap, err)) == 0) {
		err_set(&found->snapshot, "snapshot.json does not fit " JOURNAL_FILE);
		scan_release(&s);
		scan_init(&s, fd);
	}
	if (fits == 1) {
		int64_t term_wait = state->policy.term_wait;

		loop_copy(state, &snap->state);
		/* No fact changes it, and snapshots of earlier versions lack it. */
		state->policy.term_wait = term_wait;
		j->snapshot = snap->n;
	}
	rc = fits < 0 ? -1 : journal_fold(j, &s, state, err);
	j->n = s.n;
	j->end = s.end;
	found->torn = s.torn;
	found->zeroed = s.zeroed;
	found->lost = s.lost;
	scan_release(&s);
	return rc;
}

static int
journal_read(
    struct journal *j, struct loop_state *state, struct findings *found, struct err *err)
{
	AUTO_FREE struct snapshot *snap = xcalloc(1, sizeof(*snap));
	struct err why = ERR_INIT;
	int have = snapshot_load(j->dir, snap, &found->snapshot);
	AUTO_CLOSE int fd = -1;

	j->n = j->end = j->snapshot = 0;
	if (have < 0 && found->snapshot.code != EBADMSG)
		return err_pass(err, &found->snapshot);
	fd = scan_open(j->dir, &why);
	if (fd < 0 && why.code != ENOENT)
		return err_pass(err, &why);
	return read_lines(j, fd, have == 1 ? snap : NULL, state, found, err);
}

/* ---- writing --------------------------------------------------------------- */

/* A copy of a part of the file, beside it; its name goes to *name. */
static int
journal_keep(struct journal *j, int64_t from, int64_t upto, struct buf *name, struct err *err)
{
	AUTO_CLOSE int fd = scan_open(j->dir, err);
	size_t len = (size_t)(upto - from);
	AUTO_BUF bytes = BUF_INIT;

	if (fd < 0)
		return -1;
	if (len > STRAY_MAX)
		return err_set(
		    err, "%zu bytes of " JOURNAL_FILE " are no lines, too many to keep", len);
	buf_reserve(&bytes, len + 1);
	while (bytes.len < len) {
		ssize_t n = pread(
		    fd, bytes.data + bytes.len, len - bytes.len, from + (int64_t)bytes.len);

		if (n < 0 && errno != EINTR)
			return err_errno(err, "cannot read " JOURNAL_FILE);
		if (n == 0)
			break;
		bytes.len += n > 0 ? (size_t)n : 0;
	}
	return fs_keep_aside(j->dir, JOURNAL_FILE, bytes.data, bytes.len, name, err);
}

/* Keeps a copy of the bytes that somebody else wrote behind our lines, whatever they are. */
static int
journal_set_aside(struct journal *j, int64_t from, int64_t upto, struct err *err)
{
	AUTO_BUF name = BUF_INIT;

	if (journal_keep(j, from, upto, &name, err) < 0)
		return -1;
	buf_addf(&j->mended,
	    "%ssomebody else wrote to " JOURNAL_FILE " behind line %" PRId64
	    "; what stood there is in %s now",
	    j->mended.len > 0 ? "; " : "", j->n, name.data);
	j->stray = false;
	return 0;
}

static int
journal_cut(struct journal *j, int fd, struct err *err)
{
	int64_t safe = j->end - (int64_t)j->late.len;
	struct stat st;

	/* Cutting must not become growing: that would fill the gap with zeros. */
	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot look at " JOURNAL_FILE);
	if (st.st_size < safe)
		return err_set(err, JOURNAL_FILE " has lost lines that were written");
	if (j->stray && journal_set_aside(j, safe, st.st_size, err) < 0)
		return -1;
	if (fs_cut(fd, JOURNAL_FILE, safe, FS_SYNC, err) < 0)
		return -1;
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
	fs_reserve(j->fd, j->end, RESERVE);
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
	if (fs_sync_dir(j->dir, JOURNAL_FILE, err) < 0)
		return -1;
	j->linked = true;
	return 0;
}

static void
line_print(int64_t n, const struct fact *facts, size_t count, struct buf *out)
{
	AUTO_JSON *obj = value_object();
	json_t *list = value_array();

	value_set(obj, "n", value_int(n));
	value_set(obj, "t", value_time(facts[0].at.wall, clock_fmt_rfc3339));
	for (size_t i = 0; i < count; i++)
		value_append(list, fact_to_json(&facts[i], NULL));
	value_set(obj, "facts", list);
	seal_print(obj, out);
	buf_addc(out, '\n');
}

/* Does the file end with what we wrote, and nothing else come before it?  A line behind
 * somebody else's could never be read again. */
static bool
journal_is_ours(struct journal *j, int64_t end, struct err *err)
{
	struct stat st;

	if (fstat(j->fd, &st) < 0 || st.st_size == end)
		return true;
	j->stray = true;
	(void)err_set(err, "somebody else writes to " JOURNAL_FILE);
	return false;
}

static int
line_write(struct journal *j, const struct buf *line, enum fs_sync sync, struct err *err)
{
	if (journal_ready(j, err) < 0)
		return -1;
	journal_reserve(j);
	if (fs_append(j->fd, JOURNAL_FILE, line->data, line->len, sync, err) == 0 &&
	    (sync != FS_SYNC || journal_link(j, err) == 0) &&
	    journal_is_ours(j, j->end + (int64_t)line->len, err))
		return 0;
	j->torn = true;
	return -1;
}

int
journal_append(
    struct journal *j, const struct fact *facts, size_t n, enum fs_sync sync, struct err *err)
{
	AUTO_BUF line = BUF_INIT;

	ENSURE(!j->readonly);
	if (n == 0)
		return 0;
	line_print(j->n + 1, facts, n, &line);
	/* Tries once more where somebody else's bytes, set aside now, were in the way. */
	if (line_write(j, &line, sync, err) < 0 &&
	    (!j->stray || line_write(j, &line, sync, err) < 0))
		return -1;
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
	/* The snapshot must not know more than the journal. */
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
	AUTO_BUF kept = BUF_INIT;

	if (*why != '\0' && snapshot_discard(j->dir, why, notes, err) < 0)
		return -1;
	if (found->lost > 0)
		buf_addf(notes,
		    "%s" JOURNAL_FILE ": %" PRId64
		    " of its lines were lost to damage; what is listed line by line lacks them",
		    notes->len > 0 ? "; " : "", found->lost);
	if (found->torn == 0)
		return 0;
	/* Zeros may also stand where a line was whole once. */
	if (found->zeroed &&
	    journal_keep(j, j->end, j->end + (int64_t)found->torn, &kept, err) < 0)
		return -1;
	j->torn = true;
	if (journal_ready(j, err) < 0)
		return -1;
	buf_addf(notes, "%s" JOURNAL_FILE ": an unfinished last line (%zu bytes) was cut off",
	    notes->len > 0 ? "; " : "", found->torn);
	if (kept.len > 0)
		buf_addf(notes, "; its bytes are in %s", kept.data);
	return 0;
}

static int
journal_start(struct journal *j, struct loop_state *state, struct buf *notes, struct err *err)
{
	const struct policy policy = state->policy; /* facts may change it */
	struct findings found = {.snapshot = ERR_INIT};
	struct err why = ERR_INIT;
	int tries = j->readonly ? READONLY_TRIES : 1;

	while (journal_read(j, state, &found, &why) < 0) {
		if (--tries == 0 || why.code != EBADMSG)
			return err_pass(err, &why);
		state->policy = policy;
		loop_clear(state);
		found = (struct findings){.snapshot = ERR_INIT};
	}
	j->snapshot_due = j->snapshot + SNAPSHOT_EVERY;
	return j->readonly ? 0 : journal_mend(j, &found, notes, err);
}

int
journal_read_beside(int loop_dirfd, struct loop_state *state, struct err *err)
{
	struct journal j = {.dir = loop_dirfd, .fd = -1, .readonly = true, .beside = true};

	return journal_start(&j, state, NULL, err);
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
	buf_init(&j->mended);
	j->dir = fcntl(loop_dirfd, F_DUPFD_CLOEXEC, 0);
	if (j->dir < 0)
		err_errno(err, "cannot open " JOURNAL_FILE);
	else if (journal_start(j, state, notes != NULL ? notes : &unwanted, err) == 0)
		return j;
	journal_close(j);
	return NULL;
}

bool
journal_mended(struct journal *j, struct buf *out)
{
	buf_clear(out);
	buf_add(out, j->mended.data, j->mended.len);
	buf_clear(&j->mended);
	return out->len > 0;
}

bool
journal_is_unlinked(const struct journal *j)
{
	struct stat st;

	return j->fd >= 0 && fstat(j->fd, &st) == 0 && st.st_nlink == 0;
}

void
journal_close(struct journal *j)
{
	if (j == NULL)
		return;
	/* Nobody should find lines that were never acknowledged.  If the repair fails, the next
	 * reader still recognises the torn end. */
	if (j->torn)
		(void)!journal_ready(j, NULL);
	(void)!journal_sync(j, NULL);
	buf_release(&j->late);
	buf_release(&j->mended);
	auto_close_fn(&j->fd);
	auto_close_fn(&j->dir);
	free(j);
}
