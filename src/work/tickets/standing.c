/*
 * standing.c - how the tickets of a project stand, for those who only look.
 */
#include "work/tickets/standing.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "git/landing/astray.h"
#include "git/landing/landing.h"
#include "work/tickets/config.h"
#include "work/tickets/former.h"
#include "work/tickets/project.h"
#include "work/tickets/views/tickets_view.h"
#include <errno.h>

#define FILE_LIMIT ((size_t)64 << 20)

static bool
is_among(char *const *names, const char *id)
{
	AUTO_BUF name = BUF_INIT;

	ticket_slug(id, &name);
	return strlist_has(names, name.data);
}

const struct ticket **
standing_waiting(struct backlog *b, const char *dir, char **branch, size_t *n)
{
	char **names = land_waiting_tickets(dir, branch);
	const struct ticket *const *all;
	const struct ticket **list = NULL;
	size_t count;

	*n = 0;
	if (names == NULL)
		return NULL;
	count = backlog_all(b, &all);
	list = xcalloc(count + 1, sizeof(struct ticket *));
	for (size_t i = 0; i < count; i++)
		if (all[i]->status != TICKET_CLOSED && is_among(names, all[i]->id))
			list[(*n)++] = all[i];
	strlist_free(names);
	return list;
}

static void
standing_read_file(int dir, const char *name, struct buf *out)
{
	struct err err = ERR_INIT;

	if (fs_read(dir, name, FILE_LIMIT, out, &err) < 0 && err.code != ENOENT)
		warning("%s", err.text);
}

/* Finds where the tickets are, by the configuration, and the branch that it names; warns of
 * what is wrong with the configuration. */
static char *
tickets_dir(const char *root, char **base)
{
	struct loop_config c;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	char *dir = NULL;

	if (config_load(root, &c, &notes, &err) < 0) {
		warning("%s", err.text);
		return backlog_find_dir(root, NULL);
	}
	dir = c.settings.tickets == NULL ? backlog_find_dir(root, NULL)
					 : take_ptr(c.settings.tickets);
	*base = take_ptr(c.base);
	config_release(&c);
	return dir;
}

static void
look_at_claims(struct standing *st, const char *tickets)
{
	struct err err = ERR_INIT;

	st->claims = claims_open_tickets(st->root, tickets, &err);
	if (st->claims == NULL || claims_read(st->claims, &err) < 0)
		warning("%s", err.text);
}

const struct claim *
standing_elsewhere(const struct standing *st, size_t *at)
{
	while (st->claims != NULL && *at < claims_count(st->claims)) {
		const struct claim *c = claims_at(st->claims, (*at)++);

		if (claim_is_alive(c) && strcmp(c->worktree, claims_worktree(st->claims)) != 0)
			return c;
	}
	return NULL;
}

static bool
is_in_work(const struct standing *st, const struct ticket *t)
{
	const struct claim *c = st->claims == NULL ? NULL : claims_find(st->claims, t->id);

	return c != NULL && claim_is_alive(c);
}

static void
look_for_ready(struct standing *st)
{
	const struct ticket *const *list;
	size_t n = backlog_ready(st->backlog, &list);

	st->lists[STANDING_READY].of = xcalloc(n + 1, sizeof(const struct ticket *));
	st->lists[STANDING_WORKING].of = xcalloc(n + 1, sizeof(const struct ticket *));
	for (size_t i = 0; i < n; i++) {
		int which = is_in_work(st, list[i]) ? STANDING_WORKING : STANDING_READY;

		st->lists[which].of[st->lists[which].n++] = list[i];
	}
}

static void
look_at_tickets(struct standing *st)
{
	AUTO_FREE char *dir = tickets_dir(st->root, &st->branch);
	struct err err = ERR_INIT;

	if (dir == NULL)
		return;
	look_at_claims(st, dir);
	st->backlog = backlog_open(dir, &err);
	if (st->backlog == NULL || backlog_refresh(st->backlog, &err) < 0) {
		warning("%s", err.text);
		backlog_close(st->backlog);
		st->backlog = NULL;
		return;
	}
	/* Counts these tickets as a loop does: nobody need begin them, and others may build on
	 * them. */
	st->lists[STANDING_DONE].of =
	    standing_waiting(st->backlog, st->root, &st->branch, &st->lists[STANDING_DONE].n);
	for (size_t i = 0; i < st->lists[STANDING_DONE].n; i++)
		backlog_settle(st->backlog, st->lists[STANDING_DONE].of[i]->id);
	look_for_ready(st);
}

/* Tells how a run stands that nobody supervises now and that is not over, and what goes on with
 * it. */
static void
look_for_left(struct standing *st)
{
	AUTO_VIEW v = VIEW_INIT;

	if (!former_view(st->root, &v))
		return;
	if (v.state.phase != PHASE_FINISHED) {
		buf_addf(&st->who, "%s, ", v.name);
		loop_view_condition(&v, &st->who);
		st->busy = 1;
	}
}

void
standing_look(struct standing *st, const char *root, int dir)
{
	struct err err = ERR_INIT;
	AUTO_BUF progress = BUF_INIT;
	AUTO_BUF lessons = BUF_INIT;

	*st = (struct standing){.root = root,
	    .state = BUF_INIT,
	    .statistics = BUF_INIT,
	    .who = BUF_INIT,
	    .waiting = BUF_INIT};
	standing_read_file(dir, "progress.md", &progress);
	tickets_progress_section(&progress, "Current State", &st->state);
	tickets_progress_section(&progress, "Statistics", &st->statistics);
	standing_read_file(dir, "AGENTS.md", &lessons);
	st->lessons = tickets_lessons_count(&lessons);
	look_at_tickets(st);
	land_waiting(st->root, &st->waiting);
	st->gone = json_array();
	ENSURE(st->gone != NULL);
	astray_list(st->root, &st->branch, st->gone);
	st->busy = project_busy(st->root, &st->who, &err);
	if (st->busy < 0)
		warning("%s", err.text);
	else if (st->busy == 0)
		look_for_left(st);
}

void
standing_release(struct standing *st)
{
	for (int which = 0; which < STANDING_LISTS; which++)
		free(st->lists[which].of);
	backlog_close(st->backlog);
	claims_close(st->claims);
	free(st->branch);
	json_decref(st->gone);
	buf_release(&st->state);
	buf_release(&st->statistics);
	buf_release(&st->who);
	buf_release(&st->waiting);
}
