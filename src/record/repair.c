#include "record/repair.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "record/codec.h"
#include "record/owner.h"
#include "record/scan.h"
#include "record/seal.h"
#include "record/snapshot.h"
#include "record/value.h"
#include <errno.h>
#include <inttypes.h>

#define JOURNAL_MAX ((size_t)1024 * 1024 * 1024)
/* A longer line is not searched for its wrong bit: that costs its length, squared. */
#define MEND_MAX ((size_t)16 * 1024)
#define HEAD "{\"n\":"
#define TAIL "\"}"

/* A piece of the file up to the next newline. */
struct piece {
	const char *data;
	size_t len;
	bool newline; /* the line ends with a newline */
};

/* A walk through the old bytes, which makes the new ones. */
struct walk {
	struct repair *r;
	const struct snapshot *snap; /* NULL: there is none */
	size_t at;		     /* in the old bytes */
	bool stopped;		     /* nothing more can be proven to follow */
	struct err *err;
};

static bool
piece_next(const struct walk *w, struct piece *p)
{
	const struct buf *old = &w->r->old;
	const char *newline;

	if (w->at >= old->len)
		return false;
	p->data = old->data + w->at;
	newline = memchr(p->data, '\n', old->len - w->at);
	p->newline = newline != NULL;
	p->len = newline != NULL ? (size_t)(newline - p->data) : old->len - w->at;
	return true;
}

static void
piece_pass(struct walk *w, const struct piece *p)
{
	w->at += p->len + p->newline;
}

static void
damaged_here(struct walk *w)
{
	if (w->r->line == 0)
		w->r->line = w->r->lines + 1;
}

/* ---- lines that stay ----------------------------------------------------------- */

static void
ignore(void *unused UNUSED, const struct fact *f UNUSED)
{
}

/* Are the bytes a line in full?  -1 when a newer version wrote it. */
static int
record_repair_is_line(const struct walk *w, const char *line, size_t len)
{
	const struct scan place = {.n = w->r->lines + 1, .end = (int64_t)len + 1};
	struct err why = ERR_INIT;

	if (scan_facts(&place, line, len, ignore, NULL, &why) == 0)
		return 1;
	if (why.code != ENOTSUP)
		return 0;
	return err_code(w->err, ENOTSUP, "%s", why.text);
}

static void
line_count(struct walk *w)
{
	struct repair *r = w->r;

	r->lines++;
	if (w->snap == NULL || r->lines != w->snap->n)
		return;
	r->state = w->snap->state;
	r->offset = (int64_t)r->journal.len;
}

static void
record_repair_line_take(struct walk *w, const char *line, size_t len)
{
	const struct scan place = {.n = w->r->lines + 1};

	(void)!scan_facts(&place, line, len, scan_apply, &w->r->state, NULL);
	buf_add(&w->r->journal, line, len);
	buf_addc(&w->r->journal, '\n');
	line_count(w);
}

/* A line that only keeps the number of one that is gone. */
static void
line_lost(struct walk *w)
{
	AUTO_JSON *obj = value_object();

	value_set(obj, "n", value_int(w->r->lines + 1));
	value_set(obj, "lost", json_true());
	value_set(obj, "t", value_time(clock_wall(), clock_fmt_rfc3339));
	value_set(obj, "facts", json_array());
	seal_print(obj, &w->r->journal);
	buf_addc(&w->r->journal, '\n');
	w->r->lost++;
	line_count(w);
}

/* Bridges the lines that are missing before line n, as far as the snapshot tells their sum. */
static void
bridge(struct walk *w, int64_t n)
{
	while (w->r->lines + 1 < n && w->snap != NULL && w->r->lines < w->snap->n) {
		damaged_here(w);
		line_lost(w);
	}
}

/* A whole line: it goes on, or is a second copy of one, or stands behind a gap. */
static int
record_repair_line_judge(struct walk *w, const char *line, size_t len)
{
	int64_t n = scan_number(line, len);
	bool covered = w->snap != NULL && n <= w->snap->n;
	int rc = record_repair_is_line(w, line, len);

	if (rc < 0)
		return -1;
	if (rc == 0 || n <= w->r->lines) {
		damaged_here(w);
		w->r->stray += len + 1;
		return 0;
	}
	bridge(w, n);
	if (n == w->r->lines + 1 && (covered || !scan_is_lost(line, len))) {
		w->r->lost += scan_is_lost(line, len);
		record_repair_line_take(w, line, len);
		return 0;
	}
	damaged_here(w);
	w->stopped = true;
	return 0;
}

/* ---- one wrong bit ------------------------------------------------------------- */

/* One wrong bit spoils one end of a line at most: bytes without either end are no line. */
static bool
looks_like_a_line(const char *line, size_t len)
{
	return len > sizeof(HEAD TAIL) && len <= MEND_MAX &&
	       (memcmp(line, HEAD, sizeof(HEAD) - 1) == 0 ||
		   memcmp(line + len - (sizeof(TAIL) - 1), TAIL, sizeof(TAIL) - 1) == 0);
}

/* Finds the bit in line[from..upto) without which the seal does not match. */
static bool
mend_bit(char *line, size_t len, size_t from, size_t upto)
{
	for (size_t i = from; i < upto; i++)
		for (int bit = 0; bit < 8; bit++) {
			line[i] ^= (char)(1 << bit);
			if (scan_number(line, len) > 0)
				return true;
			line[i] ^= (char)(1 << bit);
		}
	return false;
}

static bool
one_bit_apart(char a, char b)
{
	unsigned char x = (unsigned char)(a ^ b);

	return x != 0 && (x & (x - 1)) == 0;
}

/* Offset of a newline that one wrong bit turned into another byte; 0: none. */
static size_t
lost_newline(const struct piece *p)
{
	for (size_t i = 1; i < p->len; i++)
		if (p->data[i - 1] == '}' && one_bit_apart(p->data[i], '\n') &&
		    scan_number(p->data, i) > 0)
			return i;
	return 0;
}

/* The line that this piece was, in *out; how many of the old bytes it took, 0 when it cannot be
 * found.  A wrong bit may also have made a newline of a letter, or a letter of a newline. */
static size_t
mend(struct walk *w, const struct piece *p, struct buf *out)
{
	struct piece next;
	size_t len;

	buf_clear(out);
	buf_add(out, p->data, p->len);
	if (!looks_like_a_line(p->data, p->len))
		return 0;
	if ((len = lost_newline(p)) > 0) {
		buf_truncate(out, len);
		return len + 1;
	}
	if (p->newline && mend_bit(out->data, out->len, 0, out->len))
		return p->len + 1;
	w->at += p->len + 1;
	len = p->newline && piece_next(w, &next) && next.newline ? p->len + 1 + next.len : 0;
	w->at -= p->len + 1;
	if (len == 0 || len > MEND_MAX)
		return 0;
	buf_clear(out);
	buf_add(out, p->data, len);
	return mend_bit(out->data, len, p->len, p->len + 1) ? len + 1 : 0;
}

/* ---- the walk -------------------------------------------------------------------- */

/* Is the rest a write that never finished? */
static bool
record_repair_is_torn(const struct walk *w, const struct piece *p)
{
	return w->at + p->len + p->newline == w->r->old.len &&
	       scan_is_torn(p->data, p->len, p->newline);
}

static int
record_repair_piece(struct walk *w, const struct piece *p)
{
	AUTO_BUF line = BUF_INIT;
	size_t took;

	if (p->newline && scan_number(p->data, p->len) > 0) {
		piece_pass(w, p);
		return record_repair_line_judge(w, p->data, p->len);
	}
	if (scan_is_newer(p->data, p->len))
		return err_code(
		    w->err, ENOTSUP, JOURNAL_FILE " was written by a newer version");
	if (record_repair_is_torn(w, p)) {
		w->r->torn = p->len + p->newline;
		piece_pass(w, p);
		return 0;
	}
	damaged_here(w);
	took = mend(w, p, &line);
	if (took == 0) {
		w->r->stray += p->len + p->newline;
		piece_pass(w, p);
		return 0;
	}
	w->at += took;
	w->r->mended++;
	return record_repair_line_judge(w, line.data, line.len);
}

static int
record_repair_walk(struct walk *w)
{
	struct piece p;

	while (!w->stopped && piece_next(w, &p))
		if (record_repair_piece(w, &p) < 0)
			return -1;
	if (w->stopped) {
		w->r->dropped = 1; /* the one it stopped at */
		for (; piece_next(w, &p); piece_pass(w, &p))
			w->r->dropped += scan_number(p.data, p.len) > 0;
	}
	if (w->snap != NULL && w->r->lines < w->snap->n) {
		bridge(w, w->snap->n + 1);
		w->r->open = !w->stopped;
	}
	return 0;
}

/* ---- the plan --------------------------------------------------------------------- */

static void
find_uid(void *uid, const struct fact *f)
{
	if (f->kind == FACT_OPENED)
		memcpy(uid, f->uid, sizeof(f->uid));
}

/* Was the snapshot made from this journal, as far as the journal's first line can still
 * tell? */
static bool
snapshot_is_ours(const struct walk *w, const struct snapshot *snap)
{
	const struct scan place = {.n = 1};
	struct fact first = {.uid = ""};
	struct piece p;

	if (piece_next(w, &p) && scan_number(p.data, p.len) == 1)
		(void)!scan_facts(&place, p.data, p.len, find_uid, first.uid, NULL);
	return first.uid[0] == '\0' || strcmp(first.uid, snap->state.uid) == 0;
}

static int
read_old(int dir, struct repair *r, struct err *err)
{
	struct err why = ERR_INIT;
	int rc = owner_read(dir, JOURNAL_FILE, JOURNAL_MAX, &r->old, &why);

	r->missing = rc < 0 && why.code == ENOENT;
	r->empty = r->old.len == 0;
	if (rc == 0 || r->missing)
		return 0;
	return err_pass(err, &why);
}

int
repair_plan(int loop_dirfd, const struct settings *settings, struct repair *r, struct err *err)
{
	AUTO_FREE struct snapshot *snap = xcalloc(1, sizeof(*snap));
	struct walk w = {.r = r, .err = err};
	struct err why = ERR_INIT;
	int have;

	memset(r, 0, sizeof(*r));
	buf_init(&r->old);
	buf_init(&r->journal);
	loop_init(&r->state, settings, settings_regime(settings));
	have = snapshot_load(loop_dirfd, snap, &why);
	if (have < 0 && why.code != EBADMSG)
		return err_pass(err, &why);
	if (read_old(loop_dirfd, r, err) < 0)
		return -1;
	if (have == 1 && snapshot_is_ours(&w, snap)) {
		w.snap = snap;
		r->snapshot = snap->n;
		r->sum = snap->state;
	}
	r->alien = have == 1 && w.snap == NULL;
	if (record_repair_walk(&w) == 0) {
		/* Where the snapshot is another journal's, or no byte is left, that is damage
		 * even if no line is damaged. */
		if (r->alien || r->empty)
			damaged_here(&w);
		return 0;
	}
	repair_release(r);
	return -1;
}

int
repair_do(int loop_dirfd, const struct repair *r, struct buf *kept, struct err *err)
{
	if (fs_keep_aside(loop_dirfd, JOURNAL_FILE, r->old.data, r->old.len, kept, err) < 0)
		return -1;
	/* The journal changes last: until then, it is refused as damaged, whatever happens. */
	if (r->alien && fs_move_aside(loop_dirfd, "snapshot.json", NULL, err) < 0)
		return -1;
	if (r->snapshot > 0 &&
	    snapshot_save(loop_dirfd, r->snapshot, r->offset, &r->sum, err) < 0)
		return -1;
	return fs_replace(
	    loop_dirfd, JOURNAL_FILE, r->journal.data, r->journal.len, FS_SYNC, err);
}

void
repair_release(struct repair *r)
{
	buf_release(&r->old);
	buf_release(&r->journal);
}
