/*
 * helper.c - running ralph-desktop: whether it can see anything here, and pictures for a loop.
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
#include <inttypes.h>

#define HELPER "ralph-desktop"
/* Extra time before a helper is ended that did not keep its own timeout. */
#define GRACE NSEC_PER_SEC

/* ---- finding it ---------------------------------------------------------------------- */

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
	AUTO_FREE char *path = program_beside(HELPER);

	return path != NULL && helper_hold(path);
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

/* ---- running it ---------------------------------------------------------------------- */

/* The first words of its command line; NULL + err: there is no helper. */
static char **
helper_argv(const char *helper, const char *action, int64_t timeout, struct err *err)
{
	AUTO_FREE char *program = helper == NULL ? desktop_helper(err) : xstrdup(helper);
	AUTO_FREE char *span = xasprintf("%" PRId64 "ms", timeout / NSEC_PER_MSEC + 1);
	char **argv = NULL;

	if (program == NULL)
		return NULL;
	argv = strlist_add(argv, program);
	argv = strlist_add(argv, action);
	argv = strlist_add(argv, "--timeout");
	return strlist_add(argv, span);
}

/* Runs the command line, which is freed. */
static int
helper_run(char **argv, int64_t timeout, struct run_result *result, struct err *err)
{
	const struct run_spec spec = {.what = HELPER, .argv = argv, .timeout = timeout + GRACE};
	int rc = run_program(&spec, result, err);

	strlist_free(argv);
	return rc;
}

static bool
read_answer(const struct run_result *r, struct err *err)
{
	AUTO_JSON *v = json_parse(r->out.data, r->out.len, "the answer of " HELPER, err);

	if (v == NULL)
		return false;
	if (exit_ok(r->status) && json_bool(v, "ok", false))
		return true;
	(void)err_set(err, "%s", json_str(v, "error", HELPER " failed"));
	return false;
}

bool
desktop_answers(const char *helper, int64_t timeout, struct err *err)
{
	char **argv = helper_argv(helper, "check", timeout, err);
	AUTO_RUN result = RUN_INIT;

	return argv != NULL &&
	       helper_run(strlist_add(argv, "--json"), timeout, &result, err) == 0 &&
	       read_answer(&result, err);
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

int
desktop_shot(const struct desktop_shot *shot, struct buf *path, struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s/%s", shot->dir, shot->name);
	AUTO_BUF shown = BUF_INIT;
	AUTO_RUN result = RUN_INIT;
	char **argv;
	int rc;

	text_quote(&shown, shot->name);
	if (!name_is_valid(shot->name))
		return err_set(err, "%s is no name for a picture", shown.data);
	argv = helper_argv(shot->helper, "screenshot", shot->timeout, err);
	if (argv == NULL || fs_mkdirs(shot->dir, err) < 0) {
		strlist_free(argv);
		return -1;
	}
	argv = strlist_add(argv, "--project");
	argv = strlist_add(argv, shot->project);
	argv = strlist_add(argv, "--");
	argv = strlist_add(argv, file);
	rc = helper_run(argv, shot->timeout, &result, err);
	if (rc == 0 && !exit_ok(result.status))
		rc = helper_complain(&result, err);
	if (rc == 0)
		buf_adds(path, file);
	return rc;
}
