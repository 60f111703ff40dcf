/*
 * wait.c - swarm wait: until workers have ended.
 *
 * Nothing is polled: the supervisor of a worker tells of every event and hangs up when it
 * goes; an agent without one has a keeper that hangs up; a process of others has a pidfd.
 */
#include "cmd/cmd.h"
#include "loops/control.h"
#include "loops/worker.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include <errno.h>
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
    ROW_FLAG("all", all, "for every worker that runs now"),
};

struct waiting {
	struct waiting *next;
	char *name;
	int fd;	   /* -1: none was to be had */
	bool told; /* that the worker is paused, since the last resume */
};

struct waitings {
	struct waiting *first, **last;
	size_t n;
};

static void
wait_init(void *opts)
{
	((struct wait_options *)opts)->timeout = -1;
}

static void
swarm_wait_add(struct waitings *all, const char *name)
{
	struct waiting *one = xcalloc(1, sizeof(*one));

	one->name = xstrdup(name);
	one->fd = -1;
	*all->last = one;
	all->last = &one->next;
	all->n++;
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
	free(one);
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

/* Reads what came.  A descriptor whose other side hung up is closed; the caller opens another
 * one if need be. */
static void
swarm_wait_drain(struct waiting *one)
{
	char chunk[8192];
	ssize_t n;

	do
		n = read(one->fd, chunk, sizeof(chunk));
	while (n > 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(one->fd);
	one->fd = -1;
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
		struct worker w;
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
		worker_close(&w);
		if (!fresh)
			return runs;
	}
}

/* Says which workers have ended, and forgets them. */
static void
reap(struct waitings *all)
{
	struct waiting **at = &all->first;

	while (*at != NULL) {
		struct waiting *one = *at;
		AUTO_BUF out = BUF_INIT;

		if (still_runs(one)) {
			at = &one->next;
			continue;
		}
		buf_addf(&out, "%s: exited\n", one->name);
		cmd_print(&out);
		*at = one->next;
		all->n--;
		swarm_wait_drop(one);
	}
	all->last = at;
}

/* Waits until a worker has news; false when the time is up. */
static bool
wait_for_news(struct waitings *all, int64_t until)
{
	AUTO_FREE struct pollfd *p = xcalloc(all->n, sizeof(*p));
	int64_t left = until < 0 ? INT64_MAX : until - clock_boot();
	int ms = -1;
	size_t i = 0;

	if (left <= 0)
		return false;
	if (until >= 0)
		ms = left / NSEC_PER_MSEC < INT32_MAX ? (int)(left / NSEC_PER_MSEC) + 1
						      : INT32_MAX;
	for (struct waiting *one = all->first; one != NULL; one = one->next, i++) {
		p[i] = (struct pollfd){.fd = one->fd, .events = POLLIN};
		if (one->fd < 0 && (ms < 0 || ms > LOOK_AGAIN_MS))
			ms = LOOK_AGAIN_MS;
	}
	(void)poll(p, all->n, ms);
	i = 0;
	for (struct waiting *one = all->first; one != NULL; one = one->next, i++)
		if (one->fd >= 0 && p[i].revents != 0)
			swarm_wait_drain(one);
	return true;
}

static void
say_still_running(const struct waitings *all)
{
	AUTO_BUF out = BUF_INIT;

	for (const struct waiting *one = all->first; one != NULL; one = one->next)
		buf_addf(&out, "%s: still running (timeout)\n", one->name);
	cmd_print(&out);
}

static int
wait_all(struct waitings *all, int64_t timeout)
{
	int64_t until = timeout < 0 ? -1 : clock_boot() + timeout;
	int rc = EX_OK;

	reap(all);
	while (all->first != NULL && wait_for_news(all, until))
		reap(all);
	if (all->first != NULL) {
		say_still_running(all);
		rc = EX_FAILED;
	}
	while (all->first != NULL) {
		struct waiting *one = all->first;

		all->first = one->next;
		swarm_wait_drop(one);
	}
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct wait_options *o = args->opts;
	struct waitings all = {.last = &all.first};
	struct err err = ERR_INIT;
	struct worker w;
	int malformed = 0, rc;

	if (!o->all && args->operands.nargs == 0) {
		error("name required (or use --all)");
		return EX_FAILED;
	}
	if (o->all) {
		malformed = workers_each(add_running, &all, &err);
	} else if (worker_open(&w, args->operands.args[0], &err) == 0) {
		swarm_wait_add(&all, args->operands.args[0]);
		worker_close(&w);
	} else {
		malformed = -1;
	}
	if (malformed < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
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
    .examples = "  swarm wait agent && swarm logs agent\n  swarm wait --all --timeout 3600\n",
    CMD_OPTIONS(wait_opts),
    .max_args = 1,
    .operand = "loop",
    .init = wait_init,
    .run = run,
};
