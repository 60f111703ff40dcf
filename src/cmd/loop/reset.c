/*
 * reset.c - ralph loop reset: as after `init`, but for the configuration.
 */
#include "cmd/cmd.h"
#include "work/tickets/config.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/userfile.h"
#include "record/codec.h"
#include "work/tickets/views/tickets_view.h"
#include <errno.h>
#include <fcntl.h>

struct reset_options {
	bool keep_lessons;
};

#define OPTIONS struct reset_options
static const struct opt reset_opts[] = {
    ROW_FLAG("keep-lessons", keep_lessons, "leave AGENTS.md alone"),
};

static int
loop_reset_put_back(const char *root, const char *name, const struct buf *text,
    struct buf *said, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/" PROJECT_DIR "/%s", root, name);

	if (userfile_replace(AT_FDCWD, path, NULL, text, err) < 0)
		return -1;
	buf_addf(said, "Reset: " PROJECT_DIR "/%s\n", name);
	return 0;
}

/* A configuration that cannot be read does not say how progress.md shall look. */
static enum progress_form
progress_form(const char *root)
{
	struct loop_config c;
	AUTO_BUF notes = BUF_INIT;
	enum progress_form form = PROGRESS_BLOCKS;

	if (config_load(root, &c, &notes, NULL) == 0) {
		form = (enum progress_form)c.settings.progress;
		config_release(&c);
	}
	return form;
}

static int
reset_project(
    const char *root, const struct reset_options *o, struct buf *said, struct err *err)
{
	struct tickets_run run = {0};
	AUTO_BUF progress = BUF_INIT;
	AUTO_BUF lessons = BUF_INIT;
	int there;

	tickets_progress_template(progress_form(root), &progress);
	tickets_lessons_template(&lessons);
	if (loop_reset_put_back(root, "progress.md", &progress, said, err) < 0 ||
	    (!o->keep_lessons &&
		loop_reset_put_back(root, "AGENTS.md", &lessons, said, err) < 0))
		return -1;
	there = tickets_run_load(root, &run, said, err);
	tickets_run_release(&run);
	if (there <= 0)
		return there;
	/* Otherwise the next run would go on with the old state, and tell its past once
	 * more. */
	if (tickets_run_discard(root, err) < 0)
		return -1;
	buf_adds(said, "The interrupted run was put aside; the next one begins anew.\n");
	return 0;
}

static int
run(const struct cmd_args *args)
{
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *root = project_need(&dir);
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF said = BUF_INIT;
	int lock, rc;

	if (root == NULL)
		return EX_FAILED;
	lock = project_lock(root, "reset", &notes, args->err);
	rc = lock < 0 ? -1 : reset_project(root, args->opts, &said, args->err);
	lock_release(&lock);
	cmd_print(&said);
	return rc;
}

const struct cmd cmd_loop_reset = {
    .name = "loop reset",
    .usage = "[--keep-lessons]",
    .summary = "Put progress.md and AGENTS.md back to their beginning",
    .about = "An interrupted run is put aside, so that the next one begins anew. Refused while "
	     "a run is active. Tickets, branches and config.json stay as they are.",
    .examples = "  ralph loop reset --keep-lessons\n",
    CMD_OPTIONS(reset_opts),
    .run = run,
};
