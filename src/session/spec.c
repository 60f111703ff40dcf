/*
 * spec.c - what a session was asked to be, and how it ended, as JSON.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "loop/fact.h"
#include <errno.h>
#include <fcntl.h>

#define META_MAX (16u << 20)
#define PATH_LONGEST 65536
#define DEFAULT_ROWS 40
#define DEFAULT_COLS 120
#define DEFAULT_CAP (INT64_C(1) << 30)

static bool
session_spec_is_utf8(const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0)
			return false;
	}
	return true;
}

/* Arguments and paths are bytes: bytes that JSON cannot hold as text become hex. */
static json_t *
bytes_to_json(const char *s)
{
	AUTO_BUF hex = BUF_INIT;

	if (!s)
		return json_null();
	if (session_spec_is_utf8(s))
		return json_text(s, strlen(s));
	for (; *s; s++)
		buf_addf(&hex, "%02x", (unsigned char)*s);
	return json_pack("{s:s}", "hex", hex.data);
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* NULL when the value is neither text nor hex. */
static char *
session_spec_bytes_from_json(const json_t *v)
{
	const char *hex = json_str(v, "hex", NULL);
	AUTO_BUF out = BUF_INIT;

	if (json_is_string(v))
		return xstrdup(json_string_value(v));
	for (; hex && *hex; hex += 2) {
		int hi = hex_digit(hex[0]), lo = hi < 0 ? -1 : hex_digit(hex[1]);

		if (lo < 0 || (hi | lo) == 0)
			return NULL;
		buf_addc(&out, (char)(unsigned char)(hi << 4 | lo));
	}
	return out.len > 0 ? buf_detach(&out) : NULL;
}

static json_t *
session_spec_list_to_json(char *const *list)
{
	json_t *array = json_array();

	ENSURE(array);
	for (; list && *list; list++)
		ENSURE(json_array_append_new(array, bytes_to_json(*list)) == 0);
	return array;
}

static int
session_spec_list_from_json(const json_t *array, char ***out)
{
	size_t n = json_array_size(array);

	*out = NULL;
	for (size_t i = 0; i < n; i++) {
		AUTO_FREE char *s = session_spec_bytes_from_json(json_array_get(array, i));

		if (!s)
			return -1;
		*out = strlist_add(*out, s);
	}
	return 0;
}

void
spec_print(const struct session_spec *spec, struct buf *out)
{
	const struct settings *set = spec->settings;
	AUTO_JSON *v = json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "id",
	    bytes_to_json(spec->id), "loop", bytes_to_json(spec->loop), "iteration",
	    (json_int_t)spec->iteration, "command", session_spec_list_to_json(set->command),
	    "env", session_spec_list_to_json(set->env), "cwd", bytes_to_json(set->cwd),
	    "prompt_via", bytes_to_json(set->prompt_via), "done_pattern",
	    bytes_to_json(set->done_pattern), "ready_patterns",
	    session_spec_list_to_json(set->ready_patterns), "mode",
	    set->mode == MODE_PTY ? "pty" : "pipe");
	AUTO_JSON *numbers = json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:I, s:I, s:I}",
	    "inactivity_timeout", (json_int_t)set->inactivity_timeout, "stall_timeout",
	    (json_int_t)set->stall_timeout, "iteration_timeout",
	    (json_int_t)set->iteration_timeout, "grace", (json_int_t)set->grace, "rows",
	    spec->rows ? spec->rows : DEFAULT_ROWS, "cols",
	    spec->cols ? spec->cols : DEFAULT_COLS, "record_cap",
	    (json_int_t)(spec->record_cap ? spec->record_cap : DEFAULT_CAP), "started",
	    (json_int_t)clock_wall(), "beat", (json_int_t)spec->beat);
	AUTO_JSON *task = json_pack("{s:o, s:o, s:o, s:o}", "task", bytes_to_json(spec->task),
	    "token", bytes_to_json(spec->token), "facts", bytes_to_json(spec->facts), "clear",
	    bytes_to_json(spec->clear));

	ENSURE(v && numbers && task && json_object_update(v, numbers) == 0 &&
	       json_object_update(v, task) == 0);
	json_print(v, false, out);
	buf_addc(out, '\n');
}

static int
spec_parse(const json_t *v, struct keeper_spec *spec)
{
	spec->id = session_spec_bytes_from_json(json_object_get(v, "id"));
	spec->loop = session_spec_bytes_from_json(json_object_get(v, "loop"));
	spec->cwd = session_spec_bytes_from_json(json_object_get(v, "cwd"));
	spec->prompt_via = session_spec_bytes_from_json(json_object_get(v, "prompt_via"));
	spec->done_pattern = session_spec_bytes_from_json(json_object_get(v, "done_pattern"));
	spec->task = session_spec_bytes_from_json(json_object_get(v, "task"));
	spec->token = session_spec_bytes_from_json(json_object_get(v, "token"));
	spec->facts = session_spec_bytes_from_json(json_object_get(v, "facts"));
	spec->clear = session_spec_bytes_from_json(json_object_get(v, "clear"));
	spec->mode = strcmp(json_str(v, "mode", "pipe"), "pty") == 0 ? MODE_PTY : MODE_PIPE;
	spec->iteration = json_int(v, "iteration", 0);
	spec->inactivity_timeout = json_int(v, "inactivity_timeout", 0);
	spec->stall_timeout = json_int(v, "stall_timeout", 0);
	spec->iteration_timeout = json_int(v, "iteration_timeout", 0);
	spec->grace = json_int(v, "grace", 10 * NSEC_PER_SEC);
	spec->rows = (int)json_int(v, "rows", DEFAULT_ROWS);
	spec->cols = (int)json_int(v, "cols", DEFAULT_COLS);
	spec->record_cap = json_int(v, "record_cap", DEFAULT_CAP);
	spec->started = json_int(v, "started", 0);
	spec->beat = json_int(v, "beat", 0);
	if (session_spec_list_from_json(json_object_get(v, "command"), &spec->command) < 0 ||
	    session_spec_list_from_json(json_object_get(v, "env"), &spec->env) < 0 ||
	    session_spec_list_from_json(
		json_object_get(v, "ready_patterns"), &spec->ready_patterns) < 0)
		return -1;
	return spec->id && spec->command ? 0 : -1;
}

int
spec_scan(const struct buf *text, struct keeper_spec *spec, struct err *err)
{
	AUTO_JSON *v = json_parse(text->data, text->len, "meta.json", err);

	*spec = (struct keeper_spec){0};
	if (!v)
		return -1;
	if (spec_parse(v, spec) < 0) {
		spec_release(spec);
		return err_set(err, "meta.json does not say what to run");
	}
	return 0;
}

int
spec_read(int session_dirfd, struct keeper_spec *spec, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (fs_read(session_dirfd, "meta.json", META_MAX, &text, err) < 0)
		return -1;
	return spec_scan(&text, spec, err);
}

char *
session_cwd(int sessions_dirfd, const char *id)
{
	AUTO_CLOSE int dir = openat(sessions_dirfd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct keeper_spec spec;
	char *cwd;

	if (dir < 0 || spec_read(dir, &spec, NULL) < 0)
		return NULL;
	cwd = spec.cwd;
	spec.cwd = NULL;
	spec_release(&spec);
	return cwd;
}

void
spec_release(struct keeper_spec *spec)
{
	free(spec->id);
	free(spec->loop);
	free(spec->cwd);
	free(spec->prompt_via);
	free(spec->done_pattern);
	free(spec->task);
	free(spec->token);
	free(spec->facts);
	free(spec->clear);
	strlist_free(spec->command);
	strlist_free(spec->env);
	strlist_free(spec->ready_patterns);
	*spec = (struct keeper_spec){0};
}

char *
session_marker(int session_dirfd)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", session_dirfd);
	AUTO_BUF path = BUF_INIT;
	ssize_t n;

	/* As long as the longest path of the kernel; readlink cuts without a word. */
	buf_reserve(&path, PATH_LONGEST);
	n = readlink(link, path.data, PATH_LONGEST);
	return xasprintf("RALPH_WORKER=%.*s/worker", n > 0 ? (int)n : 0, path.data);
}

json_t *
exit_to_json(struct exit_status status, const char *text)
{
	struct when now = clock_now();
	json_t *v = json_pack("{s:s, s:s, s:i, s:{s:I, s:I}, s:o}", "event", "ended", "how",
	    exit_how_name(status.how), "value", status.value, "ended", "boot",
	    (json_int_t)now.boot, "wall", (json_int_t)now.wall, "text",
	    json_text(text, strlen(text)));

	ENSURE(v);
	return v;
}

struct exit_status
exit_from_json(const json_t *v)
{
	int how = exit_how_parse(json_str(v, "how", "unknown"));

	return (struct exit_status){
	    how < 0 ? EXIT_UNKNOWN : (enum exit_how)how, (int)json_int(v, "value", 0)};
}
