/*
 * announce.c - "spawned NAME ...".
 */
#include "supervisor/announce.h"
#include "supervisor/inside.h"

#include "base/clock.h"
#include "base/log.h"
#include "loop/source_row.h"
#include <inttypes.h>

static void
announce_say(struct running *r)
{
	const struct settings *s = &r->settings;
	bool loops = !source_row(s->source)->single;
	AUTO_BUF line = BUF_INIT;

	ev_timer_stop(&r->sup->ready);
	r->sup->announced = true;
	/* A reader of the announcement finds the worker's files, and the worker in the
	 * registry. */
	running_views_write(r);
	running_register(r, true);
	buf_addf(&line, "%s %s ",
	    r->spec->announce_word == NULL ? "spawned" : r->spec->announce_word, r->spec->name);
	if (s->tmux)
		buf_addf(&line, "(tmux: %s:%s)", r->sup->window.session, r->sup->window.name);
	else
		buf_addf(&line, "(pid: %" PRId64 ")", r->sup->agent_pid);
	if (loops && s->max_iterations == UNLIMITED)
		buf_adds(&line, " [ralph mode: iteration 1/unlimited]");
	else if (loops)
		buf_addf(&line, " [ralph mode: iteration 1/%" PRId64 "]", s->max_iterations);
	buf_addc(&line, '\n');
	if (write(STDOUT_FILENO, line.data, line.len) < 0)
		debug("nobody reads what is announced");
	running_detach(r);
}

static void
announce_on_late(struct ev_timer *w)
{
	struct running *r = w->ctx;

	warning("agent '%s' did not become ready within %" PRId64 "s", r->spec->name,
	    r->spec->ready_timeout / NSEC_PER_SEC);
	announce_say(r);
}

static bool
announce_is_there(const struct running *r, const struct fact *f)
{
	if (!source_row(r->settings.source)->single)
		return f->kind == FACT_STARTED;
	if (r->spec->ready_wait && r->settings.tmux)
		return f->kind == FACT_SIGNALLED && f->signal == SIGNAL_READY;
	return f->kind == FACT_RUNNING;
}

void
announce_facts(struct running *r, const struct fact *facts, size_t n)
{
	for (size_t i = 0; i < n && r->spec->announce && !r->sup->announced; i++) {
		if (facts[i].kind == FACT_RUNNING)
			r->sup->agent_pid = facts[i].pid;
		if (facts[i].kind == FACT_ENDED && r->sup->agent_pid != 0) {
			warning("agent '%s' ended before it was ready", r->spec->name);
			announce_say(r);
			return;
		}
		if (announce_is_there(r, &facts[i]))
			announce_say(r);
		else if (facts[i].kind == FACT_RUNNING)
			ev_timer_in(
			    r->ev, &r->sup->ready, r->spec->ready_timeout, announce_on_late, r);
	}
}

bool
announce_missed(const struct running *r)
{
	return r->spec->announce && !r->sup->announced;
}

void
announce_stop(struct running *r)
{
	ev_timer_stop(&r->sup->ready);
}
