/*
 * keys.c - from the bytes of config.json and the environment to values.
 */
#include "work/tickets/keys.h"
#include "loops/settings.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

#define COUNT_LIMIT INT64_C(1000000)
#define MS_LIMIT (INT64_C(366) * 24 * 3600 * 1000) /* a year */

/* A key that is no setting, but decides some at the start of a run: type, member of struct
 * loop_config, and its columns as in loop/settings.h. */
#define WISH(type_, member, ...)                                                     \
	{                                                                            \
		.type = OPT_##type_, .offset = offsetof(struct loop_config, member), \
		.help = __VA_ARGS__                                                  \
	}

static const struct setting wishes[] = {
    WISH(TEXT, workflow, "what pi is asked to do with a ticket", KEY("workflow", "\"/tf\"")),
    WISH(TEXT, workflow_flags, "the flags that follow the ticket in what pi is asked to do",
	KEY("workflowFlags", "\"--auto\""), .key_flags = KEY_BLANK),
    WISH(FLAG, name_knowledge,
	"prompts of other workers than pi name the knowledge directory, if it is there",
	KEY("includeKnowledgeBase", "true")),
    WISH(FLAG, name_planning,
	"prompts of other workers than pi name the planning documents in the knowledge "
	"directory, if there are any",
	KEY("includePlanningDocs", "true")),
    WISH(CHOICE, promise,
	"print <promise>COMPLETE</promise> when all is done (exit code 0); \"always\": "
	"whenever the run is over, and progress.md says COMPLETE then",
	KEY("promiseOnComplete", "true"), .choices = "false|true|always"),
    WISH(TEXT, session_dir, "where pi keeps its own sessions (pi --session-dir)",
	KEY("sessionDir", NULL)),
    WISH(FLAG, session_per_ticket, "always true: every ticket has a session of its own",
	KEY("sessionPerTicket", "true")),
    WISH(FLAG, use_worktrees, "each ticket in a git worktree of its own, where there is git",
	KEY("useWorktrees", "true")),
    WISH(FLAG, allow_untagged,
	"true: one ticket without components at a time may run beside others; see untagged",
	KEY("parallelAllowUntagged", "false")),
    WISH(FLAG, serial_in_place, "false: no worktrees while parallelWorkers is 1",
	KEY("serialUseWorktree", "true"), .key_flags = KEY_NOT),
    WISH(SPAN, dispatch_timeout,
	"another name of attemptTimeoutMs, which wins where both are set",
	KEY("parallelDispatchTimeoutMs", NULL), .env = "RALPH_PARALLEL_DISPATCH_TIMEOUT_MS",
	.key_flags = KEY_ZERO),
    WISH(COUNT, max_restarts,
	"attempts after a timeout, at most maxIterationsPerTicket in all where that is set",
	KEY("maxRestarts", NULL), .env = "RALPH_MAX_RESTARTS", .key_flags = KEY_ZERO),
    WISH(FLAG, backoff, "give every further attempt at a ticket more time",
	KEY("timeoutBackoffEnabled", "false")),
    WISH(CHOICE, backend,
	"interactive: agents get a terminal; dispatch and subprocess both mean pipes",
	KEY("executionBackend", NULL), .choices = "dispatch|subprocess|interactive"),
    WISH(FLAG, shell_enabled, "false: agents get pipes, whatever interactiveShell.mode says",
	KEY("interactiveShell.enabled", "true")),
    WISH(CHOICE, shell_mode, "another name of executionBackend, which wins where both are set",
	KEY("interactiveShell.mode", NULL), .choices = "dispatch|interactive"),
    WISH(CHOICE, log_level, "how much is said on stderr; pi is told the same",
	KEY("logLevel", "\"normal\""), .env = "RALPH_LOG_LEVEL",
	.choices = "quiet|normal|verbose|debug"),
    WISH(FLAG, capture_json, "pi writes JSON events (pi --mode json)",
	KEY("captureJson", "false"), .env = "RALPH_CAPTURE_JSON"),
    WISH(CHOICE, worktree,
	"always: refuse to run without git; useWorktrees gives auto or never",
	KEY("worktree", NULL), .choices = CHOICES_worktree),
    WISH(FLAG, fail_fast, "start nothing more once a ticket has failed",
	KEY("failFast", "false")),
    WISH(LIST, worker,
	"the agent's program and arguments, {ticket} {title} {file} {worktree} {attempt} "
	"filled in; pi unless set",
	KEY("worker", NULL)),
    WISH(TEXT, prompt,
	"a file with the prompt, {ticket} {title} {file} {worktree} {attempt} filled in; the "
	"ticket's text unless set",
	KEY("prompt", NULL)),
    WISH(TEXT, base,
	"the branch that work starts from and lands on; the one that is checked out unless set",
	KEY("base", NULL)),
};
#define KEY_ROWS (SETTINGS_COUNT + ARRAY_LEN(wishes))
_Static_assert(KEY_ROWS <= KEYS_MAX, "origin has room for every key");
_Static_assert(offsetof(struct loop_config, settings) == 0, "settings have their offsets here");

/* The settings, then the wishes.  Rows without a key are among them. */
static const struct setting *
keys_row(size_t i)
{
	return i < SETTINGS_COUNT ? &settings_table[i] : &wishes[i - SETTINGS_COUNT];
}

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
member(struct loop_config *c, const struct setting *row)
{
	return (char *)c + row->offset;
}

static void
value_free(struct loop_config *c, const struct setting *row)
{
	if (row->type == OPT_TEXT)
		free(take_ptr(*(char **)member(c, row)));
	else if (row->type == OPT_LIST)
		strlist_free(take_ptr(*(char ***)member(c, row)));
}

void
keys_release(struct loop_config *c)
{
	for (size_t i = 0; i < KEY_ROWS; i++)
		if (keys_row(i)->key != NULL)
			value_free(c, keys_row(i));
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
set_number(int64_t *out, const struct setting *row, const json_t *given, struct err *err)
{
	bool span = row->type == OPT_SPAN;
	int64_t least = row->key_flags & (KEY_ZERO | KEY_OFF) ? 0 : 1;
	int64_t limit = span ? MS_LIMIT : COUNT_LIMIT;
	int64_t n = json_is_integer(given) ? json_integer_value(given) : -1;
	char wanted[96];

	if (n < least || n > limit) {
		(void)snprintf(wanted, sizeof(wanted),
		    "a whole number%s from %" PRId64 " to %" PRId64,
		    span ? " of milliseconds" : "", least, limit);
		return keys_refuse(given, err, wanted);
	}
	*out = span ? n * NSEC_PER_MSEC : n;
	return 0;
}

static int
set_choice(int *out, const struct setting *row, const json_t *given, struct err *err)
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
set_value(struct loop_config *c, size_t i, const json_t *given, enum key_origin origin,
    struct err *err)
{
	const struct setting *row = keys_row(i);
	const char *text = json_string_value(given);
	char **list = NULL;
	void *out = member(c, row);

	switch (row->type) {
	case OPT_TEXT:
		if (text == NULL && !json_is_null(given))
			return keys_refuse(given, err, "a text");
		if (!(row->key_flags & KEY_BLANK) && key_is_blank(text))
			text = NULL;
		value_free(c, row);
		*(char **)out = text == NULL ? NULL : xstrdup(text);
		break;
	case OPT_LIST:
		list = json_to_strlist(given);
		if (list == NULL)
			return keys_refuse(given, err, "a list of texts");
		value_free(c, row);
		*(char ***)out = list;
		break;
	case OPT_COUNT:
	case OPT_SPAN:
	case OPT_SIZE:
		if (set_number(out, row, given, err) < 0)
			return -1;
		break;
	case OPT_CHOICE:
		if (set_choice(out, row, given, err) < 0)
			return -1;
		break;
	case OPT_FLAG:
		if (!json_is_boolean(given))
			return keys_refuse(given, err, "true or false");
		*(bool *)out = json_is_true(given) == !(row->key_flags & KEY_NOT);
		break;
	}
	c->origin[i] = (unsigned char)origin;
	return 0;
}

/* ---- defaults and file --------------------------------------------------------------- */

void
keys_defaults(struct loop_config *c)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < KEY_ROWS; i++) {
		const char *text = keys_row(i)->key_dflt, *key = keys_row(i)->key;
		AUTO_JSON *value =
		    text == NULL ? NULL : json_parse(text, strlen(text), key, &err);

		if (text != NULL &&
		    (value == NULL || set_value(c, i, value, FROM_DEFAULT, &err) < 0))
			BUG("%s: %s", key, err.text);
	}
}

/* The row of the key; KEY_ROWS: there is none. */
static size_t
keys_find(const char *name)
{
	size_t i = 0;

	while (
	    i < KEY_ROWS && (keys_row(i)->key == NULL || strcmp(keys_row(i)->key, name) != 0))
		i++;
	return i;
}

enum key_origin
key_origin(const struct loop_config *c, const char *name)
{
	size_t i = keys_find(name);

	ENSURE(i < KEY_ROWS);
	return (enum key_origin)c->origin[i];
}

bool
key_given(const struct loop_config *c, const char *name)
{
	return key_origin(c, name) >= FROM_FILE;
}

/* Lists all keys, and returns how many there are. */
static size_t
keys_list(const struct setting *list[KEY_ROWS])
{
	size_t n = 0;

	for (size_t i = 0; i < KEY_ROWS; i++)
		if (keys_row(i)->key != NULL)
			list[n++] = keys_row(i);
	return n;
}

/* Is it the first part of keys such as "interactiveShell.mode"? */
static bool
keys_is_group(const char *name)
{
	const struct setting *list[KEY_ROWS];
	size_t len = strlen(name);

	for (size_t i = keys_list(list); i-- > 0;)
		if (strncmp(list[i]->key, name, len) == 0 && list[i]->key[len] == '.')
			return true;
	return false;
}

static int
keys_unknown(const char *name, struct err *err)
{
	const struct setting *list[KEY_ROWS];
	const char *names[KEY_ROWS];
	const char *near;
	AUTO_BUF shown = BUF_INIT;
	size_t n = keys_list(list);

	for (size_t i = 0; i < n; i++)
		names[i] = list[i]->key;
	near = text_nearest(name, names, n);
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
		size_t row = keys_find(name);

		if (row == KEY_ROWS && json_is_object(given) && keys_is_group(name)) {
			AUTO_FREE char *inner = xasprintf("%s.", name);

			if (read_object(given, inner, c, err) < 0)
				return -1;
		} else if (row == KEY_ROWS) {
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
from_text(const struct setting *row, const char *text)
{
	static const char *const yes[] = {"1", "true", "yes", "on"};
	static const char *const no[] = {"0", "false", "no", "off"};
	char *end;
	int64_t n;

	if (row->type == OPT_FLAG)
		for (size_t i = 0; i < ARRAY_LEN(yes); i++)
			if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0)
				return json_boolean(strcasecmp(text, yes[i]) == 0);
	if (row->type == OPT_COUNT || row->type == OPT_SPAN) {
		errno = 0;
		n = strtoll(text, &end, 10);
		if (errno == 0 && end != text && *end == '\0')
			return json_integer(n);
	}
	return json_text(text, strlen(text));
}

static int
set_from_variable(
    struct loop_config *c, size_t row, const char *variable, const char *text, struct err *err)
{
	AUTO_JSON *value = from_text(keys_row(row), text);

	if (set_value(c, row, value, FROM_ENVIRONMENT, err) == 0)
		return 0;
	return err_prefix(err, "%s in the environment (%s)", variable, keys_row(row)->key);
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
	for (size_t i = 0; i < KEY_ROWS; i++) {
		const char *env = keys_row(i)->env;
		const char *text = env == NULL ? NULL : getenv(env);

		if (text != NULL && *text != '\0' &&
		    set_from_variable(c, i, env, text, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- help ---------------------------------------------------------------------------- */

static int
keys_compare(const void *a, const void *b)
{
	return strcmp(
	    (*(const struct setting *const *)a)->key, (*(const struct setting *const *)b)->key);
}

void
keys_describe(struct buf *out)
{
	const struct setting *list[KEY_ROWS];
	size_t n = keys_list(list);

	qsort(list, n, sizeof(const struct setting *), keys_compare);
	for (size_t i = 0; i < n; i++) {
		const struct setting *row = list[i];
		struct opt option = settings_option(row, OF_LOOP);
		const char *dflt = row->key_dflt != NULL ? row->key_dflt : option.dflt;

		buf_addf(out, "  %s: %s", row->key,
		    row->key_help != NULL ? row->key_help : option.help);
		if (row->key_flags & KEY_OFF)
			buf_adds(out, "; 0: never");
		if (row->choices != NULL)
			buf_addf(out, " (%s)", row->choices);
		if (dflt != NULL)
			buf_addf(out, " [%s]", dflt);
		if (row->env != NULL)
			buf_addf(out, " $%s", row->env);
		buf_addc(out, '\n');
	}
}
