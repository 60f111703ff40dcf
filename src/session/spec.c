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

void
keeper_spec_print(const struct session_spec *spec, struct buf *out)
{
	const struct settings *set = spec->settings;
	AUTO_JSON *v = json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "id",
	    json_bytes(spec->id), "loop", json_bytes(spec->loop), "iteration",
	    (json_int_t)spec->iteration, "command", json_bytes_list(set->command), "env",
	    json_bytes_list(set->env), "cwd", json_bytes(set->cwd), "prompt_via",
	    json_bytes(set->prompt_via), "done_pattern", json_bytes(set->done_pattern),
	    "ready_patterns", json_bytes_list(set->ready_patterns), "mode",
	    set->mode == MODE_PTY ? "pty" : "pipe");
	AUTO_JSON *numbers = json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:I, s:I, s:I}",
	    "inactivity_timeout", (json_int_t)set->inactivity_timeout, "stall_timeout",
	    (json_int_t)set->stall_timeout, "iteration_timeout",
	    (json_int_t)set->iteration_timeout, "grace", (json_int_t)set->grace, "rows",
	    spec->rows ? spec->rows : DEFAULT_ROWS, "cols",
	    spec->cols ? spec->cols : DEFAULT_COLS, "record_cap",
	    (json_int_t)(spec->record_cap ? spec->record_cap : DEFAULT_CAP), "started",
	    (json_int_t)clock_wall(), "beat", (json_int_t)spec->beat);
	AUTO_JSON *task = json_pack("{s:o, s:o, s:o, s:o}", "task", json_bytes(spec->task),
	    "token", json_bytes(spec->token), "facts", json_bytes(spec->facts), "clear",
	    json_bytes(spec->clear));

	ENSURE(v != NULL && numbers != NULL && task != NULL &&
	       json_object_update(v, numbers) == 0 && json_object_update(v, task) == 0);
	json_print(v, false, out);
	buf_addc(out, '\n');
}

/* A list without entries stays NULL. */
static int
list_parse(const json_t *v, const char *key, char ***out)
{
	const json_t *array = json_object_get(v, key);

	*out = json_array_size(array) > 0 ? json_to_bytes_list(array) : NULL;
	return *out != NULL || json_array_size(array) == 0 ? 0 : -1;
}

static int
spec_parse(const json_t *v, struct keeper_spec *spec)
{
#define X(member) spec->member = json_to_bytes(json_object_get(v, #member));
	SPEC_TEXTS(X)
#undef X
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
	if (list_parse(v, "command", &spec->command) < 0 ||
	    list_parse(v, "env", &spec->env) < 0 ||
	    list_parse(v, "ready_patterns", &spec->ready_patterns) < 0)
		return -1;
	return spec->id != NULL && spec->command != NULL ? 0 : -1;
}

int
keeper_spec_scan(const struct buf *text, struct keeper_spec *spec, struct err *err)
{
	AUTO_JSON *v = json_parse(text->data, text->len, "meta.json", err);

	*spec = (struct keeper_spec){0};
	if (v == NULL)
		return -1;
	if (spec_parse(v, spec) < 0) {
		keeper_spec_release(spec);
		return err_set(err, "meta.json does not say what to run");
	}
	return 0;
}

int
keeper_spec_read(int session_dirfd, struct keeper_spec *spec, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (fs_read(session_dirfd, "meta.json", META_MAX, &text, err) < 0)
		return -1;
	return keeper_spec_scan(&text, spec, err);
}

char *
session_cwd(int sessions_dirfd, const char *id)
{
	AUTO_CLOSE int dir = openat(sessions_dirfd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct keeper_spec spec;
	char *cwd;

	if (dir < 0 || keeper_spec_read(dir, &spec, NULL) < 0)
		return NULL;
	cwd = take_ptr(spec.cwd);
	keeper_spec_release(&spec);
	return cwd;
}

void
keeper_spec_release(struct keeper_spec *spec)
{
#define X(member) free(spec->member);
	SPEC_TEXTS(X)
#undef X
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

	ENSURE(v != NULL);
	return v;
}

struct exit_status
exit_from_json(const json_t *v)
{
	int how = exit_how_parse(json_str(v, "how", "unknown"));

	return (struct exit_status){
	    how < 0 ? EXIT_UNKNOWN : (enum exit_how)how, (int)json_int(v, "value", 0)};
}
