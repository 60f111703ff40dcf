#include "record/codec.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/owner.h"
#include "record/scan.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define SPEC_FILE "spec.json"
#define SPEC_VERSION 1
#define SPEC_MAX ((size_t)16 * 1024 * 1024)

/*
 * Paths and arguments are bytes, JSON strings are Unicode: what is not valid
 * UTF-8 is kept as {"hex": "..."}, so that the very same bytes come back.
 */
static json_t *
bytes_to_json(const char *s)
{
	json_t *v = json_string(s);
	AUTO_BUF hex = BUF_INIT;

	if (v)
		return v;
	for (; *s != '\0'; s++)
		buf_addf(&hex, "%02x", (unsigned)(unsigned char)*s);
	v = json_object();
	ENSURE(v);
	value_set(v, "hex", json_text(hex.data, hex.len));
	return v;
}

static int
nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int
hex_decode(const char *hex, struct buf *out)
{
	for (; *hex != '\0'; hex += 2) {
		int high = nibble(hex[0]);
		int low = high < 0 ? -1 : nibble(hex[1]);

		if (low < 0 || (high == 0 && low == 0))
			return -1;
		buf_addc(out, (char)(high << 4 | low));
	}
	return 0;
}

/* NULL + err when it is neither a text nor hex. */
static char *
bytes_from_json(const json_t *v, struct err *err)
{
	const char *hex = json_str(v, "hex", NULL);
	AUTO_BUF out = BUF_INIT;

	if (json_is_string(v))
		return xstrdup(json_string_value(v));
	if (hex && hex_decode(hex, &out) == 0)
		return buf_detach(&out);
	err_set(err, "not a text");
	return NULL;
}

static json_t *
list_to_json(char *const *list)
{
	json_t *v = json_array();

	ENSURE(v);
	for (size_t i = 0; list[i]; i++)
		ENSURE(json_array_append_new(v, bytes_to_json(list[i])) == 0);
	return v;
}

static char **
list_from_json(const json_t *v, struct err *err)
{
	size_t n = json_array_size(v);
	char **list;

	if (!json_is_array(v)) {
		err_set(err, "not a list");
		return NULL;
	}
	list = xcalloc(n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		list[i] = bytes_from_json(json_array_get(v, i), err);
		if (!list[i]) {
			strlist_free(list);
			return NULL;
		}
	}
	return list;
}

/* The n-th word of "pipe|pty"; its length goes to *len.  NULL when there is none. */
static const char *
choice_at(const char *choices, int n, size_t *len)
{
	for (const char *word = choices; n >= 0; n--) {
		*len = strcspn(word, "|");
		if (n == 0)
			return word;
		if (word[*len] == '\0')
			return NULL;
		word += *len + 1;
	}
	return NULL;
}

static int
choice_find(const char *choices, const char *word)
{
	const char *known;
	size_t len;

	for (int n = 0; (known = choice_at(choices, n, &len)) != NULL; n++)
		if (strlen(word) == len && memcmp(known, word, len) == 0)
			return n;
	return -1;
}

static json_t *
choice_to_json(const char *choices, int n)
{
	size_t len = 0;
	const char *word = choice_at(choices, n, &len);

	ENSURE(word);
	return json_text(word, len);
}

/* ---- one function a type of row ---------------------------------------- */

#define SETTING_PUT_T(field, choices) ((field) ? bytes_to_json(field) : NULL)
#define SETTING_PUT_L(field, choices) ((field) ? list_to_json(field) : NULL)
#define SETTING_PUT_C(field, choices) value_int(field)
#define SETTING_PUT_S(field, choices) value_int(field)
#define SETTING_PUT_B(field, choices) value_int(field)
#define SETTING_PUT_E(field, choices) choice_to_json(choices, field)
#define SETTING_PUT_F(field, choices) json_boolean(field)

static int
setting_get_T(const json_t *v, const char *choices UNUSED, char **field, struct err *err)
{
	*field = bytes_from_json(v, err);
	return *field ? 0 : -1;
}

static int
setting_get_L(const json_t *v, const char *choices UNUSED, char ***field, struct err *err)
{
	*field = list_from_json(v, err);
	return *field ? 0 : -1;
}

static int
setting_get_C(const json_t *v, const char *choices UNUSED, int64_t *field, struct err *err)
{
	if (value_get_int(v, field, err) < 0)
		return -1;
	return *field >= UNLIMITED ? 0 : err_set(err, "a negative count");
}

static int
setting_get_S(const json_t *v, const char *choices UNUSED, int64_t *field, struct err *err)
{
	if (value_get_int(v, field, err) < 0)
		return -1;
	return *field >= 0 ? 0 : err_set(err, "a negative duration");
}

static int
setting_get_B(const json_t *v, const char *choices UNUSED, int64_t *field, struct err *err)
{
	if (value_get_int(v, field, err) < 0)
		return -1;
	return *field >= UNLIMITED ? 0 : err_set(err, "a negative size");
}

static int
setting_get_E(const json_t *v, const char *choices, int *field, struct err *err)
{
	const char *word = json_string_value(v);

	*field = word ? choice_find(choices, word) : -1;
	return *field >= 0 ? 0 : err_set(err, "not one of %s", choices);
}

static int
setting_get_F(const json_t *v, const char *choices UNUSED, bool *field, struct err *err)
{
	*field = json_is_true(v);
	return json_is_boolean(v) ? 0 : err_set(err, "neither true nor false");
}

json_t *
settings_to_json(const struct settings *s)
{
	json_t *obj = json_object();

	ENSURE(obj);
#define X(type, field, opt, arg, choices, flags, dflt, help) \
	value_set(obj, #field, SETTING_PUT_##type(s->field, choices));
	SETTINGS(X)
#undef X
	return obj;
}

static int
settings_get(const json_t *obj, struct settings *s, struct err *err)
{
	const json_t *v;

#define X(type, field, opt, arg, choices, flags, dflt, help)                             \
	v = json_object_get(obj, #field);                                                \
	if (v && !json_is_null(v) && setting_get_##type(v, choices, &s->field, err) < 0) \
		return err_prefix(err, "the setting '%s'", #field);
	SETTINGS(X)
#undef X
	return 0;
}

int
settings_from_json(const json_t *v, struct settings *s, struct err *err)
{
	memset(s, 0, sizeof(*s));
	if (!json_is_object(v)) {
		err_set(err, "the settings are missing");
		return value_code(err, EBADMSG);
	}
	if (settings_get(v, s, err) == 0)
		return 0;
	settings_release(s);
	return value_code(err, EBADMSG);
}

enum regime
settings_regime(const struct settings *s)
{
	const char *source = s->source == NULL ? "" : s->source;

	return regime_of((struct regime_marks){.lands = s->lands,
	    .leads = s->leads,
	    .keeps = s->keeps,
	    .tracked = strcmp(source, "graph") == 0,
	    .given = strcmp(source, "command") == 0});
}

void
settings_release(struct settings *s)
{
#define SETTING_RELEASE_T(field) free(field)
#define SETTING_RELEASE_L(field) strlist_free(field)
#define SETTING_RELEASE_C(field) (void)(field)
#define SETTING_RELEASE_S(field) (void)(field)
#define SETTING_RELEASE_B(field) (void)(field)
#define SETTING_RELEASE_E(field) (void)(field)
#define SETTING_RELEASE_F(field) (void)(field)
#define X(type, field, opt, arg, choices, flags, dflt, help) SETTING_RELEASE_##type(s->field);
	SETTINGS(X)
#undef X
	memset(s, 0, sizeof(*s));
}

/* ---- spec.json ----------------------------------------------------------- */

int
spec_save(int loop_dirfd, const struct settings *s, struct err *err)
{
	AUTO_JSON *spec = json_object();
	AUTO_BUF text = BUF_INIT;

	ENSURE(spec);
	value_set(spec, "version", value_int(SPEC_VERSION));
	value_set(spec, "settings", settings_to_json(s));
	json_print(spec, false, &text);
	buf_addc(&text, '\n');
	return fs_replace(loop_dirfd, SPEC_FILE, text.data, text.len, FS_SYNC, err);
}

/* Versions without that setting let a loop of `ralph run` wait without end; a worker of
 * swarm's, which has a tmux window, still does. */
static void
complete_term_wait(const json_t *settings, struct settings *s)
{
	bool runs = s->source != NULL && !s->tmux &&
		    (strcmp(s->source, "prompt") == 0 || strcmp(s->source, "command") == 0);

	if (runs && json_object_get(settings, "term_wait") == NULL)
		s->term_wait = TERM_WAIT_USUAL;
}

/* Versions without these kept 100 sessions, whatever they took. */
static void
complete_retention(const json_t *settings, struct settings *s)
{
	if (json_object_get(settings, "keep_sessions") == NULL)
		s->keep_sessions = KEEP_SESSIONS_USUAL;
	if (json_object_get(settings, "keep_bytes") == NULL)
		s->keep_bytes = KEEP_BYTES_USUAL;
	if (json_object_get(settings, "keep_days") == NULL)
		s->keep_days = KEEP_DAYS_USUAL;
	if (json_object_get(settings, "keep_free") == NULL)
		s->keep_free = KEEP_FREE_USUAL;
	if (json_object_get(settings, "keep_output") == NULL)
		s->keep_output = KEEP_OUTPUT_USUAL;
}

/* A loop that has begun had one. */
static int
spec_read(int loop_dirfd, struct buf *text, struct err *err)
{
	struct err why = ERR_INIT;

	if (owner_read(loop_dirfd, SPEC_FILE, SPEC_MAX, text, &why) == 0)
		return 0;
	if (why.code == ENOENT && faccessat(loop_dirfd, JOURNAL_FILE, F_OK, 0) == 0) {
		err_set(err, SPEC_FILE " is missing");
		return value_code(err, EBADMSG);
	}
	if (err != NULL)
		*err = why;
	return -1;
}

int
spec_load(int loop_dirfd, struct settings *s, struct err *err)
{
	AUTO_JSON *spec = NULL;
	AUTO_BUF text = BUF_INIT;
	int64_t version;

	memset(s, 0, sizeof(*s));
	if (spec_read(loop_dirfd, &text, err) < 0)
		return -1;
	spec = json_parse(text.data, text.len, SPEC_FILE, err);
	if (!spec)
		return value_code(err, EBADMSG);
	version = json_int(spec, "version", 0);
	if (version > SPEC_VERSION) {
		err_set(err, SPEC_FILE " was written by a newer version (%lld)",
		    (long long)version);
		return value_code(err, ENOTSUP);
	}
	if (version < 1) {
		err_set(err, SPEC_FILE " has no version");
		return value_code(err, EBADMSG);
	}
	if (settings_from_json(json_object_get(spec, "settings"), s, err) < 0)
		return err_prefix(err, SPEC_FILE);
	complete_term_wait(json_object_get(spec, "settings"), s);
	complete_retention(json_object_get(spec, "settings"), s);
	return 0;
}
