#include "record/scan.h"
#include "base/fs.h"
#include "record/codec.h"
#include "record/owner.h"
#include "record/seal.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

/* A line of LOOP_MAX_FACTS facts full of escaped text is a third of this. */
#define LINE_MAX_BYTES ((size_t)1024 * 1024)
#define READ_STEP ((size_t)64 * 1024)
/* One wrong bit can make one zero of a letter; a block that was never written has many. */
#define ZEROS_MIN 16

int
scan_open(int loop_dirfd, struct err *err)
{
	AUTO_CLOSE int fd = openat(loop_dirfd, JOURNAL_FILE,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "cannot open " JOURNAL_FILE);
	if (!S_ISREG(st.st_mode))
		return err_set(err, JOURNAL_FILE " is not a regular file");
	if (owner_check(fd, JOURNAL_FILE, err) < 0)
		return -1;
	return take_fd(&fd);
}

void
scan_init(struct scan *s, int fd)
{
	*s = (struct scan){.fd = fd, .data = BUF_INIT};
}

void
scan_release(struct scan *s)
{
	buf_release(&s->data);
}

/* ---- bytes ------------------------------------------------------------------ */

/* Returns how many bytes came, 0 at the end of the file. */
static ssize_t
scan_fill(struct scan *s, struct err *err)
{
	ssize_t n = 0;

	buf_drop(&s->data, s->at);
	s->at = 0;
	buf_reserve(&s->data, READ_STEP);
	do {
		if (s->fd >= 0)
			n = pread(s->fd, s->data.data + s->data.len, READ_STEP, s->offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_errno(err, "cannot read " JOURNAL_FILE);
	s->offset += n;
	s->data.len += (size_t)n;
	s->data.data[s->data.len] = '\0';
	return n;
}

/* 1: a line, without its newline.  0: no further newline, *len bytes are left. */
static int
next_bytes(struct scan *s, const char **line, size_t *len, struct err *err)
{
	size_t searched = 0;

	for (;;) {
		const char *from = s->data.data + s->at;
		size_t there = s->data.len - s->at;
		const char *newline =
		    there > searched ? memchr(from + searched, '\n', there - searched) : NULL;
		ssize_t n;

		*line = from;
		*len = newline != NULL ? (size_t)(newline - from) : there;
		if (newline != NULL)
			s->at += *len + 1;
		if (*len > LINE_MAX_BYTES)
			return err_code(err, EBADMSG,
			    JOURNAL_FILE " is damaged in line %" PRId64 ": it has no end",
			    s->n + 1);
		if (newline != NULL)
			return 1;
		searched = there;
		n = scan_fill(s, err);
		if (n <= 0) {
			*line = s->data.data;
			return (int)n;
		}
	}
}

/* ---- judgements ------------------------------------------------------------- */

static int
damage(const struct scan *s, const char *what, struct err *err)
{
	return err_code(err, EBADMSG,
	    JOURNAL_FILE " is damaged in line %" PRId64 " (byte %" PRId64 "): %s", s->n + 1,
	    s->end, what);
}

static int
newer(const struct scan *s, const char *what, struct err *err)
{
	return err_code(err, ENOTSUP,
	    JOURNAL_FILE " was written by a newer version (line %" PRId64 "%s%s)", s->n + 1,
	    *what ? ": " : "", what);
}

bool
scan_is_newer(const char *line, size_t len)
{
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, NULL);

	return json_int(obj, "v", JOURNAL_VERSION) > JOURNAL_VERSION;
}

/* The number at the beginning of a line, and *rest behind it; 0 where there is none.  Every
 * opening reads every line; parsing them all is for those whose facts are needed. */
static int64_t
leading_number(const char *line, size_t len, size_t *rest)
{
	static const char head[] = "{\"n\":";
	size_t at = sizeof(head) - 1;
	int64_t n = 0;

	if (len < at || memcmp(line, head, at) != 0)
		return 0;
	for (; at < len && line[at] >= '0' && line[at] <= '9' && n < VALUE_INT_LIMIT / 16; at++)
		n = n * 10 + (line[at] - '0');
	*rest = at;
	return at < len && line[at] == ',' ? n : 0;
}

int64_t
scan_number(const char *line, size_t len)
{
	size_t rest;

	return seal_is_whole(line, len) ? leading_number(line, len, &rest) : 0;
}

bool
scan_is_lost(const char *line, size_t len)
{
	static const char mark[] = ",\"lost\":";
	size_t rest = 0;

	return leading_number(line, len, &rest) > 0 && len - rest >= sizeof(mark) - 1 &&
	       memcmp(line + rest, mark, sizeof(mark) - 1) == 0;
}

/* A whole line that does not begin with the number that is due: why? */
static int
out_of_order(const struct scan *s, const char *line, size_t len, struct err *err)
{
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, NULL);

	if (obj == NULL)
		return damage(s, "not JSON", err);
	if (json_int(obj, "v", JOURNAL_VERSION) > JOURNAL_VERSION)
		return newer(s, "", err);
	return damage(s, "its number does not follow the one before", err);
}

bool
scan_is_torn(const char *bytes, size_t len, bool newline)
{
	static const char zeros[ZEROS_MIN];

	/* A torn line is half of one line, not a whole one with something after it. */
	if (seal_begins(bytes, len))
		return false;
	return !newline || memmem(bytes, len, zeros, sizeof(zeros)) != NULL;
}

static bool
whole_line_follows(struct scan *s)
{
	const char *line;
	size_t len;
	int rc;

	while ((rc = next_bytes(s, &line, &len, NULL)) == 1)
		if (seal_is_whole(line, len))
			return true;
	return rc < 0;
}

/* Judges bytes that are no whole line: 0 when they are a torn end, or there are none. */
static int
scan_judge(struct scan *s, const char *line, size_t len, bool newline, struct err *err)
{
	const char *what = seal_begins(line, len) ? "something follows its end"
						  : "it does not match its checksum";
	bool torn = scan_is_torn(line, len, newline);
	size_t all = len + newline, rest;
	bool zeroed = memchr(line, '\0', len) != NULL;

	if (scan_is_newer(line, len))
		return newer(s, "", err);
	/* Only the very last line can have been torn. */
	if (!torn || (newline && (next_bytes(s, &line, &rest, err) != 0 || rest != 0))) {
		s->last = !whole_line_follows(s);
		return damage(s, what, err);
	}
	s->torn = all;
	s->zeroed = zeroed;
	return 0;
}

int
scan_next(struct scan *s, const char **line, size_t *len, struct err *err)
{
	int rc = next_bytes(s, line, len, err);
	size_t rest;

	if (rc < 0)
		return -1;
	if (rc == 0 || !seal_is_whole(*line, *len))
		return scan_judge(s, *line, *len, rc == 1, err);
	if (leading_number(*line, *len, &rest) != s->n + 1)
		return out_of_order(s, *line, *len, err);
	s->lost += scan_is_lost(*line, *len);
	s->n++;
	s->end += (int64_t)*len + 1;
	return 1;
}

void
scan_apply(void *state, const struct fact *f)
{
	loop_apply(state, f);
}

/* ---- facts ------------------------------------------------------------------- */

int
scan_facts(const struct scan *s, const char *line, size_t len, scan_fact_fn *fn, void *ctx,
    struct err *err)
{
	/* The scan before this line: reports of damage count from there. */
	const struct scan before = {.n = s->n - 1, .end = s->end - (int64_t)len - 1};
	AUTO_JSON *obj = json_parse(line, len, JOURNAL_FILE, NULL);
	const json_t *facts = json_object_get(obj, "facts");
	struct err why = ERR_INIT;

	if (obj == NULL)
		return damage(&before, "not JSON", err);
	if (json_int(obj, "v", JOURNAL_VERSION) > JOURNAL_VERSION)
		return newer(&before, "", err);
	if (!json_is_array(facts))
		return damage(&before, "no facts", err);
	for (size_t i = 0; i < json_array_size(facts); i++) {
		struct fact f;

		if (fact_from_json(json_array_get(facts, i), &f, &why) == 0)
			fn(ctx, &f);
		else if (why.code == ENOTSUP)
			return newer(&before, why.text, err);
		else
			return damage(&before, why.text, err);
	}
	return 0;
}
