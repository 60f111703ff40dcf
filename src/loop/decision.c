/*
 * decision.c - the facts and effects of one decision.
 */
#include "loop/deciding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fact *
fact_new(struct deciding *d, enum fact_kind kind)
{
	struct fact *f = &d->out->facts[d->out->nfacts];

	memset(f, 0, sizeof(*f));
	f->kind = kind;
	f->at = d->in->now;
	return f;
}

struct fact *
fact_for(struct deciding *d, enum fact_kind kind, const struct loop_session *one)
{
	struct fact *f = fact_new(d, kind);

	loop_text_copy(f->session, sizeof(f->session), one->id);
	return f;
}

void
fact_emit(struct deciding *d, const struct fact *f)
{
	d->out->nfacts++;
	loop_apply(&d->s, f);
}

struct effect *
effect_new(struct deciding *d, enum effect_kind kind)
{
	struct effect *e = &d->out->effects[d->out->neffects++];

	memset(e, 0, sizeof(*e));
	e->kind = kind;
	return e;
}

void
loop_text_copy(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from == NULL ? "" : from);
}

void
decide_alert(struct deciding *d, const char *fmt, ...)
{
	struct fact *f = fact_new(d, FACT_ALERT);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	fact_emit(d, f);
	loop_text_copy(effect_new(d, EFFECT_ALERT)->text, TEXT_MAX, f->text);
}

void
decide_want(struct deciding *d, enum wanted wanted, enum end_reason reason, const char *text)
{
	struct fact *f = fact_new(d, FACT_WANTED);

	f->wanted = wanted;
	f->reason = reason;
	loop_text_copy(f->text, sizeof(f->text), text);
	fact_emit(d, f);
}

void
effect_for(
    struct deciding *d, enum effect_kind kind, const struct loop_session *one, bool politely)
{
	struct effect *e = effect_new(d, kind);

	loop_text_copy(e->session, sizeof(e->session), one->id);
	loop_text_copy(e->task, sizeof(e->task), one->task);
	e->iteration = one->iteration;
	e->attempt = one->attempt;
	e->verdict = one->verdict;
	e->politely = politely;
}

void
decide_end_session(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, bool politely)
{
	decide_end_session_for(d, one, verdict, politely, NULL);
}

void
decide_end_session_for(struct deciding *d, const struct loop_session *one, enum verdict verdict,
    bool politely, const char *why)
{
	if (one->state != SESSION_ENDING || one->verdict != verdict) {
		struct fact *f = fact_for(d, FACT_ENDING, one);

		loop_text_copy(f->why, sizeof(f->why), why);
		f->verdict = verdict;
		fact_emit(d, f);
	}
	effect_for(d, EFFECT_END, one, politely);
}
