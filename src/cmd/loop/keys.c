/*
 * keys.c - from the bytes of config.json and the environment to values.
 */
#include "cmd/loop/keys.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

#define COUNT_LIMIT INT64_C(1000000)
#define MS_LIMIT (INT64_C(366) * 24 * 3600 * 1000) /* a year */

enum key_type { TYPE_T, TYPE_L, TYPE_C, TYPE_M, TYPE_E, TYPE_F };

struct row {
	const char *name, *env, *choices, *dflt, *help;
	enum key_type type;
	int64_t least;
	size_t offset;
};

static const struct row rows[] = {
#define K(type, member, name, env, choices, least, dflt, help) \
	{name, env, choices, dflt, help, TYPE_##type, least,   \
	    offsetof(struct key_values, member)},
    KEYS(K)
#undef K
};
_Static_assert(ARRAY_LEN(rows) == KEY_COUNT, "every key has its row");

/* Variables that stand for one value of a key; those of the rows come later and win. */
static const struct {
	const char *env;
	enum key key;
	const char *value;
} switches[] = {
    {"RALPH_QUIET", KEY_log_level, "quiet"},
    {"RALPH_VERBOSE", KEY_log_level, "verbose"},
    {"RALPH_DEBUG", KEY_log_level, "debug"},
    {"RALPH_NO_INTERACTIVE_SHELL", KEY_backend, "subprocess"},
    {"RALPH_FORCE_LEGACY_SESSIONS", KEY_session_dir, ".tf/ralph/sessions"},
};

static void *
member(struct key_values *v, const struct row *row)
{
	return (char *)v + row->offset;
}

static void
value_free(struct key_values *v, const struct row *row)
{
	if (row->type == TYPE_T)
		free(*(char **)member(v, row));
	else if (row->type == TYPE_L)
		strlist_free(*(char ***)member(v, row));
}

void
keys_release(struct key_values *v)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		value_free(v, &rows[i]);
	memset(v, 0, sizeof(*v));
}

/* ---- one value ----------------------------------------------------------------------- */

/* "must be X, not Y" */
static int
refuse(const json_t *given, struct err *err, const char *wanted)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;

	json_print(given, true, &text);
	text_show(&shown, text.data, text.len > 60 ? 60 : text.len, false);
	return err_set(
	    err, "must be %s, not %s%s", wanted, shown.data, text.len > 60 ? "..." : "");
}

static int
set_number(int64_t *out, const struct row *row, const json_t *given, struct err *err)
{
	int64_t limit = row->type == TYPE_M ? MS_LIMIT : COUNT_LIMIT;
	int64_t n = json_is_integer(given) ? json_integer_value(given) : -1;
	char wanted[96];

	if (n < row->least || n > limit) {
		(void)snprintf(wanted, sizeof(wanted),
		    "a whole number%s from %" PRId64 " to %" PRId64,
		    row->type == TYPE_M ? " of milliseconds" : "", row->least, limit);
		return refuse(given, err, wanted);
	}
	*out = row->type == TYPE_M ? n * NSEC_PER_MSEC : n;
	return 0;
}

static int
set_choice(int *out, const struct row *row, const json_t *given, struct err *err)
{
	const char *word = json_is_boolean(given) ? (json_is_true(given) ? "true" : "false")
						  : json_string_value(given);
	const char *known = row->choices;
	AUTO_BUF wanted = BUF_INIT;

	for (int n = 0; word != NULL; n++) {
		size_t len = strcspn(known, "|");

		if (strlen(word) == len && memcmp(word, known, len) == 0) {
			*out = n;
			return 0;
		}
		if (known[len] == '\0')
			break;
		known += len + 1;
	}
	buf_adds(&wanted, "one of ");
	for (const char *p = row->choices; *p != '\0'; p++)
		if (*p == '|')
			buf_adds(&wanted, ", ");
		else
			buf_addc(&wanted, *p);
	return refuse(given, err, wanted.data);
}

static int
set_list(char ***out, const json_t *given, struct err *err)
{
	char **list = json_to_strlist(given);

	if (list == NULL)
		return refuse(given, err, "a list of texts");
	strlist_free(*out);
	*out = list;
	return 0;
}

/* null: not set. */
static int
set_text(char **out, const json_t *given, struct err *err)
{
	if (!json_is_string(given) && !json_is_null(given))
		return refuse(given, err, "a text");
	free(*out);
	*out = json_is_null(given) ? NULL : xstrdup(json_string_value(given));
	return 0;
}

static int
set_flag(bool *out, const json_t *given, struct err *err)
{
	if (!json_is_boolean(given))
		return refuse(given, err, "true or false");
	*out = json_is_true(given);
	return 0;
}

static int
set_value(struct key_values *v, const struct row *row, const json_t *given,
    enum key_origin origin, struct err *err)
{
	void *out = member(v, row);
	int rc = -1;

	switch (row->type) {
	case TYPE_T:
		rc = set_text(out, given, err);
		break;
	case TYPE_L:
		rc = set_list(out, given, err);
		break;
	case TYPE_C:
	case TYPE_M:
		rc = set_number(out, row, given, err);
		break;
	case TYPE_E:
		rc = set_choice(out, row, given, err);
		break;
	case TYPE_F:
		rc = set_flag(out, given, err);
		break;
	}
	if (rc == 0)
		v->origin[row - rows] = (unsigned char)origin;
	return rc;
}

/* ---- defaults and file --------------------------------------------------------------- */

void
keys_defaults(struct key_values *v)
{
	struct err err = ERR_INIT;

	memset(v, 0, sizeof(*v));
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *text = rows[i].dflt;
		AUTO_JSON *value =
		    text == NULL ? NULL : json_parse(text, strlen(text), rows[i].name, &err);

		if (text != NULL &&
		    (value == NULL || set_value(v, &rows[i], value, FROM_DEFAULT, &err) < 0))
			BUG("%s: %s", rows[i].name, err.text);
	}
}

static const struct row *
find(const char *name)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* Is it the first part of keys such as "interactiveShell.mode"? */
static bool
is_group(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < KEY_COUNT; i++)
		if (strncmp(rows[i].name, name, len) == 0 && rows[i].name[len] == '.')
			return true;
	return false;
}

static int
unknown(const char *name, struct err *err)
{
	const char *names[KEY_COUNT];
	const char *near;
	AUTO_BUF shown = BUF_INIT;

	for (size_t i = 0; i < KEY_COUNT; i++)
		names[i] = rows[i].name;
	near = text_nearest(name, names, KEY_COUNT);
	text_quote(&shown, name);
	return near == NULL
		   ? err_set(err, CONFIG_FILE ": there is no key %s", shown.data)
		   : err_set(err, CONFIG_FILE ": there is no key %s; did you mean '%s'?",
			 shown.data, near);
}

static int
read_object(const json_t *object, const char *prefix, struct key_values *v, struct err *err)
{
	const char *key;
	json_t *given;

	json_object_foreach ((json_t *)(uintptr_t)object, key, given) {
		AUTO_FREE char *name = xasprintf("%s%s", prefix, key);
		const struct row *row = find(name);

		if (row == NULL && json_is_object(given) && is_group(name)) {
			AUTO_FREE char *inner = xasprintf("%s.", name);

			if (read_object(given, inner, v, err) < 0)
				return -1;
		} else if (row == NULL) {
			return unknown(name, err);
		} else if (set_value(v, row, given, FROM_FILE, err) < 0) {
			return err_prefix(err, CONFIG_FILE ": %s", name);
		}
	}
	return 0;
}

int
keys_read(const char *text, size_t len, struct key_values *v, struct err *err)
{
	AUTO_JSON *object = json_parse(text, len, CONFIG_FILE, err);

	if (object == NULL)
		return -1;
	if (!json_is_object(object))
		return err_set(err, CONFIG_FILE ": not a JSON object");
	return read_object(object, "", v, err);
}

/* ---- environment --------------------------------------------------------------------- */

/* The value of a variable as JSON of the row's type; what it cannot be stays a text, and is
 * refused as such. */
static json_t *
from_text(const struct row *row, const char *text)
{
	static const char *const yes[] = {"1", "true", "yes", "on"};
	static const char *const no[] = {"0", "false", "no", "off"};
	char *end;
	int64_t n;

	if (row->type == TYPE_F)
		for (size_t i = 0; i < ARRAY_LEN(yes); i++)
			if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0)
				return json_boolean(strcasecmp(text, yes[i]) == 0);
	if (row->type == TYPE_C || row->type == TYPE_M) {
		errno = 0;
		n = strtoll(text, &end, 10);
		if (errno == 0 && end != text && *end == '\0')
			return json_integer(n);
	}
	return json_text(text, strlen(text));
}

static int
set_from_variable(struct key_values *v, const struct row *row, const char *variable,
    const char *text, struct err *err)
{
	AUTO_JSON *value = from_text(row, text);

	if (set_value(v, row, value, FROM_ENVIRONMENT, err) == 0)
		return 0;
	return err_prefix(err, "%s in the environment (%s)", variable, row->name);
}

int
keys_environment(struct key_values *v, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
		const char *text = getenv(switches[i].env);

		/* Only "1": RALPH_DEBUG may also be the name of a file. */
		if (text != NULL && strcmp(text, "1") == 0 &&
		    set_from_variable(
			v, &rows[switches[i].key], switches[i].env, switches[i].value, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *text = rows[i].env == NULL ? NULL : getenv(rows[i].env);

		if (text != NULL && *text != '\0' &&
		    set_from_variable(v, &rows[i], rows[i].env, text, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- help ---------------------------------------------------------------------------- */

void
keys_describe(struct buf *out)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct row *row = &rows[i];

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
