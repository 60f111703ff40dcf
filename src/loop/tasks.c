/*
 * tasks.c - which of the candidates may start now: tasks, attempts, components.
 */
#include "loop/deciding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- components ------------------------------------------------------------------ */

static bool
has_component(const char *list, const char *name, size_t len)
{
	while (*list != '\0') {
		size_t n = strcspn(list, ",");

		if (n == len && memcmp(list, name, len) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

/* The first component that both lists have, in *len bytes; NULL when none. */
static const char *
shared_component(const char *a, const char *b, size_t *len)
{
	for (; *a != '\0'; a += *len + (a[*len] == ',')) {
		*len = strcspn(a, ",");
		if (has_component(b, a, *len))
			return a;
	}
	return NULL;
}

/* "*" stands for a list that is too long to be kept: any component may be in it. */
static bool
is_any(const char *components)
{
	return strcmp(components, "*") == 0;
}

/* May two tasks with these components not run at the same time?  *len bytes at *what are the
 * reason; none when one of them has no components. */
static bool
overlap(
    const struct policy *policy, const char *a, const char *b, const char **what, size_t *len)
{
	bool untagged = *a == '\0' || *b == '\0';

	*what = "";
	*len = 0;
	if (untagged && policy->untagged == UNTAGGED_EXCLUSIVE)
		return true;
	if (untagged && policy->untagged == UNTAGGED_ONE)
		return *a == *b;
	if (untagged)
		return false;
	if (is_any(a) || is_any(b))
		return true;
	*what = shared_component(a, b, len);
	return *what != NULL;
}

static void
components_copy(char to[COMPONENTS_MAX], const char *from)
{
	if (from != NULL && strlen(from) >= COMPONENTS_MAX)
		from = "*";
	loop_text_copy(to, COMPONENTS_MAX, from);
}

/* ---- candidates ------------------------------------------------------------------ */

static bool
tasks_is_active(const struct loop_state *s, const char *task)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->sessions[i].state != SESSION_FREE &&
		    strcmp(s->sessions[i].task, task) == 0)
			return true;
	return false;
}

/* May this run still try the candidate, now or later? */
static bool
is_eligible(const struct loop_state *s, const struct candidate *c)
{
	const struct loop_task *task = loop_find_task(s, c->id);

	/* A task whose id does not fit cannot be told from others, and is never started. */
	return strlen(c->id) < TASK_ID_MAX &&
	       (task == NULL || (!task->completed && !task->failed && !task->unlanded));
}

/* A further attempt may begin, too: max_iterations counts tasks, not attempts. */
static bool
may_begin(const struct loop_state *s, const struct candidate *c)
{
	const struct loop_task *task = loop_find_task(s, c->id);

	return !schedule_iterations_used(s) || (task != NULL && task->attempts > 0);
}

/* The session that the candidate has to wait for; NULL: none. */
static const struct loop_session *
in_the_way(const struct loop_state *s, const struct candidate *c, struct idle_slot *idle)
{
	char components[COMPONENTS_MAX];
	const char *what;
	size_t len;

	components_copy(components, c->components);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &s->sessions[i];

		if (one->state == SESSION_FREE || one->state == SESSION_WAITING ||
		    !overlap(&s->policy, components, one->components, &what, &len))
			continue;
		loop_text_copy(idle->task, sizeof(idle->task), c->id);
		loop_text_copy(idle->session, sizeof(idle->session), one->id);
		(void)snprintf(
		    idle->component, sizeof(idle->component), "%.*s", (int)len, what);
		return one;
	}
	return NULL;
}

/* Starts the task with an agent that waits for one, or with a new agent. */
static void
start_task(struct deciding *d, const struct candidate *c)
{
	const struct loop_task *task = loop_find_task(&d->s, c->id);
	const struct loop_session *agent = led_waiting_agent(&d->s);
	const struct regime_row *row = regime_row(&d->s.policy);
	struct fact *f = fact_new(d, agent == NULL ? FACT_STARTED : FACT_ASSIGNED);

	f->iteration = d->s.iteration + 1;
	if (agent == NULL)
		(void)snprintf(
		    f->session, sizeof(f->session), "%s-%" PRId64, d->s.uid, f->iteration);
	else
		loop_text_copy(f->session, sizeof(f->session), agent->id);
	loop_text_copy(f->task, sizeof(f->task), c->id);
	if (row->knows)
		loop_text_copy(f->title, sizeof(f->title), c->title);
	if (row->marks.lands) {
		f->attempt = (task == NULL ? 0 : task->attempts) + 1;
		components_copy(f->components, c->components);
	}
	fact_emit(d, f);
	effect_for(d, agent == NULL ? EFFECT_START : EFFECT_ASSIGN,
	    loop_find_session(&d->s, f->session), false);
}

bool
tasks_start(struct deciding *d)
{
	struct idle_slot idle = {.task = ""};
	bool started = false;
	size_t i;

	for (i = 0; i < d->in->ncandidates; i++) {
		const struct candidate *c = &d->in->candidates[i];
		struct idle_slot why = {.task = ""};

		if (c->taken || tasks_is_active(&d->s, c->id) || !is_eligible(&d->s, c) ||
		    !may_begin(&d->s, c))
			continue;
		if (!schedule_has_room(&d->s, d->in->now.boot)) {
			d->out->resting = schedule_slots_resting(&d->s, d->in->now.boot);
			return true;
		}
		if (in_the_way(&d->s, c, &why) != NULL) {
			if (idle.task[0] == '\0')
				idle = why;
			continue;
		}
		start_task(d, c);
		started = true;
	}
	if (schedule_may_start(&d->s, d->in->now.boot))
		d->out->idle = idle;
	return started;
}

const char *
tasks_too_long(const struct deciding *d)
{
	for (size_t i = 0; i < d->in->ncandidates; i++)
		if (strlen(d->in->candidates[i].id) >= TASK_ID_MAX)
			return d->in->candidates[i].id;
	return NULL;
}

bool
tasks_any_taken(const struct deciding *d)
{
	for (size_t i = 0; i < d->in->ncandidates; i++)
		if (d->in->candidates[i].taken && is_eligible(&d->s, &d->in->candidates[i]))
			return true;
	return false;
}

bool
tasks_any_eligible(const struct deciding *d)
{
	for (size_t i = 0; i < d->in->ncandidates; i++)
		if (is_eligible(&d->s, &d->in->candidates[i]))
			return true;
	return false;
}
