#include "watch/python.h"

/* ---- texts --------------------------------------------------------------------------- */

/* The length of the shortest text, as far as it is looked for; 0: there is none. */
static size_t
need_least(const struct python_need *need)
{
	size_t least = need->count > 0 ? NEEDLE_BYTES : 0;

	for (size_t i = 0; i < need->count; i++)
		least = need->text[i].len < least ? need->text[i].len : least;
	return least;
}

/* Of two needs that a match has, the one that less text meets. */
static void
need_consider(struct python_need *need, const struct python_need *other)
{
	size_t mine = need_least(need), theirs = need_least(other);

	if (theirs > mine || (theirs == mine && other->count < need->count))
		*need = *other;
}

/* The need of a match that has one of two needs. */
static void
need_either(struct python_need *need, const struct python_need *other)
{
	if (need->count == 0 || other->count == 0 || need->count + other->count > NEEDLES_MAX) {
		need->count = 0;
		return;
	}
	memcpy(need->text + need->count, other->text, other->count * sizeof(*other->text));
	need->count += other->count;
}

/* ---- sequences ----------------------------------------------------------------------- */

static void
run_extend(struct python_frame *f)
{
	if (f->run.len == 0)
		f->run.at = f->last_text.at;
	f->run.len = (uint16_t)(f->run.len + f->last_text.len);
	f->last_text.len = 0;
}

static void
run_end(struct python_frame *f)
{
	if (f->run.len >= NEEDLE_MIN)
		need_consider(&f->sequence_need, &(struct python_need){1, {f->run}});
	f->run.len = 0;
}

void
need_item(struct python_frame *f)
{
	if (f->last_text.len > 0) {
		run_extend(f);
	} else if (f->item == ITEM_ATOM || f->item == ITEM_REPEAT) {
		run_end(f);
		need_consider(&f->sequence_need, &f->last_need);
	}
	f->last_need.count = 0;
}

void
need_literal(struct python *py, uint32_t cp)
{
	size_t at = py->literals->len;

	/* U+FFFD also matches bytes that are no text. */
	if ((py->flags & PYTHON_IGNORECASE) || cp == 0xfffd)
		return;
	buf_addrune(py->literals, cp);
	python_top(py)->last_text =
	    (struct python_text){(uint16_t)at, (uint16_t)(py->literals->len - at)};
}

/* What is repeated is there once at least, or need not be there at all.  The text ends with
 * it: more of the same may follow. */
void
need_repeat(struct python_frame *f, uint64_t min)
{
	if (min > 0)
		run_extend(f);
	else
		f->last_need.count = f->last_text.len = 0;
}

/* ---- groups -------------------------------------------------------------------------- */

void
need_branch(struct python_frame *f)
{
	run_end(f);
	if (f->branches == 0)
		f->finished_need = f->sequence_need;
	else
		need_either(&f->finished_need, &f->sequence_need);
	f->sequence_need.count = 0;
}

/* A look around is no part of a match, and a condition may have no second branch. */
void
need_group(struct python_frame *around, const struct python_frame *group)
{
	if (group->kind == GROUP_PLAIN || group->kind == GROUP_CAPTURE)
		around->last_need = group->finished_need;
}

void
need_tell(const struct python *py, const struct python_frame *top, struct needles *n)
{
	const struct python_need *need = &top->finished_need;

	for (size_t i = 0; i < need->count; i++)
		needles_add(n, py->literals->data + need->text[i].at, need->text[i].len);
	needles_ready(n);
}
