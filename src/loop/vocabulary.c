/*
 * vocabulary.c - the names behind the enums, from the same rows.
 */
#include "loop/loop.h"

#include <string.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static int
find(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

static const char *const verdict_names[] = {
#define X(id, name, worth, tally, help) [VERDICT_##id] = name,
    VERDICTS(X)
#undef X
};
static const enum verdict_worth verdict_worths[] = {
#define X(id, name, worth, tally, help) [VERDICT_##id] = worth,
    VERDICTS(X)
#undef X
};
static const enum verdict_tally verdict_tallies[] = {
#define X(id, name, worth, tally, help) [VERDICT_##id] = tally,
    VERDICTS(X)
#undef X
};
_Static_assert(LEN(verdict_names) == VERDICT_COUNT, "every verdict has a name");

const char *
verdict_name(enum verdict v)
{
	return verdict_names[v];
}

enum verdict_worth
verdict_worth(enum verdict v)
{
	return verdict_worths[v];
}

enum verdict_tally
verdict_tally(enum verdict v)
{
	return verdict_tallies[v];
}

bool
verdict_is_idle(enum verdict v)
{
	return v == VERDICT_IDLE || v == VERDICT_RESTED || v == VERDICT_HUNG;
}

int
verdict_parse(const char *name)
{
	return find(verdict_names, VERDICT_COUNT, name);
}

static const char *const fate_names[] = {
#define X(id, name, help) [FATE_##id] = name,
    FATES(X)
#undef X
};

const char *
fate_name(enum fate f)
{
	return fate_names[f];
}

int
fate_parse(const char *name)
{
	return find(fate_names, FATE_COUNT, name);
}

static const char *const end_names[] = {
#define X(id, name, status, word, code, help, alert, sentence, tickets, todo) [END_##id] = name,
    END_REASONS(X)
#undef X
};
static const char *const end_statuses[] = {
#define X(id, name, status, word, code, help, alert, sentence, tickets, todo) \
	[END_##id] = status,
    END_REASONS(X)
#undef X
};
static const char *const end_words[] = {
#define X(id, name, status, word, code, help, alert, sentence, tickets, todo) [END_##id] = word,
    END_REASONS(X)
#undef X
};
static const int end_codes[] = {
#define X(id, name, status, word, code, help, alert, sentence, tickets, todo) [END_##id] = code,
    END_REASONS(X)
#undef X
};
_Static_assert(LEN(end_names) == END_COUNT, "every reason has a name");

const char *
end_reason_name(enum end_reason r)
{
	return end_names[r];
}

const char *
end_reason_status(enum end_reason r)
{
	return end_statuses[r];
}

const char *
end_reason_word(enum end_reason r)
{
	return end_words[r];
}

int
end_reason_code(enum end_reason r)
{
	return end_codes[r];
}

int
end_reason_parse(const char *name)
{
	return find(end_names, END_COUNT, name);
}

bool
end_reason_asked(enum end_reason r)
{
	return r == END_STOPPED || r == END_KILLED || r == END_INTERRUPTED ||
	       r == END_TERMINATED;
}

bool
end_reason_complete(enum end_reason r)
{
	return r != END_NONE && end_codes[r] == EX_OK;
}

bool
end_reason_promised(enum end_reason r, bool always)
{
	return end_reason_complete(r) ||
	       (always && (r == END_MAX_TICKETS || r == END_SOME_FAILED || r == END_UNCHECKED ||
			      r == END_UNLANDED || r == END_BLOCKED));
}

static const char *const signal_names[] = {
#define X(id, name, verdict, politely, alert, help) [SIGNAL_##id] = name,
    SIGNALS(X)
#undef X
};
_Static_assert(LEN(signal_names) == SIGNAL_COUNT, "every signal has a name");

const char *
signal_name(enum signal_kind k)
{
	return signal_names[k];
}

int
signal_parse(const char *name)
{
	return find(signal_names, SIGNAL_COUNT, name);
}

static const char *const fact_names[] = {
#define X(id, name, apply, fields, help) [FACT_##id] = name,
    FACTS(X)
#undef X
};
static const unsigned fact_masks[] = {
#define X(id, name, apply, fields, help) [FACT_##id] = fields,
    FACTS(X)
#undef X
};
_Static_assert(LEN(fact_names) == FACT_COUNT, "every fact has a name");
_Static_assert(FIELD_COUNT <= 32, "the members of a fact fit a mask");

const char *
fact_name(enum fact_kind k)
{
	return fact_names[k];
}

unsigned
fact_fields(enum fact_kind k)
{
	return fact_masks[k];
}

int
fact_parse(const char *name)
{
	return find(fact_names, FACT_COUNT, name);
}

static const char *const wanted_names[] = {
    [WANT_RUN] = "run",
    [WANT_PAUSE] = "pause",
    [WANT_LEAVE] = "leave",
    [WANT_STOP] = "stop",
};
_Static_assert(LEN(wanted_names) == WANT_COUNT, "every wish has a name");

static const char *const tell_names[] = {
#define X(id, name) [TELL_##id] = name,
    TELLS(X)
#undef X
};

const char *
tell_name(enum tell t)
{
	return tell_names[t];
}

int
tell_parse(const char *name)
{
	return find(tell_names, TELL_COUNT, name);
}

const char *
wanted_name(enum wanted w)
{
	return wanted_names[w];
}

int
wanted_parse(const char *name)
{
	return find(wanted_names, WANT_COUNT, name);
}
