/*
 * orphan.c - keepers that were let go, and what lost ones left.
 */
#include "session/orphan.h"

#include "base/alloc.h"
#include "base/process/proc.h"
#include "session/session.h"
#include <signal.h>
#include <sys/wait.h>

struct orphan {
	struct orphan *next;
	struct child keeper;
	struct ev_child exit;
};

static struct orphan *orphans;

static void
orphan_ended(struct ev_child *w)
{
	struct orphan *o = w->ctx, **link = &orphans;

	(void)child_discard(&o->keeper, false);
	auto_close_fn(&o->keeper.pidfd);
	while (*link != o)
		link = &(*link)->next;
	*link = o->next;
	free(o);
}

void
orphan_add(struct ev *ev, const struct child *keeper)
{
	struct orphan *o = xcalloc(1, sizeof(*o));

	o->keeper = *keeper;
	o->next = orphans;
	orphans = o;
	ev_child_start(ev, &o->exit, o->keeper.pidfd, orphan_ended, o);
}

/* ---- strays -------------------------------------------------------------------------- */

static bool gathering;
static const char *guests_have; /* an entry of a guest's environment; NULL: there are none */
static struct {
	pid_t *v;
	size_t len;
} guests;

int
session_gather(const char *entry)
{
	if (proc_become_subreaper() < 0)
		return -1;
	gathering = true;
	guests_have = entry;
	return 0;
}

static size_t
guest_find(pid_t pid)
{
	size_t i = 0;

	while (i < guests.len && guests.v[i] != pid)
		i++;
	return i;
}

void
orphan_guest(pid_t pid)
{
	if (!gathering || guest_find(pid) < guests.len)
		return;
	guests.v = xreallocarray(guests.v, guests.len + 1, sizeof(*guests.v));
	guests.v[guests.len++] = pid;
}

/* No other process can have the pid until the child is reaped. */
static bool
stray_reap(pid_t pid)
{
	size_t guest = guest_find(pid);

	if (waitpid(pid, NULL, WNOHANG) != pid)
		return false;
	if (guest < guests.len)
		guests.v[guest] = guests.v[--guests.len];
	return true;
}

static void
stray_look(pid_t pid, void *ctx)
{
	int *left = ctx;

	if (child_is_ours(pid) || stray_reap(pid) || left == NULL ||
	    guest_find(pid) < guests.len ||
	    (guests_have != NULL && proc_has_env(pid, guests_have)))
		return;
	(void)proc_signal_below(pid, SIGKILL);
	(void)kill(pid, SIGKILL);
	++*left;
}

bool
orphans_end(void)
{
	int left = 0;

	if (gathering)
		proc_each_child(stray_look, &left);
	return left == 0;
}

void
orphans_reap(void)
{
	if (gathering)
		proc_each_child(stray_look, NULL);
}
