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
	enum verdict_worth worth;
	enum verdict_tally tally;
} verdict_columns[] = {
#define X(id, name, worth, tally, help) {worth, tally},
    VERDICTS(X)
#undef X
};

COLUMN(verdict, enum verdict, enum verdict_worth, worth)
COLUMN(verdict, enum verdict, enum verdict_tally, tally)

bool
verdict_is_idle(enum verdict v)
{
	return v == VERDICT_IDLE || v == VERDICT_RESTED || v == VERDICT_HUNG;
}

static const struct {
	const char *status;
	const char *word;
	int code;
} end_reason_columns[] = {
#define X(id, name, status, word, code, help, alert, sentence, tickets, todo) \
	{status, word, code},
    END_REASONS(X)
#undef X
};

COLUMN(end_reason, enum end_reason, const char *, status)
COLUMN(end_reason, enum end_reason, const char *, word)
COLUMN(end_reason, enum end_reason, int, code)

bool
end_reason_asked(enum end_reason r)
{
	return r == END_STOPPED || r == END_KILLED || r == END_INTERRUPTED ||
	       r == END_TERMINATED;
}

bool
end_reason_complete(enum end_reason r)
{
	return r != END_NONE && end_reason_code(r) == EX_OK;
}

bool
end_reason_promised(enum end_reason r, bool always)
{
	return end_reason_complete(r) ||
	       (always && (r == END_MAX_TICKETS || r == END_SOME_FAILED || r == END_UNCHECKED ||
			      r == END_UNLANDED || r == END_BLOCKED));
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
