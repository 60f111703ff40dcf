#include "loop/ending.h"

#include "loop/deciding.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const sentences[][SAY_COUNT] = {
#define X(id, name, status, word, code, by, worked, again, help, alert, run, tickets, todo) \
	[END_##id] = {alert, run, tickets, todo},
    END_REASONS(X)
#undef X
};

struct line {
	char *out;
	size_t len;
};

static void
loop_ending_add(struct line *l, const char *text)
{
	size_t room = ENDING_MAX - 1 - l->len;
	size_t len = text == NULL ? 0 : strnlen(text, room);

	if (len > 0)
		memcpy(l->out + l->len, text, len);
	l->len += len;
	l->out[l->len] = '\0';
}

static void
add_number(struct line *l, int64_t n)
{
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "%" PRId64, n);
	loop_ending_add(l, digits);
}

/* ---- words -------------------------------------------------------------------------- */

static int64_t
ran(const struct loop_state *s)
{
	return s->iteration - s->returned;
}

static void
add_of(struct line *l, int64_t part, int64_t all, const char *what)
{
	add_number(l, part);
	loop_ending_add(l, " of ");
	add_number(l, all);
	loop_ending_add(l, what);
}

/* The original says "1 iterations". */
static void
add_n_iterations(const struct ending *e, struct line *l)
{
	int64_t n = e->iteration - e->state->returned;

	add_number(l, n);
	loop_ending_add(l, n == 1 && !loop_keeps_seed(e->state) ? " iteration" : " iterations");
}

static void
add_iterations(const struct ending *e, struct line *l)
{
	add_number(l, ran(e->state));
	loop_ending_add(l, ran(e->state) == 1 ? " iteration" : " iterations");
}

static void
add_tally(const struct ending *e, struct line *l)
{
	const struct loop_state *s = e->state;

	if (s->spoilt > 0) {
		loop_ending_add(l, "; ");
		add_of(l, s->spoilt, ran(s), " failed");
	}
	if (s->idled > 0) {
		loop_ending_add(l, s->spoilt > 0 ? ", " : "; ");
		add_of(l, s->idled, ran(s), " ended idle");
	}
}

static void
add_all_ran(const struct ending *e, struct line *l)
{
	if (e->state->policy.judged == 0) {
		loop_ending_add(l, "loop complete after ");
		add_n_iterations(e, l);
		return;
	}
	add_iterations(e, l);
	loop_ending_add(l, " done");
	add_tally(e, l);
}

static void
loop_ending_add_tasks(const struct ending *e, struct line *l)
{
	loop_ending_add(l, regime_row(&e->state->policy)->thing);
	loop_ending_add(l, "s");
}

static bool
is_tracked(const struct loop_state *s)
{
	return regime_row(&s->policy)->marks.tracked;
}

/* Adds the count of failed iterations, or of failed tasks. */
static void
loop_ending_add_failed(const struct ending *e, struct line *l)
{
	const struct loop_state *s = e->state;

	if (is_tracked(s) && e->text != NULL && e->text[0] != '\0') {
		loop_ending_add(l, e->text); /* also what failed in an earlier run */
	} else if (regime_row(&s->policy)->knows) {
		int64_t failed = s->failed + s->unfinished;

		add_of(l, failed, failed + s->completed, " ");
		loop_ending_add_tasks(e, l);
		loop_ending_add(l, " failed");
	} else if (s->spoilt > 0) {
		add_of(l, s->spoilt, ran(s), " iterations failed");
		if (s->idled > 0)
			loop_ending_add(l, ", ");
		if (s->idled > 0)
			add_of(l, s->idled, ran(s), " ended idle");
	} else {
		add_of(l, s->idled, ran(s), " iterations ended idle");
	}
}

static void
add_failures(const struct ending *e, struct line *l)
{
	add_number(l, e->state->failures);
}

static void
add_unlanded(const struct ending *e, struct line *l)
{
	bool one = e->state->unlanded == 1;

	add_number(l, e->state->unlanded);
	loop_ending_add(l, " ");
	loop_ending_add(l, regime_row(&e->state->policy)->thing);
	loop_ending_add(l, one ? " is" : "s are");
}

static void
add_and_more(const struct ending *e, struct line *l)
{
	const struct policy *policy = &e->state->policy;

	if (regime_row(policy)->marks.lands) {
		loop_ending_add(l, ", and there are more ");
		loop_ending_add_tasks(e, l);
	} else if (policy->sought != 0) {
		loop_ending_add(l, ", and the done pattern never matched");
	}
}

/* Adds what would have ended the loop before its iterations were used. */
static void
add_sought(const struct ending *e, struct line *l)
{
	loop_ending_add(l, e->state->policy.sought != 0
			       ? "the done pattern never matched"
			       : "the prompt command never said that all is complete");
}

static void
loop_ending_add_text(const struct ending *e, struct line *l)
{
	loop_ending_add(l, e->text);
}

static void
add_text_behind(const struct ending *e, struct line *l)
{
	if (e->text == NULL || e->text[0] == '\0')
		return;
	loop_ending_add(l, " ");
	loop_ending_add(l, e->text);
}

/* A graph's own text stands with the failed tasks; without a text, the graph's iterations were
 * used.  A todo list tells in words of its own. */
static void
add_and_left(const struct ending *e, struct line *l)
{
	const struct loop_state *s = e->state;
	bool text = e->text != NULL && e->text[0] != '\0';

	if (is_tracked(s) && !text && schedule_iterations_used(s)) {
		loop_ending_add(l, "; max iterations reached, and there are more ");
		loop_ending_add_tasks(e, l);
	} else if (ending_voice(&s->policy) == SAY_TICKETS && text) {
		loop_ending_add(l, ".");
		add_text_behind(e, l);
	}
}

static void
add_text_aside(const struct ending *e, struct line *l)
{
	if (e->text == NULL || e->text[0] == '\0')
		return;
	loop_ending_add(l, " (");
	loop_ending_add(l, e->text);
	loop_ending_add(l, ")");
}

static void
add_reason(const struct ending *e, struct line *l)
{
	loop_ending_add(l, end_reason_name(e->reason));
}

static void
add_resume(const struct ending *e, struct line *l)
{
	loop_ending_add(l, e->resume);
}

static void
loop_ending_add_way_on(const struct ending *e, struct line *l)
{
	loop_ending_add(l, e->way_on);
}

static const struct {
	const char *word;
	void (*add)(const struct ending *e, struct line *l);
} words[] = {
    {"n iterations", add_n_iterations},
    {"iterations", add_iterations},
    {"tally", add_tally},
    {"all ran", add_all_ran},
    {"failed", loop_ending_add_failed},
    {"failures", add_failures},
    {"tasks", loop_ending_add_tasks},
    {"and more", add_and_more},
    {"sought", add_sought},
    {"unlanded", add_unlanded},
    {"and left", add_and_left},
    {"text", loop_ending_add_text},
    {" text", add_text_behind},
    {"(text)", add_text_aside},
    {"reason", add_reason},
    {"resume", add_resume},
    {"way on", loop_ending_add_way_on},
};

static void
loop_ending_add_word(const struct ending *e, const char *word, size_t len, struct line *l)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].word) == len && memcmp(words[i].word, word, len) == 0)
			words[i].add(e, l);
}

bool
ending_say(const struct ending *e, enum end_voice voice, char out[ENDING_MAX])
{
	struct line l = {.out = out};
	const char *p = sentences[e->reason][voice];

	out[0] = '\0';
	while (p != NULL && *p != '\0') {
		char letters[2] = {*p, '\0'};
		size_t len = strcspn(p, "}");

		if (*p == '{') {
			loop_ending_add_word(e, p + 1, len - 1, &l);
			p += len + 1;
		} else {
			loop_ending_add(&l, letters);
			p++;
		}
	}
	return l.len > 0;
}

enum end_voice
ending_voice(const struct policy *policy)
{
	return regime_row(policy)->voice;
}
