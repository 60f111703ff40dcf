/*
 * export.c - ralph export: a session's recording for other programs.
 */
#include "cmd/cmd.h"
#include "loops/choose.h"
#include "loops/loop_view.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "session/recording/recording.h"
#include <fcntl.h>
#include <inttypes.h>

struct export_options {
	bool cast;
	int64_t iteration;
	char *output;
};

#define OPTIONS struct export_options
static const struct opt export_opts[] = {
    ROW_FLAG("cast", cast, "asciicast v2, for asciinema (the default)"),
    ROW_COUNT("iteration", iteration, "N", "which iteration's session", .letter = 'i',
	.dflt = "the latest"),
    ROW_TEXT("output", output, "FILE", "where to write the recording", .letter = 'o',
	.dflt = "stdout"),
};

static int
export_cast(const struct loop_view *v, int64_t iteration, struct buf *out, struct err *err)
{
	AUTO_FREE char *id =
	    iteration > 0 ? loop_view_session_of(v, iteration) : loop_view_session(v);
	AUTO_CLOSE int sessions = -1;
	AUTO_CLOSE int dir = -1;

	if (id == NULL)
		return err_set(err, "'%s' has not started an agent yet", v->name);
	sessions = loop_view_sessions(v, err);
	if (sessions < 0)
		return -1;
	dir = fs_open_dir(sessions, id, NULL);
	if (dir < 0)
		return err_set(err, "there is no recording of iteration %" PRId64 " of '%s'",
		    iteration > 0   ? iteration
		    : v->chosen > 0 ? v->chosen
				    : v->state.iteration,
		    v->name);
	return recording_export_cast(dir, v->name, out, err);
}

static int
export_save(const char *path, const struct buf *data, struct err *err)
{
	AUTO_FREE char *parent = fs_parent(path);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, parent, err);

	if (dir < 0)
		return -1;
	return fs_replace(dir, basename(path), data->data, data->len, FS_SYNC, err);
}

static int
run(const struct cmd_args *args)
{
	const struct export_options *o = args->opts;
	AUTO_BUF out = BUF_INIT;
	AUTO_VIEW v = VIEW_INIT;
	int rc;

	if (loop_view_open_session(&v, args->operands.args[0], args->err) < 0)
		return -1;
	if (v.past && v.chosen > 0)
		choose_tell(&v, args->operands.args[0]);
	rc = export_cast(&v, o->iteration, &out, args->err);
	if (rc == 0 && o->output != NULL)
		return export_save(o->output, &out, args->err);
	if (rc == 0)
		cmd_print(&out);
	return rc;
}

const struct cmd cmd_export = {
    .name = "export",
    .usage = "[--cast] [--iteration N] [--output FILE] [NAME]",
    .summary = "Write a session's recording for other programs",
    .examples =
	"  ralph export myproject-run --cast -o night.cast && asciinema play night.cast\n",
    CMD_OPTIONS(export_opts),
    CMD_NAME_OR(CHOSEN_READ),
    .run = run,
};
