/*
 * clean_all.c - clean --all: what is over, and nothing that somebody may want to go on with.
 */
#include "cmd/swarm/clean.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/confirm.h"
#include "cmd/swarm/ending.h"
#include "record/codec.h"
#include "record/home.h"
#include <errno.h>

/* The loops and archived runs that would go, the loops that stay, and the bytes to be freed. */
struct heap {
	const struct clean_options *o;
	int home;
	bool swarm; /* only what swarm made */
	int64_t now;
	char **names, **archived; /* names that will be removed */
	char **spared;		  /* could be resumed */
	size_t others;		  /* are not swarm's */
	int64_t bytes;
};

static bool
is_old(const struct heap *h, int64_t since)
{
	return h->o->older_than == 0 || h->now - since >= h->o->older_than;
}

/* When the worker ended; for a worker that another program wrote, when it was started. */
static int64_t
ended_at(const struct worker *w)
{
	const struct loop_state *s = &w->view.state;
	int64_t started = 0;

	if (!w->foreign)
		return s->finished.wall != 0 ? s->finished.wall : s->opened.wall;
	(void)!clock_parse(json_str(w->record, "started", ""), &started);
	return started;
}

static void
pick_worker(void *ctx, struct worker *w)
{
	struct heap *h = ctx;

	if (w->running || w->view.supervised)
		return;
	if (h->swarm && !w->foreign && !worker_is_swarms(&w->view.settings)) {
		h->others++;
		return;
	}
	if (worker_can_go_on(w)) {
		h->spared = strlist_add(h->spared, worker_name(w));
		return;
	}
	if (!is_old(h, ended_at(w)))
		return;
	h->names = strlist_add(h->names, worker_name(w));
	h->bytes += home_loop_bytes(h->home, worker_name(w));
}

/* Was the archived run swarm's?  A run that cannot be read any more is nobody's. */
static bool
archived_is_swarms(int home, const char *entry)
{
	AUTO_CLOSE int dir = home_archived_open(home, entry, NULL);
	struct settings settings;
	bool is;

	if (dir < 0 || spec_load(dir, &settings, NULL) < 0)
		return false;
	is = worker_is_swarms(&settings);
	settings_release(&settings);
	return is;
}

static int
pick_archived(struct heap *h, struct err *err)
{
	AUTO_STRLIST entries = NULL;

	if (home_archived(h->home, NULL, &entries, err) < 0)
		return -1;
	for (size_t i = 0; entries[i] != NULL; i++) {
		if (!is_old(h, home_archived_at(entries[i])) ||
		    (h->swarm && !archived_is_swarms(h->home, entries[i])))
			continue;
		h->archived = strlist_add(h->archived, entries[i]);
		h->bytes += home_archived_bytes(h->home, entries[i]);
	}
	return 0;
}

/* ---- words --------------------------------------------------------------------- */

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* "3 workers and 2 earlier runs (12 MB)" */
static void
say_sum(const struct heap *h, struct buf *out)
{
	size_t n = strlist_len(h->names), m = strlist_len(h->archived);

	buf_addf(out, "%zu %s%s", n, h->swarm ? "worker" : "loop", plural(n));
	if (h->o->archive)
		buf_addf(out, " and %zu earlier run%s", m, plural(m));
	buf_adds(out, " (");
	clean_bytes(h->bytes, out);
	buf_addc(out, ')');
}

static void
clean_all_say_kept(const struct heap *h)
{
	AUTO_BUF names = BUF_INIT;

	for (size_t i = 0; h->spared[i] != NULL; i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "", h->spared[i]);
	if (names.len > 0)
		swarm_hint("spared what can go on: %s (by name it can be cleaned)", names.data);
	if (h->others > 0)
		swarm_hint("left alone: %zu loop%s that swarm did not make", h->others,
		    plural(h->others));
}

static void
clean_all_say_plan(const struct heap *h)
{
	AUTO_BUF sum = BUF_INIT;

	for (size_t i = 0; h->names[i] != NULL; i++)
		cmd_say("would clean %s", h->names[i]);
	for (size_t i = 0; h->archived[i] != NULL; i++)
		cmd_say("would clean archive/%s", h->archived[i]);
	say_sum(h, &sum);
	cmd_say("in all: %s", sum.data);
}

static bool
is_agreed(const struct heap *h)
{
	AUTO_BUF question = BUF_INIT;

	if (h->o->yes || !confirm_possible())
		return true;
	buf_adds(&question, "Remove ");
	say_sum(h, &question);
	buf_adds(&question, " for good?");
	return confirm(question.data);
}

/* ---- deeds --------------------------------------------------------------------- */

static int
remove_heap(const struct heap *h)
{
	AUTO_BUF sum = BUF_INIT;
	struct err err = ERR_INIT;
	int rc = EX_OK;

	for (size_t i = 0; h->names[i] != NULL; i++)
		if (clean_one(h->names[i], h->o) != EX_OK)
			rc = EX_FAILED;
	for (size_t i = 0; h->archived[i] != NULL; i++)
		if (home_archived_remove(h->home, h->archived[i], &err) == 0) {
			cmd_say("cleaned archive/%s", h->archived[i]);
		} else {
			error("%s", err.text);
			rc = EX_FAILED;
		}
	say_sum(h, &sum);
	swarm_hint("in all: %s", sum.data);
	return rc;
}

static int
clean_heap(struct heap *h, struct err *err)
{
	int unread = workers_each(pick_worker, h, err);
	int rc = EX_OK;

	if (unread < 0 || (h->o->archive && pick_archived(h, err) < 0))
		return -1;
	if (h->o->dry_run)
		clean_all_say_plan(h);
	else if (h->names[0] == NULL && h->archived[0] == NULL)
		;
	else if (is_agreed(h))
		rc = remove_heap(h);
	else
		swarm_hint("nothing was removed");
	clean_all_say_kept(h);
	/* A worker that is refused, or cannot be read, was named when it was looked at. */
	return unread > 0 ? EX_FAILED : rc;
}

int
clean_all(const struct clean_options *o, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	struct heap h = {
	    .o = o,
	    .home = home,
	    .swarm = strcmp(log_name(), "swarm") == 0,
	    .now = clock_wall(),
	    .names = xcalloc(1, sizeof(*h.names)),
	    .archived = xcalloc(1, sizeof(*h.archived)),
	    .spared = xcalloc(1, sizeof(*h.spared)),
	};
	int rc = home >= 0 ? clean_heap(&h, err) : err->code == ENOENT ? EX_OK : -1;

	strlist_free(h.names);
	strlist_free(h.archived);
	strlist_free(h.spared);
	return rc;
}
