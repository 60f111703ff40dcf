/*
 * follow.c - what the agents of a loop write, while they write it.
 */
#include "loops/follow.h"

#include "base/alloc.h"
#include "loops/control.h"
#include "loops/news.h"
#include "loops/reading.h"
#include "session/wire.h"
#include <poll.h>
#include <sys/inotify.h>

/* A session whose output is not at its end. */
struct shown {
	struct shown *next;
	struct reading reading;
	char session[SESSION_ID_MAX];
	char task[TASK_ID_MAX]; /* the first of the session */
	int keeper;    /* a connection to it: that it goes is seen without a supervisor, too */
	int64_t lines; /* only so many of what is there already */
};

/* Parts of an iteration's story that have been told. */
struct told {
	bool passed_over, begun, ended, landed;
};

struct follow {
	const struct loop_view *view;
	const struct follow_spec *spec;
	const struct follow_ops *ops;
	void *ctx;
	struct history history;
	struct told *told;
	size_t ntold;
	size_t first;	/* index of the first iteration that is not told completely */
	size_t initial; /* how many iterations there were when following began */
	struct shown *shown;
	int inotify, events; /* events: -1 when the loop has no supervisor (any more) */
	bool stale;	     /* the journal may have more than the history */
};

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
	if (reading_open(&s->reading, f->view, one->session, f->spec->raw, NULL) < 0) {
		shown_free(s);
		return;
	}
	/* Before the first look: what comes after it makes an event. */
	watch_dir(f, s->reading.dir);
	if (!one->gone)
		s->keeper = wire_dial(s->reading.dir, ROLE_CLIENT, 0, 0, 0, NULL);
	memcpy(s->task, one->task, sizeof(s->task));
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

/* Tells what a session has written since the last look; a session that is over leaves the
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
	f->ops->wrote(f->ctx, s->task, &s->reading.out, over);
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
	f->ops->began(f->ctx, one);
	if (*at == NULL)
		follow_show(f, one, i < f->initial ? f->spec->lines : 0);
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
		f->ops->ended(f->ctx, one);
	}
	if (told->ended && one->landed && !told->landed) {
		told->landed = true;
		f->ops->landed(f->ctx, one);
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
		bool wanted = f->spec->session == NULL
				  ? follow_is_active(f, one)
				  : strcmp(one->session, f->spec->session) == 0 &&
					history_session(h, one->session) == one;

		f->told[i].passed_over = !wanted;
		active += wanted;
		if (!one->unstarted)
			last = i;
	}
	if (active == 0 && last < h->n && f->spec->session == NULL)
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
		f->told[f->ntold] = (struct told){.passed_over = f->spec->session != NULL};
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
	return f->events < 0 || f->spec->session != NULL;
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
follow_loop(const struct loop_view *v, const struct follow_spec *spec,
    const struct follow_ops *ops, void *ctx, struct err *err)
{
	struct follow f = {.view = v,
	    .spec = spec,
	    .ops = ops,
	    .ctx = ctx,
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
