#include "record/words.h"
#include "base/clock.h"
#include "base/text.h"
#include <inttypes.h>

const struct fact *
words_follows(const struct decided *d, const struct fact *f, enum fact_kind kind)
{
	for (f++; f < d->facts + d->n; f++)
		if (f->kind == kind)
			return f;
	return NULL;
}

void
words_loop(const char *loop, struct buf *out)
{
	buf_adds(out, "[ralph] ");
	words_safe(loop, out);
	buf_adds(out, ": ");
}

void
words_seconds(int64_t ns, struct buf *out)
{
	int64_t ms = ns / NSEC_PER_MSEC;

	buf_addf(out, "%" PRId64, ms / 1000);
	if (ms % 1000 != 0) {
		buf_addf(out, ".%03" PRId64, ms % 1000);
		while (out->data[out->len - 1] == '0')
			buf_truncate(out, out->len - 1);
	}
	buf_addc(out, 's');
}

void
words_limit(int64_t count, struct buf *out)
{
	if (count == UNLIMITED)
		buf_adds(out, "unlimited");
	else
		buf_addf(out, "%" PRId64, count);
}

void
words_count(const struct loop_state *s, int64_t iteration, struct buf *out)
{
	buf_addf(out, "%" PRId64 "/", iteration - s->returned);
	words_limit(s->policy.max_iterations, out);
}

void
words_iteration(const struct loop_state *s, int64_t iteration, struct buf *out)
{
	if (s->returned == 0) {
		words_count(s, iteration, out);
		return;
	}
	buf_addf(out, "%" PRId64 " (", iteration);
	words_count(s, iteration, out);
	buf_addc(out, ')');
}

void
words_exit(struct exit_status e, struct buf *out)
{
	if (e.how == EXIT_UNKNOWN)
		buf_adds(out, "unknown");
	else
		buf_addf(out, "%d", exit_number(e));
}

bool
words_has_exit(enum verdict verdict, struct exit_status e)
{
	return verdict == VERDICT_FAILED && e.how != EXIT_UNKNOWN;
}

void
words_cause(enum verdict verdict, struct exit_status e, struct buf *out)
{
	bool failed = verdict == VERDICT_FAILED;

	if (failed && e.how == EXIT_NOSTART) {
		buf_adds(out, "not started");
	} else if (failed && exit_ok(e)) {
		buf_adds(out, "not landed");
	} else if (failed || verdict_is_success(verdict)) {
		buf_adds(out, "exit ");
		words_exit(e, out);
	} else {
		buf_adds(out, verdict_name(verdict));
	}
}

void
words_tally(const struct loop_state *s, struct buf *out)
{
	int64_t failed = s->failed + s->unfinished;

	buf_addf(out, "%" PRId64 " completed, %" PRId64 " failed", s->completed, failed);
	if (s->unfinished > 0 && s->unfinished == failed)
		buf_adds(out, " (unfinished)");
	else if (s->unfinished > 0)
		buf_addf(out, " (%" PRId64 " of them unfinished)", s->unfinished);
}

/* Texts of agents and commands have several lines.  "\x0a" would be harmless, but hard to
 * read. */
void
words_safe(const char *text, struct buf *out)
{
	size_t end = strlen(text);

	while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r'))
		end--;
	for (size_t at = 0, len; at < end; at += len) {
		len = strcspn(text + at, "\r\n");
		len = len < end - at ? len : end - at;
		text_show(out, text + at, len, false);
		at += len;
		if (at < end)
			buf_addc(out, ' ');
		len = strspn(text + at, "\r\n");
	}
}
