#include "work/todo/story.h"

#include "base/alloc.h"
#include <inttypes.h>
#include <string.h>

static void
story_put(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from);
}

void
story_release(struct story *s)
{
	strlist_free(s->completed);
	strlist_free(s->stuck);
	free(s->commits);
	free(s->left);
	free(s->questions);
	*s = (struct story){.started = 0};
}

/* ---- lists ------------------------------------------------------------------------- */

static char **
with(char **list, const char *text)
{
	return strlist_has(list, text) ? list : strlist_add(list, text);
}

static char **
without(char **list, const char *text)
{
	char **out = NULL;

	for (char **at = list; at != NULL && *at != NULL; at++)
		if (strcmp(*at, text) != 0)
			out = strlist_add(out, *at);
	strlist_free(list);
	return out;
}

static void
forget_left(struct story *s, const char *task)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nleft; i++)
		if (strcmp(s->left[i].task, task) != 0)
			s->left[n++] = s->left[i];
	s->nleft = n;
}

static void
story_add_left(struct story *s, const char *task, const char *why)
{
	forget_left(s, task);
	s->left = xreallocarray(s->left, s->nleft + 1, sizeof(*s->left));
	story_put(s->left[s->nleft].task, sizeof(s->left->task), task);
	story_put(s->left[s->nleft++].why, sizeof(s->left->why), why);
}

static void
story_add_commit(struct story *s, const struct fact *f)
{
	for (size_t i = 0; i < s->ncommits; i++)
		if (strcmp(s->commits[i].hash, f->key) == 0)
			return; /* told again */
	s->commits = xreallocarray(s->commits, s->ncommits + 1, sizeof(*s->commits));
	story_put(s->commits[s->ncommits].task, sizeof(s->commits->task), f->task);
	story_put(s->commits[s->ncommits].hash, sizeof(s->commits->hash), f->key);
	s->commits[s->ncommits++].at = f->at.wall;
}

static struct story_question *
find_question(const struct story *s, const char *key)
{
	for (size_t i = 0; i < s->nquestions; i++)
		if (strcmp(s->questions[i].key, key) == 0)
			return &s->questions[i];
	return NULL;
}

const struct story_question *
story_question(const struct story *s, const char *task, const char *text)
{
	char key[20];

	(void)snprintf(key, sizeof(key), "%016" PRIx64, loop_question(task, text));
	return find_question(s, key);
}

static void
add_question(struct story *s, const struct fact *f)
{
	char key[20];
	struct story_question *q;

	(void)snprintf(key, sizeof(key), "%016" PRIx64, loop_question(s->turn.task, f->text));
	q = find_question(s, key);
	if (q == NULL) {
		s->questions =
		    xreallocarray(s->questions, s->nquestions + 1, sizeof(*s->questions));
		q = &s->questions[s->nquestions++];
		*q = (struct story_question){.n = 0};
		story_put(q->task, sizeof(q->task), s->turn.task);
		story_put(q->text, sizeof(q->text), f->text);
		story_put(q->key, sizeof(q->key), key);
	}
	q->n++;
	q->at = f->at.wall;
}

static void
note_lack(struct story *s, enum tell what, const char *text)
{
	story_put(s->lack.task, sizeof(s->lack.task), s->turn.task);
	story_put(s->lack.text, sizeof(s->lack.text), text);
	s->lack.what = what;
}

static void
told(struct story *s, const struct fact *f)
{
	int what = tell_parse(f->key);

	if (what == TELL_HELP)
		add_question(s, f);
	else if (what == TELL_REMINDER || what == TELL_UNVERIFIED)
		note_lack(s, (enum tell)what, f->text);
}

/* ---- facts ------------------------------------------------------------------------- */

static void
began(struct story *s, const struct fact *f)
{
	s->turn = (struct story_turn){.iteration = f->iteration};
	story_put(s->turn.task, sizeof(s->turn.task), f->task);
	story_put(s->turn.title, sizeof(s->turn.title), f->title);
	story_put(s->turn.session, sizeof(s->turn.session), f->session);
}

static const char *
story_why_left(const struct story *s, const struct fact *f)
{
	if (f->verdict == VERDICT_BLOCKED)
		return s->turn.notes;
	return f->verdict == VERDICT_NOT_CLOSED ? "no worker said that it is done"
						: verdict_name(f->verdict);
}

static void
story_landed(struct story *s, const struct fact *f)
{
	if (f->kind == FACT_LANDED)
		s->turn.over = true;
	if (f->key[0] != '\0')
		story_add_commit(s, f);
	if (verdict_is_success(f->verdict) && f->fate == FATE_WAITING) {
		s->stuck = without(s->stuck, f->task);
		story_add_left(s, f->task, f->text);
		return;
	}
	if (f->verdict == VERDICT_UNVERIFIED)
		note_lack(s, TELL_UNVERIFIED, f->text);
	if (verdict_is_success(f->verdict)) {
		s->completed = with(s->completed, f->task);
		s->stuck = without(s->stuck, f->task);
		forget_left(s, f->task);
		return;
	}
	if (verdict_is_interrupted(f->verdict))
		return;
	if (f->verdict == VERDICT_BLOCKED)
		s->stuck = with(s->stuck, f->task);
	if (f->retry == 0)
		story_add_left(s, f->task, story_why_left(s, f));
}

void
story_fact(struct story *s, const struct fact *f)
{
	s->last = f->at.wall;
	if (f->kind == FACT_OPENED)
		s->started = f->at.wall;
	else if (f->kind == FACT_STARTED || f->kind == FACT_ASSIGNED)
		began(s, f);
	else if (f->kind == FACT_SIGNALLED && f->signal == SIGNAL_STUCK)
		story_put(s->turn.notes, sizeof(s->turn.notes), f->text);
	else if (f->kind == FACT_TELLING)
		told(s, f);
	else if (f->kind == FACT_ENDED && f->iteration == s->turn.iteration) {
		s->turn.duration = f->duration;
		story_put(s->turn.notes, sizeof(s->turn.notes), f->why);
		s->turn.over = f->landing == 0;
	} else if (f->kind == FACT_LANDED || f->kind == FACT_SETTLED)
		story_landed(s, f);
}
