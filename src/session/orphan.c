/*
 * orphan.c - keepers that were let go.
 */
#include "session/orphan.h"

#include "base/alloc.h"

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
	struct exit_status ignored;

	(void)!child_reap(&o->keeper, false, &ignored);
	close(o->keeper.pidfd);
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
