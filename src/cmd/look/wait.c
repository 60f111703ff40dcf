/*
 * wait.c - ralph wait: until a loop is over.
 */
#include "cmd/cmd.h"
#include "loops/choose.h"
#include "loops/control.h"
#include "loops/loop_view.h"
#include "loops/news.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include <poll.h>

/* A day: no wait is longer than poll can count. */
#define POLL_MS_MAX (24 * 3600 * 1000)

struct wait_options {
	int64_t timeout;
};

#define OPTIONS struct wait_options
static const struct opt wait_opts[] = {
    ROW_SPAN("timeout", timeout, "DURATION",
	"give up after so long (exit code 124); 0 looks once", .flags = OPT_ZERO,
	.dflt = "none"),
};

static void
look_wait_init(void *opts)
{
	((struct wait_options *)opts)->timeout = -1;
}

struct waiting {
	struct loop_view view; /* as of the last look */
	int64_t until;	       /* -1: as long as it takes */
	bool told;	       /* that the loop is paused, since the last resume */
};

/* A pause is no end, but somebody has to end the pause. */
static void
tell_pause(struct waiting *w)
{
	const struct loop_view *v = &w->view;
	bool paused = v->supervised && strcmp(loop_status(&v->state), "paused") == 0;

	if (paused && !w->told)
		warning("worker '%s' is paused, which is no end; go on with: ralph resume %s",
		    v->name, v->name);
	w->told = paused;
}

static int
look_wait_look(struct waiting *w, struct err *err)
{
	AUTO_FREE char *name = xstrdup(w->view.name);

	loop_view_close(&w->view);
	if (loop_view_open(&w->view, name, err) < 0)
		return -1;
	tell_pause(w);
	return 0;
}

/* Waits until the supervisor hangs up: 0, or 1 when the time is up; -1 + err.  Each event is
 * only a reason to look. */
static int
wait_stream(struct waiting *w, int *events, struct err *err)
{
	for (;;) {
		struct pollfd p = {.fd = *events, .events = POLLIN};
		int64_t left = w->until < 0 ? INT64_MAX : w->until - clock_boot();
		int ms = w->until < 0 ? -1 : left <= 0 ? 0 : POLL_MS_MAX;

		if (left > 0 && left / NSEC_PER_MSEC < POLL_MS_MAX)
			ms = (int)(left / NSEC_PER_MSEC) + 1;
		if (poll(&p, 1, ms) == 0) {
			if (left <= 0 || ms < POLL_MS_MAX)
				return 1;
			continue;
		}
		news_drain(events);
		if (*events < 0)
			return 0;
		if (look_wait_look(w, err) < 0)
			return -1;
	}
}

/* Waits until no supervisor is there: 0, or 1 when the time is up; -1 + err. */
static int
wait_supervised(struct waiting *w, struct err *err)
{
	while (w->view.supervised) {
		struct err why = ERR_INIT;
		AUTO_CLOSE int events = control_watch(w->view.dir, &why);
		int rc = 0;

		/* Looked at again: the loop may have been paused before the first event. */
		if (events >= 0 && (rc = look_wait_look(w, err)) == 0)
			rc = wait_stream(w, &events, err);
		if (rc != 0)
			return rc;
		/* A supervisor that went in between is no error. */
		if (look_wait_look(w, err) < 0)
			return -1;
		if (why.text[0] != '\0' && w->view.supervised)
			return err_set(err, "%s", why.text);
	}
	return 0;
}

static int
look_wait_say(const struct loop_view *v)
{
	AUTO_BUF how = BUF_INIT;

	if (v->state.phase == PHASE_FINISHED) {
		cmd_say("%s: %s (%s)", v->name, loop_word(&v->state),
		    end_reason_name(v->state.reason));
		return end_reason_code(v->state.reason);
	}
	loop_view_condition(v, &how);
	cmd_say("%s: %s", v->name, how.data);
	return EX_UNFINISHED;
}

static int
run(const struct cmd_args *args)
{
	const struct wait_options *o = args->opts;
	struct waiting w = {.view = {.home = -1, .dir = -1},
	    .until = o->timeout < 0 ? -1 : clock_boot() + o->timeout};
	int rc;

	rc = choose_loop(
	    &w.view, args->operands.args[0], VIEW_WHOLE, args->cmd->name, args->err);
	if (rc == 0)
		rc = wait_supervised(&w, args->err);
	if (rc == 1) {
		error("%s: still %s (timeout)", w.view.name, loop_status(&w.view.state));
		rc = EX_TIMEOUT;
	} else if (rc == 0) {
		rc = look_wait_say(&w.view);
	}
	loop_view_close(&w.view);
	return rc;
}

const struct cmd cmd_wait = {
    .name = "wait",
    .usage = "[--timeout DURATION] [NAME]",
    .summary = "Wait until a loop is over",
    .only_shows = true,
    .about = "The exit code is the loop's: 0 complete, 1 too many failures, 3 stopped before "
	     "it was complete, or paused and left, or between two turns of 'ralph loop "
	     "--once', 10 not done within its iterations or its time, 11 some of it failed; "
	     "the manual has them all. A paused loop whose supervisor runs is waited for; that "
	     "it is paused is said on stderr, once for each pause.",
    .examples = "  ralph wait myproject-run && notify-send 'all done'\n  ralph wait --timeout "
		"8h myproject-run\n",
    CMD_OPTIONS(wait_opts),
    CMD_NAME_OR(CHOSEN_READ),
    .init = look_wait_init,
    .run = run,
};
