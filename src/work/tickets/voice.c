/*
 * voice.c - how a loop over tickets speaks, in the words of its seed:
 *
 *   Launching dispatch for pt-123... session=rapture-owl
 *   [triggerTurn: rapture-owl completed]
 *   pt-123: COMPLETE (exit 0)
 */
#include "loop/friendly.h"
#include "record/words.h"
#include "work/tickets/dispatch.h"
#include <inttypes.h>

/* Adds the friendly name of an iteration. */
static void
add_friendly(const struct loop_state *s, int64_t iteration, struct buf *out)
{
	char name[FRIENDLY_MAX];

	friendly_name(s->uid, iteration, name);
	buf_adds(out, name);
}

static bool
tickets_voice_say_started(const struct loop_state *s, const struct fact *f, struct buf *out)
{
	buf_adds(out, "Launching dispatch for ");
	words_safe(f->task, out);
	buf_adds(out, "... session=");
	add_friendly(s, f->iteration, out);
	if (f->attempt > 1)
		buf_addf(out, " (attempt %" PRId64 ")", f->attempt);
	buf_adds(out, "\n  attach: ralph attach ");
	add_friendly(s, f->iteration, out);
	return true;
}

static bool
say_unstarted(const struct loop_state *s, const struct fact *f, struct buf *out)
{
	add_friendly(s, f->iteration, out);
	buf_adds(out, " was not started: no agent is wanted now");
	return true;
}

/* A session whose work lands is reported when the landing is over. */
static bool
tickets_voice_say_ended(const struct loop_state *s, const struct fact *f, struct buf *out)
{
	if (f->landing != 0)
		return false;
	buf_adds(out, "\n[triggerTurn: ");
	add_friendly(s, f->iteration, out);
	buf_addf(out, " %s]\nWhat it did so far is kept; the ticket is tried again.",
	    f->verdict == VERDICT_LOST ? "lost" : "stopped");
	return true;
}

/* Says what became of the work.  The text of the fact adds what the fate does not say: it goes
 * between the two words; where there is no second one, the first says it all. */
static void
add_fate(const struct fact *f, struct buf *out)
{
	static const char *const words[FATE_COUNT][2] = {
	    [FATE_NONE] = {"\n", ""},
	    [FATE_MERGED] = {"\nMerging worktree... done", NULL},
	    [FATE_WAITING] = {"\nMerging worktree... waits: ", ""},
	    [FATE_CLEARED] = {"\nCleaning up worktree... done", NULL},
	    [FATE_COPIED] = {"\nCleaning up worktree... done (", ")"},
	    [FATE_KEPT] = {"\n", ""},
	};

	if (f->text[0] == '\0' && strcmp(words[f->fate][0], "\n") == 0)
		return;
	buf_adds(out, words[f->fate][0]);
	if (words[f->fate][1] == NULL)
		return;
	words_safe(f->text, out);
	buf_adds(out, words[f->fate][1]);
}

static bool
tickets_voice_say_landed(const struct loop_state *s, const struct fact *f, struct buf *out)
{
	bool done = verdict_is_success(f->verdict);

	buf_adds(out, "\n[triggerTurn: ");
	add_friendly(s, f->iteration, out);
	buf_adds(out, verdict_is_interrupted(f->verdict) ? " stopped]\n" : " completed]\n");
	words_safe(f->task, out);
	if (verdict_is_interrupted(f->verdict)) {
		buf_adds(out, ": interrupted; its work is kept");
		return true;
	}
	buf_addf(out, ": %s (", done ? "COMPLETE" : "FAILED");
	words_cause(f->verdict, f->exit, out);
	buf_addc(out, ')');
	add_fate(f, out);
	if (f->why[0] != '\0') {
		buf_addc(out, '\n');
		words_safe(f->why, out);
	}
	if (f->others[0] != '\0') {
		buf_adds(out, "\nIt changed how other tickets stand, which did not land: ");
		words_safe(f->others, out);
	}
	/* Not in a run that ends here. */
	if (f->retry != 0 && s->phase == PHASE_OPEN)
		buf_adds(out, "\nIt will be tried again.");
	buf_adds(out, "\nProgress updated.");
	return true;
}

typedef bool say_fn(const struct loop_state *state, const struct fact *f, struct buf *out);

static say_fn *const sayings[FACT_COUNT] = {
    [FACT_STARTED] = tickets_voice_say_started,
    [FACT_UNSTARTED] = say_unstarted,
    [FACT_ENDED] = tickets_voice_say_ended,
    [FACT_LANDED] = tickets_voice_say_landed,
};

/* Facts about tickets have words of their own, other facts the words of any loop.  The last
 * words of a run name tickets that the state does not have; callers that know the names say
 * those words. */
bool
tickets_voice_line(const struct decided *d, const struct fact *f, struct buf *out)
{
	static const unsigned common = 1u << FACT_WANTED | 1u << FACT_ALERT |
				       1u << FACT_EDITED | 1u << FACT_REOPENED |
				       1u << FACT_SIGNALLED | 1u << FACT_LIMITED;
	enum fact_kind kind = f->kind;

	if (sayings[kind] != NULL && sayings[kind](d->state, f, out))
		return true;
	/* A promise ends only its own session, and the end of the session is reported. */
	if (kind == FACT_SIGNALLED && f->signal == SIGNAL_DONE)
		return false;
	/* An alert at the end comes after the end. */
	for (size_t i = 0; i < d->n && kind == FACT_ALERT; i++)
		if (d->facts[i].kind == FACT_FINISHED)
			return false;
	return (common >> kind & 1) != 0 && console_line(d, f, out);
}
