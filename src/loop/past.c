/*
 * past.c - what a run remembers of its tasks and of the questions asked about them.
 */
#include "loop/deciding.h"

#include <string.h>

/* ---- tasks ---------------------------------------------------------------------- */

/* FNV-1a, 64 bits. */
uint64_t
past_hash_add(uint64_t h, char c)
{
	return (h ^ (unsigned char)c) * UINT64_C(0x100000001b3);
}

static uint64_t
task_hash(const char *id)
{
	uint64_t h = PAST_HASH_BEGIN;

	for (; *id != '\0'; id++)
		h = past_hash_add(h, *id);
	return h;
}

const struct loop_task *
loop_find_task(const struct loop_state *state, const char *id)
{
	uint64_t hash = task_hash(id);

	for (size_t i = 0; i < state->ntasks; i++)
		if (state->tasks[i].hash == hash)
			return &state->tasks[i];
	return NULL;
}

struct loop_task *
past_task_note(struct loop_state *s, const char *id)
{
	const struct loop_task *known = loop_find_task(s, id);
	struct loop_task *task;

	if (known != NULL)
		return &s->tasks[known - s->tasks];
	if (!regime_row(&s->policy)->marks.lands || s->ntasks == LOOP_MAX_TASKS)
		return NULL;
	task = &s->tasks[s->ntasks++];
	memset(task, 0, sizeof(*task));
	task->hash = task_hash(id);
	return task;
}

void
past_task_unstarted(struct loop_state *s, const char *id)
{
	struct loop_task *task = past_task_note(s, id);

	if (task != NULL && task->attempts > 0)
		task->attempts--;
}

void
past_task_outcome(struct loop_state *s, const struct fact *f)
{
	struct loop_task *task = past_task_note(s, f->task);
	bool leads = regime_row(&s->policy)->marks.leads;

	if (task == NULL)
		return;
	if (verdict_is_success(f->verdict) && f->fate == FATE_WAITING && leads) {
		s->unlanded += !task->completed && !task->unlanded;
		task->unlanded = !task->completed;
	} else if (verdict_is_success(f->verdict) && !task->completed) {
		s->unlanded -= task->unlanded;
		task->unlanded = false;
		s->completed++;
		task->completed = true;
	} else if (!verdict_is_success(f->verdict) && f->retry == 0 && !task->failed) {
		s->failed++;
		task->failed = true;
	}
}

/* ---- questions ------------------------------------------------------------------ */

static struct loop_asked *
asked_find(struct loop_state *s, uint64_t hash)
{
	for (size_t i = 0; i < LOOP_MAX_ASKED; i++)
		if (s->asked[i].times > 0 && s->asked[i].hash == hash)
			return &s->asked[i];
	return NULL;
}

int64_t
loop_times_asked(const struct loop_state *state, const char *task, const char *question)
{
	uint64_t hash = loop_question(task, question);

	for (size_t i = 0; i < LOOP_MAX_ASKED; i++)
		if (state->asked[i].times > 0 && state->asked[i].hash == hash)
			return state->asked[i].times;
	return 0;
}

void
past_asked_note(struct loop_state *s, const char *id, const char *question)
{
	uint64_t hash = loop_question(id, question);
	struct loop_asked *asked = asked_find(s, hash);
	struct loop_task *task = past_task_note(s, id);

	if (asked == NULL) {
		asked = &s->asked[s->nasked++ % LOOP_MAX_ASKED];
		*asked = (struct loop_asked){.hash = hash};
	}
	asked->times++;
	if (task != NULL && task->questions < UINT16_MAX)
		task->questions++;
}
