#include "record/codec.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/size.h"
#include "base/text.h"
#include "loop/source_row.h"
#include "record/owner.h"
#include "record/scan.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define SPEC_FILE "spec.json"
#define SPEC_VERSION 1
#define SPEC_MAX ((size_t)16 * 1024 * 1024)

/* The n-th word of "pipe|pty". */
static json_t *
choice_to_json(const char *choices, int n)
{
	ENSURE(n >= 0);
	for (; n > 0; n--) {
		choices += strcspn(choices, "|");
		ENSURE(*choices++ == '|');
	}
	return json_text(choices, strcspn(choices, "|"));
}

/* ---- one function a type of row ---------------------------------------- */

#define SETTING_PUT_T(s, member) ((s)->member != NULL ? json_bytes((s)->member) : NULL)
#define SETTING_PUT_L(s, member) ((s)->member != NULL ? json_bytes_list((s)->member) : NULL)
#define SETTING_PUT_C(s, member) value_int((s)->member)
#define SETTING_PUT_S SETTING_PUT_C
#define SETTING_PUT_B SETTING_PUT_C
#define SETTING_PUT_E(s, member) choice_to_json(CHOICES_##member, (s)->member)
#define SETTING_PUT_F(s, member) json_boolean((s)->member)

#define SETTING_GET_T(v, s, member, err) get_text(v, &(s)->member, err)
#define SETTING_GET_L(v, s, member, err) get_list(v, &(s)->member, err)
#define SETTING_GET_C(v, s, member, err) get_number(v, &(s)->member, UNLIMITED, "count", err)
#define SETTING_GET_S(v, s, member, err) get_number(v, &(s)->member, 0, "duration", err)
#define SETTING_GET_B(v, s, member, err) get_number(v, &(s)->member, UNLIMITED, "size", err)
#define SETTING_GET_E(v, s, member, err) get_choice(v, &(s)->member, CHOICES_##member, err)
#define SETTING_GET_F(v, s, member, err) get_flag(v, &(s)->member, err)

#define SETTING_FREE_T(s, member) free((s)->member)
#define SETTING_FREE_L(s, member) strlist_free((s)->member)
#define SETTING_FREE_C(s, member) (void)(s)
#define SETTING_FREE_S SETTING_FREE_C
#define SETTING_FREE_B SETTING_FREE_C
#define SETTING_FREE_E SETTING_FREE_C
#define SETTING_FREE_F SETTING_FREE_C

static int
get_text(const json_t *v, char **out, struct err *err)
{
	*out = json_to_bytes(v);
	return *out != NULL ? 0 : err_set(err, "not a text");
}

static int
get_list(const json_t *v, char ***out, struct err *err)
{
	*out = json_to_bytes_list(v);
	return *out != NULL ? 0 : err_set(err, "not a %s", json_is_array(v) ? "text" : "list");
}

static int
get_number(const json_t *v, int64_t *out, int64_t least, const char *what, struct err *err)
{
	if (value_get_int(v, out, err) < 0)
		return -1;
	return *out >= least ? 0 : err_set(err, "a negative %s", what);
}

static int
get_choice(const json_t *v, int *out, const char *choices, struct err *err)
{
	const char *word = json_string_value(v);

	*out = word != NULL ? text_choice(choices, word) : -1;
	return *out >= 0 ? 0 : err_set(err, "not one of %s", choices);
}

static int
get_flag(const json_t *v, bool *out, struct err *err)
{
	*out = json_is_true(v);
	return json_is_boolean(v) ? 0 : err_set(err, "neither true nor false");
}

static json_t *
settings_to_json(const struct settings *s)
{
	json_t *obj = json_object();

	ENSURE(obj != NULL);
#define X(type, member, ...) value_set(obj, #member, SETTING_PUT_##type(s, member));
	SETTINGS(X)
#undef X
	return obj;
}

static int
settings_get(const json_t *obj, struct settings *s, struct err *err)
{
	const json_t *v;

#define X(type, member, ...)                                                            \
	v = json_object_get(obj, #member);                                              \
	if (v != NULL && !json_is_null(v) && SETTING_GET_##type(v, s, member, err) < 0) \
		return err_prefix(err, "the setting '%s'", #member);
	SETTINGS(X)
#undef X
	return 0;
}

/* A count is written as a size without a unit is. */
static int64_t
spec_usual(const char *text)
{
	int64_t n = UNLIMITED;

	ENSURE(strcmp(text, "unlimited") == 0 || size_parse(text, &n, NULL) == 0);
	return n;
}

void
settings_defaults_keep(struct settings *s)
{
#define X(type, member, ...) s->member = spec_usual(USUAL_##member);
	KEEP_SETTINGS(X)
#undef X
}

static int
settings_from_json(const json_t *v, struct settings *s, struct err *err)
{
	memset(s, 0, sizeof(*s));
	if (!json_is_object(v)) {
		err_set(err, "the settings are missing");
		return value_code(err, EBADMSG);
	}
	/* Versions without these settings kept 100 sessions, whatever they took. */
	settings_defaults_keep(s);
	if (settings_get(v, s, err) == 0)
		return 0;
	settings_release(s);
	return value_code(err, EBADMSG);
}

enum regime
settings_regime(const struct settings *s)
{
	const struct source_row *source = source_row(s->source);

	return regime_of((struct regime_marks){.lands = s->lands,
	    .leads = s->leads,
	    .keeps = s->keeps,
	    .tracked = source->tracked,
	    .given = source->given});
}

void
settings_release(struct settings *s)
{
#define X(type, member, ...) SETTING_FREE_##type(s, member);
	SETTINGS(X)
#undef X
	memset(s, 0, sizeof(*s));
}

/* ---- spec.json ----------------------------------------------------------- */

int
spec_save(int loop_dirfd, const struct settings *s, struct err *err)
{
	AUTO_JSON *spec = json_object();

	ENSURE(spec != NULL);
	value_set(spec, "version", value_int(SPEC_VERSION));
	value_set(spec, "settings", settings_to_json(s));
	return json_write(loop_dirfd, SPEC_FILE, spec, false, FS_SYNC, err);
}

/* Versions without that setting let a loop of `ralph run` wait without end; a worker of
 * swarm's, which has a tmux window, still does. */
static void
complete_term_wait(const json_t *settings, struct settings *s)
{
	bool runs = source_row(s->source)->run && !s->tmux;

	if (runs && json_object_get(settings, "term_wait") == NULL)
		ENSURE(clock_parse_span(USUAL_term_wait, &s->term_wait, NULL) == 0);
}

static bool
spec_lacks(const json_t *settings, const char *name)
{
	const json_t *value = json_object_get(settings, name);

	return value == NULL || json_is_null(value);
}

/* Refuses settings with which no loop can go on as it began, before anybody relies on them. */
static int
spec_check(const json_t *settings, const struct settings *s, struct err *err)
{
	static const struct {
		const char *source; /* NULL: every one */
		const char *setting;
		bool worktrees;
	} needs[] = {
#define X(member) {NULL, #member, false},
	    ALL_NEED(X)
#undef X
#define X(source, member, worktrees) {#source, #member, worktrees},
		SOURCE_NEEDS(X)
#undef X
	};

	for (size_t i = 0; i < ARRAY_LEN(needs); i++) {
		bool here = needs[i].source == NULL || strcmp(needs[i].source, s->source) == 0;

		if (here && (s->worktrees || !needs[i].worktrees) &&
		    spec_lacks(settings, needs[i].setting)) {
			err_set(err, "the setting '%s' is missing", needs[i].setting);
			return value_code(err, EBADMSG);
		}
	}
	if (s->command[0] != NULL)
		return 0;
	err_set(err, "the setting 'command' is empty");
	return value_code(err, EBADMSG);
}

/* Reads spec.json.  A loop with a journal had one: where it is missing, the loop is damaged. */
static int
spec_read_text(int loop_dirfd, struct buf *text, struct err *err)
{
	struct err why = ERR_INIT;

	if (owner_read(loop_dirfd, SPEC_FILE, SPEC_MAX, text, &why) == 0)
		return 0;
	if (why.code == ENOENT && faccessat(loop_dirfd, JOURNAL_FILE, F_OK, 0) == 0) {
		err_set(err, SPEC_FILE " is missing");
		return value_code(err, EBADMSG);
	}
	return err_pass(err, &why);
}

int
spec_load(int loop_dirfd, struct settings *s, struct err *err)
{
	AUTO_JSON *spec = NULL;
	AUTO_BUF text = BUF_INIT;
	const json_t *settings;
	int64_t version;

	memset(s, 0, sizeof(*s));
	if (spec_read_text(loop_dirfd, &text, err) < 0)
		return -1;
	spec = json_parse(text.data, text.len, SPEC_FILE, err);
	if (spec == NULL)
		return value_code(err, EBADMSG);
	version = json_int(spec, "version", 0);
	if (version > SPEC_VERSION) {
		err_set(
		    err, SPEC_FILE " was written by a newer version (%" PRId64 ")", version);
		return value_code(err, ENOTSUP);
	}
	if (version < 1) {
		err_set(err, SPEC_FILE " has no version");
		return value_code(err, EBADMSG);
	}
	settings = json_object_get(spec, "settings");
	if (settings_from_json(settings, s, err) < 0)
		return err_prefix(err, SPEC_FILE);
	if (spec_check(settings, s, err) < 0) {
		settings_release(s);
		return err_prefix(err, SPEC_FILE);
	}
	complete_term_wait(settings, s);
	return 0;
}
