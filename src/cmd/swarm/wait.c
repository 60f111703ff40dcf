/*
 * wait.c - swarm wait: until workers have ended.
 *
 * Nothing is polled: the supervisor of a worker tells of every event and hangs up when it
 * goes; an agent without one has a keeper that hangs up; a process of others has a pidfd.
 */
#include "cmd/cmd.h"
#include "loops/control.h"
#include "loops/news.h"
#include "loops/worker.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>

/* How often a worker is looked at that cannot be waited for: a tmux window of others, a
 * supervisor that just came. */
#define LOOK_AGAIN_MS 250

struct wait_options {
	int64_t timeout;
	bool all;
};

#define OPTIONS struct wait_options
static const struct opt wait_opts[] = {
    ROW_SPAN("timeout", timeout, "SECONDS", "give up after so long (exit code 1); 0 looks once",
	.flags = OPT_ZERO, .dflt = "none"),
    ROW_FLAG("all", all, "wait for every worker that runs now"),
};

struct waiting {
	char *name;
	int fd;	   /* -1: none was to be had */
	bool told; /* that the worker is paused, since the last resume */
};

struct waitings {
	struct waiting *all;
	size_t n;
};

static void
swarm_wait_init(void *opts)
{
	((struct wait_options *)opts)->timeout = -1;
}

static void
swarm_wait_add(struct waitings *w, const char *name)
{
	w->all = xreallocarray(w->all, w->n + 1, sizeof(*w->all));
	w->all[w->n++] = (struct waiting){.name = xstrdup(name), .fd = -1};
}

static void
add_running(void *ctx, struct worker *w)
{
	if (w->running)
		swarm_wait_add(ctx, worker_name(w));
}

static void
swarm_wait_drop(struct waiting *one)
{
	if (one->fd >= 0)
		close(one->fd);
	free(one->name);
}

/* Opens a descriptor that becomes readable when there may be news of the worker; -1: none. */
static int
open_news(const struct worker *w)
{
	int fd = -1;

	if (w->foreign)
		return (int)syscall(SYS_pidfd_open, (pid_t)json_int(w->record, "pid", -1), 0);
	if (w->view.supervised)
		fd = control_watch(w->view.dir, NULL);
	return fd >= 0 ? fd : worker_dial(w, NULL);
}

static void
say_paused(const struct waiting *one)
{
	warning("worker '%s' is paused, which is no end; go on with: %s ralph resume %s",
	    one->name, log_name(), one->name);
}

/* Looks again after the news was opened, so that nothing is missed in between. */
static bool
still_runs(struct waiting *one)
{
	for (;;) {
		AUTO_WORKER w = WORKER_INIT;
		bool fresh = false, paused, runs;

		if (worker_open(&w, one->name, NULL) < 0)
			return false;
		paused = worker_is_paused(&w);
		/* A loop's files do not say how it ended until its supervisor goes. */
		runs = w.running || paused || (!w.foreign && w.view.supervised);
		if (paused && !one->told)
			say_paused(one);
		one->told = paused;
		if (runs && one->fd < 0) {
			one->fd = open_news(&w);
			fresh = one->fd >= 0;
			if (fresh)
				(void)fcntl(one->fd, F_SETFL, O_NONBLOCK);
		}
		if (!fresh)
			return runs;
	}
}

/* Says which workers have ended, and forgets them. */
static void
reap(struct waitings *w)
{
	size_t left = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (still_runs(&w->all[i])) {
			w->all[left++] = w->all[i];
			continue;
		}
		cmd_say("%s: exited", w->all[i].name);
		swarm_wait_drop(&w->all[i]);
	}
	w->n = left;
}

/* Waits until a worker has news; false when the time is up. */
static bool
wait_for_news(struct waitings *w, int64_t until)
{
	AUTO_FREE struct pollfd *p = xcalloc(w->n, sizeof(*p));
	int64_t left = until < 0 ? INT64_MAX : until - clock_boot();
	int ms = -1;

	if (left <= 0)
		return false;
	if (until >= 0)
		ms = left / NSEC_PER_MSEC < INT32_MAX ? (int)(left / NSEC_PER_MSEC) + 1
						      : INT32_MAX;
	for (size_t i = 0; i < w->n; i++) {
		p[i] = (struct pollfd){.fd = w->all[i].fd, .events = POLLIN};
		if (p[i].fd < 0 && (ms < 0 || ms > LOOK_AGAIN_MS))
			ms = LOOK_AGAIN_MS;
	}
	(void)poll(p, w->n, ms);
	for (size_t i = 0; i < w->n; i++)
		if (p[i].fd >= 0 && p[i].revents != 0)
			news_drain(&w->all[i].fd);
	return true;
}

static int
wait_all(struct waitings *w, int64_t timeout)
{
	int64_t until = timeout < 0 ? -1 : clock_boot() + timeout;
	int rc;

	reap(w);
	while (w->n > 0 && wait_for_news(w, until))
		reap(w);
	rc = w->n > 0 ? EX_FAILED : EX_OK;
	for (size_t i = 0; i < w->n; i++) {
		cmd_say("%s: still running (timeout)", w->all[i].name);
		swarm_wait_drop(&w->all[i]);
	}
	free(w->all);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct wait_options *o = args->opts;
	struct waitings all = {.n = 0};
	int malformed, rc;

	if (!o->all && args->operands.nargs == 0)
		return err_set(args->err, "name required (or use --all)");
	if (o->all) {
		malformed = workers_each(add_running, &all, args->err);
	} else {
		AUTO_WORKER w = WORKER_INIT;

		malformed = worker_open(&w, args->operands.args[0], args->err);
		if (malformed == 0)
			swarm_wait_add(&all, args->operands.args[0]);
	}
	if (malformed < 0)
		return -1;
	rc = wait_all(&all, o->timeout);
	/* A worker that is refused was named, and cannot be waited for. */
	return malformed > 0 ? EX_FAILED : rc;
}

const struct cmd cmd_swarm_wait = {
    .name = "wait",
    .usage = "[--timeout SECONDS] [--all | NAME]",
    .summary = "Wait until workers have ended",
    .about = "Says \"NAME: exited\" for each. A loop has ended when it will start no more "
	     "agents; one that is paused has not, and that is said once for each pause.",
    .examples = "  swarm wait agent && swarm logs agent\n"
		"  swarm wait --all --timeout 3600\n",
    CMD_OPTIONS(wait_opts),
    .max_args = 1,
    .operand = "loop",
    .init = swarm_wait_init,
    .run = run,
};
