/*
 * history.c - the iterations of a loop, from its journal.
 */
#include "loops/history.h"

#include "base/alloc.h"
#include "loop/source_row.h"
#include "record/journal.h"
#include <string.h>

struct past_iteration *
history_session(const struct history *h, const char *session)
{
	for (size_t i = h->n; i > 0; i--)
		if (!h->all[i - 1].unstarted && strcmp(h->all[i - 1].session, session) == 0)
			return &h->all[i - 1];
	return NULL;
}

static void
history_begin(struct history *h, const struct fact *f)
{
	struct past_iteration *one;

	h->all = xgrow(h->all, h->n, &h->room, sizeof(*h->all));
	one = &h->all[h->n++];
	*one = (struct past_iteration){.number = f->iteration,
	    .attempt = f->attempt,
	    .started = f->at.wall,
	    .running = f->kind == FACT_ASSIGNED};
	memcpy(one->session, f->session, sizeof(one->session));
	memcpy(one->task, f->task, sizeof(one->task));
}

static void
history_end(struct past_iteration *one, const struct fact *f)
{
	one->ended = true;
	one->duration = f->duration;
	one->verdict = f->verdict;
	one->exit = f->exit;
	one->landing = f->landing != 0;
	one->gone = f->kept == 0;
}

static void
history_land(struct past_iteration *one, const struct fact *f)
{
	one->landed = true;
	one->verdict = f->verdict;
	one->fate = f->fate;
}

static void
history_take(void *ctx, const struct fact *f)
{
	struct history *h = ctx;
	struct past_iteration *one;

	if (f->kind == FACT_STARTED || f->kind == FACT_ASSIGNED) {
		history_begin(h, f);
		return;
	}
	if ((fact_fields(f->kind) & HAS(session)) == 0 ||
	    (one = history_session(h, f->session)) == NULL)
		return;
	if (f->kind == FACT_UNSTARTED)
		one->unstarted = true;
	else if (f->kind == FACT_RUNNING)
		one->running = true;
	else if (f->kind == FACT_ENDED)
		history_end(one, f);
	else if (f->kind == FACT_LANDED)
		history_land(one, f);
	else if (f->kind == FACT_DISMISSED)
		one->gone = true;
}

int
history_load(struct history *h, int loop_dirfd, struct err *err)
{
	struct history now = {.all = NULL};

	if (journal_each(loop_dirfd, history_take, &now, err) < 0) {
		history_release(&now);
		return -1;
	}
	history_release(h);
	*h = now;
	return 0;
}

void
history_release(struct history *h)
{
	free(take_ptr(h->all));
	h->n = h->room = 0;
}

const struct past_iteration *
history_find(const struct history *h, int64_t number)
{
	for (size_t i = h->n; i > 0; i--)
		if (!h->all[i - 1].unstarted && h->all[i - 1].number == number)
			return &h->all[i - 1];
	return NULL;
}

const struct past_iteration *
history_task(const struct history *h, const char *task)
{
	for (size_t i = h->n; i > 0; i--)
		if (!h->all[i - 1].unstarted && strcmp(h->all[i - 1].task, task) == 0)
			return &h->all[i - 1];
	return NULL;
}

bool
history_names_tasks(const struct settings *s)
{
	return source_row(s->source)->names_tasks;
}
