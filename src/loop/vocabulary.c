/*
 * vocabulary.c - the names and the columns behind the enums, from the same rows.
 */
#include "loop/vocabulary.h"

#include "loop/loop.h"
#include <string.h>

int
vocabulary_find(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

VOCABULARY(verdict, enum verdict, VERDICTS)
VOCABULARY(end_reason, enum end_reason, END_REASONS)
VOCABULARY(cause, enum verdict_cause, CAUSES)
VOCABULARY(fate, enum fate, FATES)
VOCABULARY(signal, enum signal_kind, SIGNALS)
VOCABULARY(fact, enum fact_kind, FACTS)
VOCABULARY(wanted, enum wanted, WISHES)
VOCABULARY(tell, enum tell, TELLS)
VOCABULARY(phase, enum loop_phase, PHASES)
VOCABULARY(session_state, enum session_state, SESSION_STATE_ROWS)
VOCABULARY(exit_how, enum exit_how, EXIT_HOWS)

/* Defines an accessor of one column of a table. */
#define COLUMN(table, type, result, column)           \
	result table##_##column(type value)           \
	{                                             \
		return table##_columns[value].column; \
	}

static const struct {
	enum verdict_worth worth, landed_worth;
	enum verdict_tally tally;
	enum verdict_cost cost;
	enum verdict_clock clock;
	enum verdict_cause cause;
	enum verdict_hold hold;
} verdict_columns[] = {
#define X(id, name, worth, landed, tally, cost, clock, cause, hold, help)          \
	{WORTH_##worth, WORTH_##landed, TALLY_##tally, COST_##cost, CLOCK_##clock, \
	    CAUSE_##cause, HOLD_##hold},
    VERDICTS(X)
#undef X
};

COLUMN(verdict, enum verdict, enum verdict_worth, worth)
COLUMN(verdict, enum verdict, enum verdict_worth, landed_worth)
COLUMN(verdict, enum verdict, enum verdict_tally, tally)
COLUMN(verdict, enum verdict, enum verdict_cost, cost)
COLUMN(verdict, enum verdict, enum verdict_clock, clock)
COLUMN(verdict, enum verdict, enum verdict_cause, cause)
COLUMN(verdict, enum verdict, enum verdict_hold, hold)

bool
verdict_is_success(enum verdict v)
{
	return verdict_worth(v) == WORTH_SUCCESS;
}

bool
verdict_is_interrupted(enum verdict v)
{
	return verdict_cost(v) == COST_INTERRUPTED;
}

bool
verdict_is_idle(enum verdict v)
{
	return verdict_clock(v) == CLOCK_INACTIVITY;
}

static const struct {
	const char *status;
	const char *word;
	int code;
	enum end_by by;
	bool worked_off, again;
} end_reason_columns[] = {
#define X(id, name, status, word, code, by, worked, again, help, alert, run, tickets, todo) \
	{status, word, code, BY_##by, worked, again},
    END_REASONS(X)
#undef X
};

COLUMN(end_reason, enum end_reason, const char *, status)
COLUMN(end_reason, enum end_reason, const char *, word)
COLUMN(end_reason, enum end_reason, int, code)
COLUMN(end_reason, enum end_reason, enum end_by, by)

bool
end_reason_asked(enum end_reason r)
{
	return end_reason_by(r) == BY_USER;
}

bool
end_reason_complete(enum end_reason r)
{
	return r != END_NONE && end_reason_code(r) == EX_OK;
}

bool
end_reason_promised(enum end_reason r, bool always)
{
	return end_reason_complete(r) || (always && end_reason_columns[r].worked_off);
}

bool
end_reason_tries_again(enum end_reason r)
{
	return end_reason_columns[r].again;
}

static const struct {
	enum signal_words words;
	bool report;
} signal_columns[] = {
#define X(id, name, verdict, alert, words, report, help) {WORDS_##words, report},
    SIGNALS(X)
#undef X
};

COLUMN(signal, enum signal_kind, enum signal_words, words)

bool
signal_is_report(enum signal_kind k)
{
	return signal_columns[k].report;
}

static const struct {
	unsigned fields;
} fact_columns[] = {
#define X(id, name, apply, fields, help) {fields},
    FACTS(X)
#undef X
};
_Static_assert(FIELD_COUNT <= 32, "the members of a fact fit a mask");

COLUMN(fact, enum fact_kind, unsigned, fields)
