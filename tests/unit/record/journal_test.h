/*
 * journal_test.h - a loop's life to write down, and what its journal must open to.
 */
#ifndef TESTS_RECORD_JOURNAL_TEST_H
#define TESTS_RECORD_JOURNAL_TEST_H

#include "base/clock.h"
#include "record/codec.h"
#include "record/journal.h"
#include "scratch.h"

#define JOURNAL "journal.jsonl"
#define SNAPSHOT "snapshot.json"

static const struct settings settings = {
    .max_iterations = 1000, .max_failures = 5, .parallel = 1};

/* The n-th decision (from 1) of a loop whose agents succeed and fail in turn. */
static inline size_t
decision(int64_t n, struct fact facts[2])
{
	int64_t iteration = n / 2;
	bool failed = iteration % 3 == 0;
	char session[SESSION_ID_MAX];

	memset(facts, 0, 2 * sizeof(facts[0]));
	facts[0].at = facts[1].at = (struct when){n * 1000, 1700000000000000000 + n};
	if (n == 1) {
		facts[0].kind = FACT_OPENED;
		memcpy(facts[0].uid, "00112233", 9);
		facts[1].kind = FACT_SUPERVISED;
		facts[1].pid = 77;
		memcpy(facts[1].boot_id, "boot", 5);
		return 2;
	}
	snprintf(session, sizeof(session), "00112233-%lld", (long long)iteration);
	memcpy(facts[0].session, session, sizeof(session));
	facts[0].iteration = iteration;
	if (n % 2 == 0) {
		facts[0].kind = FACT_STARTED;
		memcpy(facts[0].task, "prompt", 7);
		return 1;
	}
	facts[0].kind = FACT_ENDED;
	facts[0].verdict = failed ? VERDICT_FAILED : VERDICT_DONE;
	facts[0].exit = (struct exit_status){EXIT_CODE, failed};
	facts[0].failures = failed;
	facts[1].kind = failed ? FACT_BACKOFF : FACT_DELAYED;
	facts[1].until = facts[1].at;
	facts[1].delay = 1000;
	return 2;
}

/* The state after n decisions, as text. */
static inline void
fold(int64_t n, struct buf *out)
{
	struct loop_state s;
	struct fact facts[2];
	AUTO_JSON *v = NULL;

	loop_init(&s, &settings, REGIME_REPEAT);
	for (int64_t i = 1; i <= n; i++) {
		size_t count = decision(i, facts);

		for (size_t k = 0; k < count; k++)
			loop_apply(&s, &facts[k]);
	}
	v = state_to_json(&s);
	buf_clear(out);
	json_print(v, true, out);
}

static inline void
assert_state(const struct loop_state *s, int64_t n)
{
	AUTO_JSON *v = state_to_json(s);
	AUTO_BUF expected = BUF_INIT;
	AUTO_BUF got = BUF_INIT;

	fold(n, &expected);
	json_print(v, true, &got);
	assert_string_equal(got.data, expected.data);
}

struct opened {
	struct journal *j;
	struct loop_state state;
	struct buf notes;
	struct err err;
};

static inline void
open_journal(const struct scratch *tmp, bool readonly, struct opened *o)
{
	*o = (struct opened){.notes = BUF_INIT, .err = ERR_INIT};
	loop_init(&o->state, &settings, REGIME_REPEAT);
	o->j = journal_open(tmp->dir, readonly, &o->state, &o->notes, &o->err);
}

static inline void
close_journal(struct opened *o)
{
	journal_close(o->j);
	buf_release(&o->notes);
}

/* How many decisions lead to that state: one opens the loop, and then each agent's start is
 * one, and its end. */
static inline int64_t
decisions(const struct loop_state *s)
{
	if (s->phase == PHASE_NEW)
		return 0;
	return 1 + 2 * s->iteration - (loop_busy(s) > 0);
}

static inline int
append_as(struct opened *o, enum fs_sync sync)
{
	struct fact facts[2];
	size_t count = decision(decisions(&o->state) + 1, facts);

	if (journal_append(o->j, facts, count, sync, &o->err) < 0)
		return -1;
	for (size_t k = 0; k < count; k++)
		loop_apply(&o->state, &facts[k]);
	return 0;
}

static inline int
append(struct opened *o)
{
	return append_as(o, FS_SYNC);
}

static inline void
write_lines(const struct scratch *tmp, int64_t lines)
{
	struct opened o;

	open_journal(tmp, false, &o);
	assert_non_null(o.j);
	while (decisions(&o.state) < lines)
		if (append(&o) < 0)
			fail_msg("%s", o.err.text);
	close_journal(&o);
}

/* Opens to exactly n lines, noting something or not. */
static inline void
assert_opens(const struct scratch *tmp, bool readonly, int64_t n, bool noted)
{
	struct opened o;

	open_journal(tmp, readonly, &o);
	if (o.j == NULL)
		fail_msg("%s", o.err.text);
	assert_int_equal(decisions(&o.state), n);
	assert_state(&o.state, n);
	assert_int_equal(o.notes.len > 0, noted);
	close_journal(&o);
}

/* The same with a snapshot whenever one is due, and at the end if asked. */
static inline void
write_with_snapshots(const struct scratch *tmp, int64_t lines, bool last)
{
	struct opened o;

	open_journal(tmp, false, &o);
	assert_non_null(o.j);
	while (decisions(&o.state) < lines) {
		assert_int_equal(append(&o), 0);
		assert_int_equal(journal_snapshot(o.j, &o.state, false, &o.err), 0);
	}
	if (last)
		assert_int_equal(journal_snapshot(o.j, &o.state, true, &o.err), 0);
	close_journal(&o);
}

#endif
