/*
 * keys.c - from the bytes of config.json and the environment to values.
 */
#include "work/tickets/keys.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

#define COUNT_LIMIT INT64_C(1000000)
#define MS_LIMIT (INT64_C(366) * 24 * 3600 * 1000) /* a year */

enum key_type {
	TEXT,	/* char *; a blank one is none */
	WORDS,	/* char *, as it stands */
	LIST,	/* char ** */
	COUNT,	/* int64_t */
	MS,	/* int64_t: milliseconds, kept as ns */
	CHOICE, /* int: which of the words; true and false are words, too */
	FLAG,	/* bool */
	NOT,	/* bool: the contrary of what the key says */
};

struct key {
	enum key_type type;
	size_t offset; /* in struct loop_config */
	const char *name;
	const char *dflt; /* as JSON; NULL: not set */
	const char *help;
	const char *env;     /* its environment variable; NULL */
	const char *choices; /* CHOICE */
	int64_t least;	     /* COUNT, MS */
};

/* Type, member, name, default and help; then whatever else the row has. */
#define KEY(type_, member, name_, dflt_, ...)                                    \
	{                                                                        \
		.type = (type_), .offset = offsetof(struct loop_config, member), \
		.name = (name_), .dflt = (dflt_), .help = __VA_ARGS__            \
	}

static const struct key rows[] = {
    /* The keys that the original has. */
    KEY(COUNT, settings.max_iterations, "maxIterations", "50", "tickets to start at most",
	.least = 1),
    KEY(COUNT, settings.attempts, "maxIterationsPerTicket", "1",
	"attempts at one ticket in a run, the first included", .least = 1),
    KEY(TEXT, settings.ticket_query, "ticketQuery", "\"" DEFAULT_TICKET_QUERY "\"",
	"a shell command that prints ready tickets, each the first word of a line; the "
	"default is answered without running it"),
    KEY(TEXT, settings.completion_check, "completionCheck", "\"" DEFAULT_COMPLETION_CHECK "\"",
	"a shell command that succeeds while there is work; the default is answered "
	"without running it"),
    KEY(MS, settings.delay, "sleepBetweenTickets", "0",
	"wait after a ticket before the next one starts in its place"),
    KEY(MS, settings.look_again, "sleepBetweenRetries", "10000",
	"wait before asking again when the query printed nothing though there is work"),
    KEY(TEXT, workflow, "workflow", "\"/tf\"", "what pi is asked to do with a ticket"),
    KEY(WORDS, workflow_flags, "workflowFlags", "\"--auto\"",
	"the flags that follow the ticket in what pi is asked to do"),
    KEY(FLAG, name_knowledge, "includeKnowledgeBase", "true",
	"prompts of other workers than pi name the knowledge directory, if it is there"),
    KEY(FLAG, name_planning, "includePlanningDocs", "true",
	"prompts of other workers than pi name the planning documents in the knowledge "
	"directory, if there are any"),
    KEY(CHOICE, promise, "promiseOnComplete", "true",
	"print <promise>COMPLETE</promise> when all is done (exit code 0); \"always\": "
	"whenever the run is over, and progress.md says COMPLETE then",
	.choices = "false|true|always"),
    KEY(COUNT, settings.lessons_max, "lessonsMaxCount", "50",
	"lessons that AGENTS.md keeps, the newest", .least = 1),
    KEY(TEXT, session_dir, "sessionDir", NULL,
	"where pi keeps its own sessions (pi --session-dir)"),
    KEY(FLAG, session_per_ticket, "sessionPerTicket", "true",
	"always true: every ticket has a session of its own"),
    KEY(COUNT, settings.parallel, "parallelWorkers", "1", "sessions at once, at most 64",
	.least = 1),
    KEY(FLAG, use_worktrees, "useWorktrees", "true",
	"each ticket in a git worktree of its own, where there is git"),
    KEY(TEXT, settings.worktrees_dir, "parallelWorktreesDir", "\".tf/ralph/worktrees\"",
	"the directory in which the worktrees are made"),
    KEY(FLAG, allow_untagged, "parallelAllowUntagged", "false",
	"true: one ticket without components at a time may run beside others; see untagged"),
    KEY(NOT, serial_in_place, "serialUseWorktree", "true",
	"false: no worktrees while parallelWorkers is 1"),
    KEY(TEXT, settings.component_prefix, "componentTagPrefix", "\"component:\"",
	"tags that begin with it name components"),
    KEY(FLAG, settings.keep_worktrees, "parallelKeepWorktrees", "false",
	"do not remove the worktrees of tickets that are done"),
    KEY(NOT, settings.unmerged, "parallelAutoMerge", "true",
	"false: work is committed to its branch and stays in its worktree, unmerged"),
    KEY(MS, dispatch_timeout, "parallelDispatchTimeoutMs", NULL,
	"another name of attemptTimeoutMs, which wins where both are set",
	.env = "RALPH_PARALLEL_DISPATCH_TIMEOUT_MS"),
    KEY(MS, settings.iteration_timeout, "attemptTimeoutMs", "1800000",
	"end an agent that works longer on a ticket; 0: never",
	.env = "RALPH_ATTEMPT_TIMEOUT_MS"),
    KEY(COUNT, max_restarts, "maxRestarts", NULL,
	"attempts after a timeout, at most maxIterationsPerTicket in all where that is set",
	.env = "RALPH_MAX_RESTARTS"),
    KEY(FLAG, backoff, "timeoutBackoffEnabled", "false",
	"give every further attempt at a ticket more time"),
    KEY(MS, settings.timeout_step, "timeoutBackoffIncrementMs", "150000",
	"how much more time each further attempt gets, with timeoutBackoffEnabled"),
    KEY(MS, settings.timeout_max, "timeoutBackoffMaxMs", "0",
	"the most time that an attempt gets, with timeoutBackoffEnabled; 0: no limit"),
    KEY(CHOICE, backend, "executionBackend", NULL,
	"interactive: agents get a terminal; dispatch and subprocess both mean pipes",
	.choices = "dispatch|subprocess|interactive"),
    KEY(FLAG, shell_enabled, "interactiveShell.enabled", "true",
	"false: agents get pipes, whatever interactiveShell.mode says"),
    KEY(CHOICE, shell_mode, "interactiveShell.mode", NULL,
	"another name of executionBackend, which wins where both are set",
	.choices = "dispatch|interactive"),
    KEY(MS, settings.session_ttl, "sessionTtlMs", "604800000",
	"how long dispatch-sessions.json remembers sessions that are over", .least = 1),
    KEY(CHOICE, log_level, "logLevel", "\"normal\"",
	"how much is said on stderr; pi is told the same", .env = "RALPH_LOG_LEVEL",
	.choices = "quiet|normal|verbose|debug"),
    KEY(FLAG, capture_json, "captureJson", "false", "pi writes JSON events (pi --mode json)",
	.env = "RALPH_CAPTURE_JSON"),

    /* Keys of ours. */
    KEY(CHOICE, worktree, "worktree", NULL,
	"always: refuse to run without git; useWorktrees gives auto or never",
	.choices = CHOICES_worktree),
    KEY(CHOICE, settings.untagged, "untagged", NULL,
	"what a ticket without components may run beside: anything, tagged ones, "
	"nothing; free in worktrees and exclusive without unless set",
	.choices = CHOICES_untagged),
    KEY(CHOICE, settings.success, "success", "\"evidence\"",
	"what exit status 0 needs besides: closed or promised, closed, nothing",
	.choices = CHOICES_success),
    KEY(LIST, settings.retry_on, "retryOn", NULL,
	"the causes that get another attempt: exit, timeout, not-closed, verify, "
	"conflict; all unless set"),
    KEY(FLAG, fail_fast, "failFast", "false", "start nothing more once a ticket has failed"),
    KEY(LIST, worker, "worker", NULL,
	"the agent's program and arguments, {ticket} {title} {file} {worktree} {attempt} "
	"filled in; pi unless set"),
    KEY(TEXT, prompt, "prompt", NULL,
	"a file with the prompt, {ticket} {title} {file} {worktree} {attempt} filled in; "
	"the ticket's text unless set"),
    KEY(LIST, settings.env, "env", NULL, "K=V for the agents' environment"),
    KEY(MS, settings.inactivity_timeout, "idleTimeoutMs", "0",
	"end an agent whose screen stands still for so long; 0: never"),
    KEY(MS, settings.grace, "graceMs", "10000",
	"how long an agent has between SIGTERM and SIGKILL", .least = 1),
    KEY(MS, settings.max_runtime, "maxRuntimeMs", "0",
	"end the whole run after so long; 0: never"),
    KEY(TEXT, settings.tickets, "ticketsDir", NULL,
	"the directory of the tickets; as tk finds it unless set"),
    KEY(TEXT, base, "base", NULL,
	"the branch that work starts from and lands on; the one that is checked out "
	"unless set"),
    KEY(TEXT, settings.setup, "setup", NULL, "a shell command for every new worktree"),
    KEY(MS, settings.setup_timeout, "setupTimeoutMs", "1800000",
	"how long setup may take; the ticket has failed then", .least = 1),
    KEY(LIST, settings.copy, "copy", "[\".env\"]",
	"untracked files that every new worktree gets a copy of"),
    KEY(LIST, settings.drop, "drop", "[\".tf/ralph\"]", "paths whose changes never land"),
    KEY(TEXT, settings.verify, "verify", NULL,
	"a shell command that must succeed on the merged result before it lands"),
    KEY(MS, settings.verify_timeout, "verifyTimeoutMs", "1800000",
	"how long verify may take; the ticket has failed then", .least = 1),
    KEY(TEXT, settings.merge_message, "mergeMessage", "\"Merge ralph/{ticket}\"",
	"the message of a landing's commit, {ticket} and {title} filled in"),
    KEY(NOT, settings.leave_changes, "commitLeftovers", "true",
	"commit what an agent left uncommitted"),
    KEY(FLAG, settings.keep_branches, "keepBranches", "false",
	"do not delete branches that were merged"),
    KEY(CHOICE, settings.progress, "progressFormat", "\"blocks\"",
	"how progress.md tells what was done", .choices = CHOICES_progress),
    KEY(TEXT, settings.on_alert, "onAlert", NULL, "a shell command for every alert"),
};
_Static_assert(ARRAY_LEN(rows) <= KEYS_MAX, "origin has room for every key");

/* Variables that stand for one value of a key; those of the rows come later and win. */
static const struct {
	const char *env, *key, *value;
} switches[] = {
    {"RALPH_QUIET", "logLevel", "quiet"},
    {"RALPH_VERBOSE", "logLevel", "verbose"},
    {"RALPH_DEBUG", "logLevel", "debug"},
    {"RALPH_NO_INTERACTIVE_SHELL", "executionBackend", "subprocess"},
    {"RALPH_FORCE_LEGACY_SESSIONS", "sessionDir", ".tf/ralph/sessions"},
};

static void *
member(struct loop_config *c, const struct key *row)
{
	return (char *)c + row->offset;
}

static void
value_free(struct loop_config *c, const struct key *row)
{
	if (row->type == TEXT || row->type == WORDS)
		free(take_ptr(*(char **)member(c, row)));
	else if (row->type == LIST)
		strlist_free(take_ptr(*(char ***)member(c, row)));
}

void
keys_release(struct loop_config *c)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		value_free(c, &rows[i]);
}

/* ---- one value ----------------------------------------------------------------------- */

/* "must be X, not Y" */
static int
keys_refuse(const json_t *given, struct err *err, const char *wanted)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;

	json_print(given, true, &text);
	text_show(&shown, text.data, text.len > 60 ? 60 : text.len, false);
	return err_set(
	    err, "must be %s, not %s%s", wanted, shown.data, text.len > 60 ? "..." : "");
}

static int
set_number(int64_t *out, const struct key *row, const json_t *given, struct err *err)
{
	int64_t limit = row->type == MS ? MS_LIMIT : COUNT_LIMIT;
	int64_t n = json_is_integer(given) ? json_integer_value(given) : -1;
	char wanted[96];

	if (n < row->least || n > limit) {
		(void)snprintf(wanted, sizeof(wanted),
		    "a whole number%s from %" PRId64 " to %" PRId64,
		    row->type == MS ? " of milliseconds" : "", row->least, limit);
		return keys_refuse(given, err, wanted);
	}
	*out = row->type == MS ? n * NSEC_PER_MSEC : n;
	return 0;
}

static int
set_choice(int *out, const struct key *row, const json_t *given, struct err *err)
{
	const char *word = json_is_boolean(given) ? (json_is_true(given) ? "true" : "false")
						  : json_string_value(given);
	int n = word == NULL ? -1 : text_choice(row->choices, word);
	AUTO_BUF wanted = BUF_INIT;

	if (n >= 0) {
		*out = n;
		return 0;
	}
	buf_adds(&wanted, "one of ");
	for (const char *p = row->choices; *p != '\0'; p++)
		if (*p == '|')
			buf_adds(&wanted, ", ");
		else
			buf_addc(&wanted, *p);
	return keys_refuse(given, err, wanted.data);
}

bool
key_is_blank(const char *text)
{
	return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

static int
set_value(struct loop_config *c, const struct key *row, const json_t *given,
    enum key_origin origin, struct err *err)
{
	const char *text = json_string_value(given);
	char **list = NULL;
	void *out = member(c, row);

	switch (row->type) {
	case TEXT:
	case WORDS:
		if (text == NULL && !json_is_null(given))
			return keys_refuse(given, err, "a text");
		if (row->type == TEXT && key_is_blank(text))
			text = NULL;
		value_free(c, row);
		*(char **)out = text == NULL ? NULL : xstrdup(text);
		break;
	case LIST:
		list = json_to_strlist(given);
		if (list == NULL)
			return keys_refuse(given, err, "a list of texts");
		value_free(c, row);
		*(char ***)out = list;
		break;
	case COUNT:
	case MS:
		if (set_number(out, row, given, err) < 0)
			return -1;
		break;
	case CHOICE:
		if (set_choice(out, row, given, err) < 0)
			return -1;
		break;
	case FLAG:
	case NOT:
		if (!json_is_boolean(given))
			return keys_refuse(given, err, "true or false");
		*(bool *)out = json_is_true(given) == (row->type == FLAG);
		break;
	}
	c->origin[row - rows] = (unsigned char)origin;
	return 0;
}

/* ---- defaults and file --------------------------------------------------------------- */

void
keys_defaults(struct loop_config *c)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *text = rows[i].dflt;
		AUTO_JSON *value =
		    text == NULL ? NULL : json_parse(text, strlen(text), rows[i].name, &err);

		if (text != NULL &&
		    (value == NULL || set_value(c, &rows[i], value, FROM_DEFAULT, &err) < 0))
			BUG("%s: %s", rows[i].name, err.text);
	}
}

static const struct key *
keys_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

enum key_origin
key_origin(const struct loop_config *c, const char *name)
{
	const struct key *row = keys_find(name);

	ENSURE(row != NULL);
	return (enum key_origin)c->origin[row - rows];
}

bool
key_given(const struct loop_config *c, const char *name)
{
	return key_origin(c, name) >= FROM_FILE;
}

/* Is it the first part of keys such as "interactiveShell.mode"? */
static bool
keys_is_group(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strncmp(rows[i].name, name, len) == 0 && rows[i].name[len] == '.')
			return true;
	return false;
}

static int
keys_unknown(const char *name, struct err *err)
{
	const char *names[ARRAY_LEN(rows)];
	const char *near;
	AUTO_BUF shown = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		names[i] = rows[i].name;
	near = text_nearest(name, names, ARRAY_LEN(rows));
	text_quote(&shown, name);
	return near == NULL
		   ? err_set(err, CONFIG_FILE ": there is no key %s", shown.data)
		   : err_set(err, CONFIG_FILE ": there is no key %s; did you mean '%s'?",
			 shown.data, near);
}

static int
read_object(const json_t *object, const char *prefix, struct loop_config *c, struct err *err)
{
	const char *key;
	json_t *given;

	json_object_foreach ((json_t *)(uintptr_t)object, key, given) {
		AUTO_FREE char *name = xasprintf("%s%s", prefix, key);
		const struct key *row = keys_find(name);

		if (row == NULL && json_is_object(given) && keys_is_group(name)) {
			AUTO_FREE char *inner = xasprintf("%s.", name);

			if (read_object(given, inner, c, err) < 0)
				return -1;
		} else if (row == NULL) {
			return keys_unknown(name, err);
		} else if (set_value(c, row, given, FROM_FILE, err) < 0) {
			return err_prefix(err, CONFIG_FILE ": %s", name);
		}
	}
	return 0;
}

int
keys_read(const char *text, size_t len, struct loop_config *c, struct err *err)
{
	AUTO_JSON *object = json_parse(text, len, CONFIG_FILE, err);

	if (object == NULL)
		return -1;
	if (!json_is_object(object))
		return err_set(err, CONFIG_FILE ": not a JSON object");
	return read_object(object, "", c, err);
}

/* ---- environment --------------------------------------------------------------------- */

/* The value of a variable as JSON of the row's type.  A value that does not fit the type stays
 * a text, and is refused as such. */
static json_t *
from_text(const struct key *row, const char *text)
{
	static const char *const yes[] = {"1", "true", "yes", "on"};
	static const char *const no[] = {"0", "false", "no", "off"};
	char *end;
	int64_t n;

	if (row->type == FLAG || row->type == NOT)
		for (size_t i = 0; i < ARRAY_LEN(yes); i++)
			if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0)
				return json_boolean(strcasecmp(text, yes[i]) == 0);
	if (row->type == COUNT || row->type == MS) {
		errno = 0;
		n = strtoll(text, &end, 10);
		if (errno == 0 && end != text && *end == '\0')
			return json_integer(n);
	}
	return json_text(text, strlen(text));
}

static int
set_from_variable(struct loop_config *c, const struct key *row, const char *variable,
    const char *text, struct err *err)
{
	AUTO_JSON *value = from_text(row, text);

	if (set_value(c, row, value, FROM_ENVIRONMENT, err) == 0)
		return 0;
	return err_prefix(err, "%s in the environment (%s)", variable, row->name);
}

int
keys_environment(struct loop_config *c, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
		const char *text = getenv(switches[i].env);

		/* Only "1": RALPH_DEBUG may also be the name of a file. */
		if (text != NULL && strcmp(text, "1") == 0 &&
		    set_from_variable(c, keys_find(switches[i].key), switches[i].env,
			switches[i].value, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *text = rows[i].env == NULL ? NULL : getenv(rows[i].env);

		if (text != NULL && *text != '\0' &&
		    set_from_variable(c, &rows[i], rows[i].env, text, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- help ---------------------------------------------------------------------------- */

void
keys_describe(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct key *row = &rows[i];

		buf_addf(out, "  %s: %s", row->name, row->help);
		if (row->choices != NULL)
			buf_addf(out, " (%s)", row->choices);
		if (row->dflt != NULL)
			buf_addf(out, " [%s]", row->dflt);
		if (row->env != NULL)
			buf_addf(out, " $%s", row->env);
		buf_addc(out, '\n');
	}
}
