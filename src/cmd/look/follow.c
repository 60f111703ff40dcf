/*
 * follow.c - following what the agents of a loop write.
 */
#include "cmd/look/following.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/news.h"
#include "loop/friendly.h"
#include "loops/control.h"
#include "loops/history.h"
#include "loops/reading.h"
#include "session/wire.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>

/* A session whose output is not at its end. */
struct shown {
	struct shown *next;
	struct reading reading;
	char session[SESSION_ID_MAX];
	char *label;   /* what stands before its lines; NULL: nothing */
	int keeper;    /* a connection to it: that it goes is seen without a supervisor, too */
	int64_t lines; /* only so many of what is there already */
};

/* Parts of an iteration's story that have been told. */
struct told {
	bool passed_over, begun, ended, landed;
};

struct follow {
	const struct loop_view *view;
	const struct logs_following *how;
	struct history history;
	struct told *told;
	size_t ntold;
	size_t first;	/* of all before it everything has been told */
	size_t initial; /* how many there were when we came */
	struct shown *shown;
	int inotify, events; /* events: -1 when the loop has no supervisor (any more) */
	bool stale;	     /* the journal may have more than the history */
	bool midline;	     /* what was printed last has no newline */
};

/* ---- printing ------------------------------------------------------------------------ */

static void
follow_print(struct follow *f, const struct buf *text)
{
	if (text->len == 0)
		return;
	f->midline = text->data[text->len - 1] != '\n';
	cmd_print(text);
}

/* Colours that can be read on black and on white; a task keeps its own. */
static const char *
follow_colour_of(const char *task)
{
	static const char *const colours[] = {"36", "33", "32", "35", "34", "31"};
	unsigned sum = 0;

	for (; *task != '\0'; task++)
		sum = sum * 31 + (unsigned char)*task;
	return colours[sum % ARRAY_LEN(colours)];
}

static char *
label_of(const struct follow *f, const char *task)
{
	AUTO_BUF label = BUF_INIT;

	if (!f->how->labels)
		return NULL;
	if (f->how->colours)
		buf_addf(&label, "\033[%sm", follow_colour_of(task));
	buf_addc(&label, '[');
	text_show(&label, task, strlen(task), false);
	buf_addc(&label, ']');
	if (f->how->colours)
		buf_adds(&label, "\033[0m");
	buf_addc(&label, ' ');
	return buf_detach(&label);
}

/* Lines of several sessions are printed whole, each with its label. */
static void
print_labelled(struct follow *f, struct shown *s, bool end)
{
	struct buf *text = &s->reading.out;
	AUTO_BUF out = BUF_INIT;
	size_t at = 0;

	if (end && text->len > 0 && text->data[text->len - 1] != '\n')
		buf_addc(text, '\n');
	while (at < text->len) {
		const char *line = text->data + at;
		const char *newline = memchr(line, '\n', text->len - at);

		if (newline == NULL)
			break;
		buf_adds(&out, s->label);
		buf_add(&out, line, (size_t)(newline - line) + 1);
		at += (size_t)(newline - line) + 1;
	}
	buf_drop(text, at);
	follow_print(f, &out);
}

static void
print_session(struct follow *f, struct shown *s, bool end)
{
	if (s->label != NULL) {
		print_labelled(f, s, end);
		return;
	}
	follow_print(f, &s->reading.out);
	buf_clear(&s->reading.out);
}

/* ---- headers ---------------------------------------------------------------------- */

static void
add_who(const struct follow *f, const struct past_iteration *one, struct buf *out)
{
	char name[FRIENDLY_MAX];

	if (history_names_tasks(&f->view->settings)) {
		text_show(out, one->task, strlen(one->task), false);
		buf_adds(out, ", ");
	}
	buf_addf(out, "iteration %" PRId64, one->number);
	if (one->attempt > 1)
		buf_addf(out, ", attempt %" PRId64, one->attempt);
	if (f->view->settings.lands && !f->view->settings.leads) {
		friendly_name(f->view->state.uid, one->number, name);
		buf_addf(out, ", session %s", name);
	}
}

static void
print_header(struct follow *f, const struct past_iteration *one, const char *what)
{
	AUTO_BUF out = BUF_INIT;

	if (!f->how->headers)
		return;
	if (f->midline)
		buf_addc(&out, '\n');
	if (f->how->colours)
		buf_adds(&out, "\033[1m");
	buf_adds(&out, "==> ");
	add_who(f, one, &out);
	buf_addf(&out, "%s <==", what);
	buf_adds(&out, f->how->colours ? "\033[0m\n" : "\n");
	follow_print(f, &out);
}

static void
tell_begin(struct follow *f, const struct past_iteration *one)
{
	AUTO_BUF what = BUF_INIT;

	buf_adds(&what, ": started ");
	clock_fmt_human(one->started, &what);
	print_header(f, one, what.data);
}

static void
tell_end(struct follow *f, const struct past_iteration *one)
{
	AUTO_BUF what = BUF_INIT;

	buf_addf(&what, ": %s", verdict_name(one->verdict));
	if (one->verdict == VERDICT_FAILED && one->exit.how != EXIT_UNKNOWN)
		buf_addf(&what, " (exit code %d)", exit_number(one->exit));
	buf_adds(&what, ", after ");
	clock_fmt_span(one->duration, false, &what);
	print_header(f, one, what.data);
}

static void
tell_landed(struct follow *f, const struct past_iteration *one)
{
	const char *fate = fate_name(one->fate);
	AUTO_BUF what = BUF_INIT;

	if (one->verdict == VERDICT_DONE)
		buf_adds(&what, ": landed");
	else
		buf_addf(&what, ": not landed: %s", verdict_name(one->verdict));
	if (fate[0] != '\0')
		buf_addf(&what, ", %s", fate);
	print_header(f, one, what.data);
}

/* ---- sessions ------------------------------------------------------------------------ */

static struct shown **
shown_find(struct follow *f, const char *session)
{
	struct shown **at = &f->shown;

	while (*at != NULL && strcmp((*at)->session, session) != 0)
		at = &(*at)->next;
	return at;
}

static void
shown_free(struct shown *s)
{
	reading_close(&s->reading);
	if (s->keeper >= 0)
		close(s->keeper);
	free(s->label);
	free(s);
}

static void
watch_dir(const struct follow *f, int dir)
{
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d", dir);

	(void)inotify_add_watch(f->inotify, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO);
}

/* An agent that could not be started may have left nothing to show. */
static void
follow_show(struct follow *f, const struct past_iteration *one, int64_t lines)
{
	struct shown *s = xcalloc(1, sizeof(*s));

	s->keeper = -1;
	memcpy(s->session, one->session, sizeof(s->session));
	if (reading_open(&s->reading, f->view, one->session, f->how->raw, NULL) < 0) {
		shown_free(s);
		return;
	}
	/* Before the first look: what comes after it makes an event. */
	watch_dir(f, s->reading.dir);
	if (!one->gone)
		s->keeper = wire_dial(s->reading.dir, ROLE_CLIENT, 0, 0, 0, NULL);
	s->label = label_of(f, one->task);
	s->lines = lines;
	*shown_find(f, one->session) = s;
}

static bool
follow_is_over(const struct follow *f, const struct shown *s)
{
	const struct past_iteration *last = history_session(&f->history, s->session);

	return reading_has_ended(&s->reading) || (last != NULL && last->gone) ||
	       (f->events < 0 && s->keeper < 0);
}

/* Prints what a session has written since the last look; a session that is over leaves the
 * list. */
static int
pump(struct follow *f, struct shown **at, struct err *err)
{
	struct shown *s = *at;
	/* Asked before the reading: a session that is over by then has written all. */
	bool over = follow_is_over(f, s);

	if (reading_more(&s->reading, over, err) < 0)
		return -1;
	reading_tail(&s->reading.out, s->lines);
	s->lines = 0;
	print_session(f, s, over);
	if (over) {
		*at = s->next;
		shown_free(s);
	}
	return 0;
}

static int
pump_all(struct follow *f, struct err *err)
{
	struct shown **at = &f->shown;

	while (*at != NULL) {
		const struct shown *s = *at;

		if (pump(f, at, err) < 0)
			return -1;
		if (*at == s)
			at = &(*at)->next;
	}
	return 0;
}

/* ---- iterations ------------------------------------------------------------------------ */

static int
follow_begin(struct follow *f, size_t i, struct err *err)
{
	const struct past_iteration *one = &f->history.all[i];
	struct shown **at = shown_find(f, one->session);

	f->told[i].begun = true;
	tell_begin(f, one);
	if (*at == NULL)
		follow_show(f, one, i < f->initial ? f->how->lines : 0);
	at = shown_find(f, one->session);
	return *at == NULL ? 0 : pump(f, at, err);
}

/* Tells what has happened to iteration i since the last look. */
static int
follow_tell(struct follow *f, size_t i, struct err *err)
{
	const struct past_iteration *one = &f->history.all[i];
	struct told *told = &f->told[i];

	if (told->passed_over || one->unstarted)
		return 0;
	if (!told->begun && (one->running || one->ended) && follow_begin(f, i, err) < 0)
		return -1;
	if (told->begun && one->ended && !told->ended) {
		told->ended = true;
		tell_end(f, one);
	}
	if (told->ended && one->landed && !told->landed) {
		told->landed = true;
		tell_landed(f, one);
	}
	return 0;
}

static bool
is_all_told(const struct follow *f, size_t i)
{
	const struct past_iteration *one = &f->history.all[i];
	const struct told *told = &f->told[i];

	return told->passed_over || one->unstarted ||
	       (told->ended && (told->landed || !one->landing));
}

static int
tell_all(struct follow *f, struct err *err)
{
	for (size_t i = f->first; i < f->history.n; i++)
		if (follow_tell(f, i, err) < 0)
			return -1;
	while (f->first < f->history.n && is_all_told(f, f->first))
		f->first++;
	return 0;
}

/* Is its agent at work, or being started, or is its work being landed? */
static bool
follow_is_active(const struct follow *f, const struct past_iteration *one)
{
	if (one->unstarted || history_session(&f->history, one->session) != one)
		return false;
	return !one->gone || (one->landing && !one->landed);
}

/* Chooses, of the sessions that are there already, those that work, else the last one. */
static void
follow_choose(struct follow *f)
{
	const struct history *h = &f->history;
	size_t last = h->n, active = 0;

	f->initial = h->n;
	for (size_t i = 0; i < h->n; i++) {
		const struct past_iteration *one = &h->all[i];
		bool wanted = f->how->session == NULL
				  ? follow_is_active(f, one)
				  : strcmp(one->session, f->how->session) == 0 &&
					history_session(h, one->session) == one;

		f->told[i].passed_over = !wanted;
		active += wanted;
		if (!one->unstarted)
			last = i;
	}
	if (active == 0 && last < h->n && f->how->session == NULL)
		f->told[last].passed_over = false;
}

/* A journal that cannot be read just now is read again with the next event. */
static int
follow_refresh(struct follow *f, struct err *err)
{
	bool known = f->history.n > 0;

	f->stale = false;
	if (history_load(&f->history, f->view->dir, err) < 0)
		return known ? 0 : -1;
	f->told = xreallocarray(f->told, f->history.n + 1, sizeof(*f->told));
	for (; f->ntold < f->history.n; f->ntold++)
		f->told[f->ntold] = (struct told){.passed_over = f->how->session != NULL};
	return 0;
}

/* ---- waiting --------------------------------------------------------------------------- */

/* Waits until a session's files change, or a keeper or the loop says something or goes. */
static void
wait_for_more(struct follow *f)
{
	struct pollfd p[LOOP_MAX_SESSIONS + 2] = {
	    {.fd = f->inotify, .events = POLLIN}, {.fd = f->events, .events = POLLIN}};
	struct shown *s;
	nfds_t n = 2, i = 2;

	for (s = f->shown; s != NULL && n < ARRAY_LEN(p); s = s->next)
		p[n++] = (struct pollfd){.fd = s->keeper, .events = POLLIN};
	if (poll(p, n, -1) <= 0)
		return;
	if (p[0].revents != 0)
		news_drain(&f->inotify);
	if (f->events >= 0 && p[1].revents != 0) {
		news_drain(&f->events);
		f->stale = true;
	}
	for (s = f->shown; i < n; s = s->next, i++)
		if (s->keeper >= 0 && p[i].revents != 0)
			news_drain(&s->keeper);
}

/* Is the only session that is wanted over, or the loop? */
static bool
is_finished(const struct follow *f)
{
	if (f->shown != NULL || f->stale)
		return false;
	for (size_t i = f->first; i < f->history.n && f->events >= 0; i++)
		if (!f->told[i].passed_over && !f->told[i].begun &&
		    !f->history.all[i].unstarted)
			return false;
	return f->events < 0 || f->how->session != NULL;
}

static int
follow_run(struct follow *f, struct err *err)
{
	if (follow_refresh(f, err) < 0)
		return -1;
	follow_choose(f);
	for (;;) {
		/* The order matters: a session that began after another one's end is told of
		 * after it. */
		if (pump_all(f, err) < 0 || tell_all(f, err) < 0)
			return -1;
		if (is_finished(f))
			return 0;
		if (!f->stale)
			wait_for_more(f);
		if (f->stale && follow_refresh(f, err) < 0)
			return -1;
	}
}

int
logs_follow(const struct loop_view *v, const struct logs_following *how, struct err *err)
{
	struct follow f = {.view = v,
	    .how = how,
	    .inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK),
	    .events = v->supervised ? control_watch(v->dir, NULL) : -1};
	int rc =
	    f.inotify < 0 ? err_errno(err, "cannot watch the sessions") : follow_run(&f, err);

	while (f.shown != NULL) {
		struct shown *s = f.shown;

		f.shown = s->next;
		shown_free(s);
	}
	history_release(&f.history);
	free(f.told);
	auto_close_fn(&f.inotify);
	auto_close_fn(&f.events);
	return rc;
}
