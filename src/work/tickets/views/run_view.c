#include "work/tickets/views/run_view.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

size_t
view_count(const struct run_view *v, bool failed)
{
	size_t n = 0;

	for (size_t i = 0; i < v->noutcomes; i++)
		n += v->outcomes[i].failed == failed;
	return n;
}

size_t
view_active(const struct run_view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nsessions; i++)
		n += v->sessions[i].status == VIEW_ACTIVE;
	return n;
}

void
view_time(int64_t wall, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;

	clock_fmt_rfc3339(wall, &text);
	buf_truncate(&text, text.len - strlen(".123Z"));
	buf_addf(out, "%sZ", text.data);
}

char *
view_place(const struct run_view *v, const struct view_session *s)
{
	if (s->place != NULL)
		return xstrdup(s->place);
	if (!v->settings->worktrees || v->settings->worktrees_dir == NULL ||
	    !name_is_valid(s->ticket))
		return NULL;
	return xasprintf("%s/%s", v->settings->worktrees_dir, s->ticket);
}

void
view_reason(const struct view_session *s, struct buf *out)
{
	buf_adds(out, verdict_name(s->verdict));
	if (words_has_exit(s->verdict, s->exit)) {
		buf_adds(out, " (");
		words_cause(s->verdict, s->exit, out);
		buf_addc(out, ')');
	}
	if (s->text[0] != '\0') {
		buf_adds(out, ": ");
		view_line(s->text, sizeof(s->text), out);
	}
}

bool
view_is_over(const struct run_view *v)
{
	return v->finished && !end_reason_asked(v->reason) &&
	       end_reason_by(v->reason) != BY_SOURCE;
}
