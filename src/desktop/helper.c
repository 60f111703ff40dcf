/*
 * desktop_helper.c - running ralph-desktop: what it can do here, and pictures for a loop.
 */
#include "desktop/helper.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/process/program.h"
#include "base/process/run.h"
#include "base/text.h"
#include <errno.h>

#define HELPER "ralph-desktop"
/* The helper keeps the time it is given, and says what was late; this is if it does not. */
#define GRACE NSEC_PER_SEC

/* ---- finding it ----------------------------------------------------------------------- */

/* The helper that was found first: later ones may be of another version, or half installed. */
static struct program held = {.fd = -1};

static bool
helper_hold(const char *path)
{
	return access(path, X_OK) == 0 && program_open(&held, path) == 0;
}

/* Looks for the helper in our directory, also when our file is not there any more. */
static bool
hold_beside_us(void)
{
	const struct program *self = program_self();
	const char *slash =
	    self == NULL || self->path == NULL ? NULL : strrchr(self->path, '/');
	AUTO_FREE char *path = NULL;

	if (slash == NULL)
		return false;
	path = xasprintf("%.*s/" HELPER, (int)(slash - self->path), self->path);
	return helper_hold(path);
}

char *
desktop_helper(struct err *err)
{
	if (held.fd >= 0 || hold_beside_us() || helper_hold(RALPH_LIBEXECDIR "/" HELPER))
		return program_name(&held);
	(void)err_code(err, ENXIO,
	    "this ralph was built without " HELPER ", which needs libxcb1-dev, "
	    "libxcb-xtest0-dev, libdbus-1-dev and zlib1g-dev; install them and build again");
	return NULL;
}

/* ---- what is there -------------------------------------------------------------------- */

static void
helper_append(char ***argv, const char *word)
{
	*argv = strlist_add(*argv, word);
}

static void
append_timeout(char ***argv, int64_t timeout)
{
	long long ms = timeout / NSEC_PER_MSEC + 1;
	AUTO_FREE char *span = xasprintf("%lldms", ms);

	helper_append(argv, "--timeout");
	helper_append(argv, span);
}

static void
read_answer(const struct run_result *r, struct desktop_abilities *there, struct err *err)
{
	AUTO_JSON *v = json_parse(r->out.data, r->out.len, "the answer of " HELPER, err);

	if (v == NULL)
		return;
	if (!exit_ok(r->status) || !json_bool(v, "ok", false)) {
		(void)err_set(err, "%s", json_str(v, "error", HELPER " failed"));
		return;
	}
	there->display = true;
	there->manager = json_str(v, "window_manager", NULL) != NULL;
	there->input = json_bool(v, "input", false);
	there->elements = json_bool(v, "elements", false);
}

void
desktop_ask(
    const char *helper, int64_t timeout, struct desktop_abilities *there, struct err *err)
{
	AUTO_FREE char *usual = helper == NULL ? desktop_helper(err) : NULL;
	const char *program = helper == NULL ? usual : helper;
	AUTO_RUN result = RUN_INIT;
	char **argv = NULL;

	*there = (struct desktop_abilities){0};
	if (program == NULL)
		return;
	helper_append(&argv, program);
	helper_append(&argv, "check");
	helper_append(&argv, "--json");
	append_timeout(&argv, timeout);
	if (run_program(
		&(struct run_spec){.what = HELPER, .argv = argv, .timeout = timeout + GRACE},
		&result, err) == 0)
		read_answer(&result, there, err);
	strlist_free(argv);
}

bool
desktop_capable(bool wanted, const struct desktop_abilities *there)
{
	return wanted && there->display;
}

/* ---- pictures ------------------------------------------------------------------------- */

struct desktop_shooting {
	struct job *job;
	desktop_shot_fn *done;
	void *ctx;
	char **argv;
	char *dir, *path;
	int64_t timeout;
};

static void
shooting_free(struct desktop_shooting *s)
{
	strlist_free(s->argv);
	free(s->dir);
	free(s->path);
	free(s);
}

/* The helper's words, without its name and "error:", which are for terminals. */
static int
helper_complain(const struct run_result *r, struct err *err)
{
	static const char prefix[] = HELPER ": error: ";
	const char *said = r->err.data;

	if (strncmp(said, prefix, strlen(prefix)) == 0)
		said += strlen(prefix);
	if (*said == '\0')
		return err_set(err, HELPER " failed");
	return err_set(err, "%.*s", (int)strcspn(said, "\n"), said);
}

/* Takes the picture, in a process of its own. */
static int
shoot(const void *arg, struct buf *out, struct err *err)
{
	const struct desktop_shooting *s = arg;
	AUTO_RUN result = RUN_INIT;
	int rc;

	(void)out;
	if (fs_mkdirs(s->dir, err) < 0)
		return -1;
	rc = run_program(
	    &(struct run_spec){.what = HELPER, .argv = s->argv, .timeout = s->timeout + GRACE},
	    &result, err);
	if (rc == 0 && !exit_ok(result.status))
		rc = helper_complain(&result, err);
	return rc;
}

static void
on_shot(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct desktop_shooting *s = ctx;

	(void)out;
	s->done(s->ctx, rc == 0 ? s->path : NULL, err);
	shooting_free(s);
}

static char **
shot_argv(const char *helper, const struct desktop_shot *shot, const char *path)
{
	char **argv = NULL;

	helper_append(&argv, helper);
	helper_append(&argv, "screenshot");
	append_timeout(&argv, shot->timeout);
	if (shot->window != NULL) {
		helper_append(&argv, "--window");
		helper_append(&argv, shot->window);
	}
	if (shot->project != NULL) {
		helper_append(&argv, "--project");
		helper_append(&argv, shot->project);
	}
	helper_append(&argv, "--");
	helper_append(&argv, path);
	return argv;
}

struct desktop_shooting *
desktop_shot(struct ev *ev, const struct desktop_shot *shot, desktop_shot_fn *done, void *ctx,
    struct err *err)
{
	AUTO_FREE char *usual = shot->helper == NULL ? desktop_helper(err) : NULL;
	const char *helper = shot->helper == NULL ? usual : shot->helper;
	struct desktop_shooting *s;

	if (helper == NULL)
		return NULL;
	if (!name_is_valid(shot->name)) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, shot->name);
		(void)err_set(err, "%s is no name for a picture", shown.data);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->done = done;
	s->ctx = ctx;
	s->timeout = shot->timeout;
	s->dir = xstrdup(shot->dir);
	s->path = xasprintf("%s/%s", shot->dir, shot->name);
	s->argv = shot_argv(helper, shot, s->path);
	s->job = job_start(ev, shoot, s, on_shot, s, err);
	if (s->job == NULL) {
		shooting_free(s);
		return NULL;
	}
	return s;
}
