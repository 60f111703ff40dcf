/*
 * ralph_logs.c - swarm ralph logs: what happened in a worker's loop.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/ralph_state.h"
#include "loops/control.h"
#include "loops/news.h"
#include "loops/reading.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/home.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>

#define LOG_FILE "iterations.log"

struct logs_options {
	bool live;
	int64_t lines;
};

#define OPTIONS struct logs_options
static const struct opt logs_opts[] = {
    ROW_FLAG("live", live, "go on as it happens, until the loop is over"),
    ROW_COUNT(
	"lines", lines, "N", "only the last N of the lines that are there", .dflt = "all"),
};

/* A log being read. */
struct log_reader {
	int dir;
	off_t at;
};

/* Prints what was added; a log that was made anew is read from its start. */
static int
print_more(struct log_reader *r, int64_t lines, struct err *err)
{
	AUTO_CLOSE int fd = openat(r->dir, LOG_FILE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	AUTO_BUF bytes = BUF_INIT, out = BUF_INIT;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot read " LOG_FILE);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return err_set(err, LOG_FILE " is not a regular file");
	if (st.st_size < r->at)
		r->at = 0;
	do {
		buf_reserve(&bytes, 65536);
		n = pread(fd, bytes.data + bytes.len, 65536, r->at);
		if (n > 0) {
			bytes.len += (size_t)n;
			r->at += n;
		}
	} while (n > 0);
	text_show(&out, bytes.data, bytes.len, true);
	reading_tail(&out, lines);
	cmd_print(&out);
	return 0;
}

/* The supervisor tells of every event before it writes the log: the file is what counts. */
static int
ralph_logs_follow(struct log_reader *r, int *events, struct err *err)
{
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d", r->dir);
	AUTO_CLOSE int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (inotify < 0 || inotify_add_watch(inotify, path, IN_MODIFY | IN_CREATE) < 0)
		return err_errno(err, "cannot watch " LOG_FILE);
	for (;;) {
		struct pollfd p[] = {
		    {.fd = inotify, .events = POLLIN}, {.fd = *events, .events = POLLIN}};
		bool over = *events < 0;

		if (print_more(r, 0, err) < 0)
			return -1;
		if (over)
			return 0;
		if (poll(p, ARRAY_LEN(p), -1) <= 0)
			continue;
		if (p[0].revents != 0)
			news_drain(&inotify);
		if (p[1].revents != 0)
			news_drain(events);
	}
}

static int
ralph_logs_open_views(const char *name, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	AUTO_FREE char *path = xasprintf("ralph/%s", name);
	struct err why = ERR_INIT;
	int dir;

	if (home < 0)
		return -1;
	if (strchr(name, '/') != NULL || strcmp(name, "..") == 0)
		return err_set(err, "no ralph state found for worker '%s'", name);
	dir = fs_open_dir(home, path, &why);
	if (dir < 0 && why.code == ENOENT)
		return err_set(err, "no ralph state found for worker '%s'", name);
	return dir < 0 ? err_pass(err, &why) : dir;
}

static int
logs(const struct worker *w, const char *name, const struct logs_options *o, struct err *err)
{
	AUTO_CLOSE int dir = ralph_logs_open_views(name, err);
	AUTO_CLOSE int events = -1;
	struct log_reader r = {.dir = dir};

	if (dir < 0)
		return -1;
	if (o->live && w != NULL && !w->foreign && w->view.supervised)
		events = control_watch(w->view.dir, NULL);
	if (events >= 0)
		cmd_leave_by_interrupt();
	if (print_more(&r, o->lines, err) < 0)
		return -1;
	return events < 0 ? 0 : ralph_logs_follow(&r, &events, err);
}

static int
run(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	AUTO_WORKER w = WORKER_INIT;

	/* The original forgets a worker and keeps its loop. */
	if (worker_open(&w, name, args->err) < 0)
		return args->err->code == ENOENT ? logs(NULL, name, args->opts, NULL) : -1;
	return w.ralph ? logs(&w, name, args->opts, args->err)
		       : err_set(args->err, "worker '%s' is not a ralph worker", name);
}

const struct cmd cmd_swarm_ralph_logs = {
    .name = "ralph logs",
    .usage = "[--live] [--lines N] NAME",
    .summary = "Print what happened in a worker's loop",
    .about = "The lines of ~/.swarm/ralph/NAME/iterations.log: every "
	     "start, end, failure and timeout.",
    .examples = "  swarm ralph logs agent --lines 20\n"
		"  swarm ralph logs agent --live\n",
    CMD_OPTIONS(logs_opts),
    CMD_NAME,
    .run = run,
};
