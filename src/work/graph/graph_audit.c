/*
 * graph_audit.c - the log of what was done to tasks: logs/task-audit.jsonl.
 */
#include "work/graph/graph_place.h"

#include "base/fs.h"
#include "base/json.h"
#include <errno.h>

#define LOGS_DIR "logs"

static void
graph_audit_print(const struct graph_place *p, const struct graph_event *e, struct buf *out)
{
	AUTO_BUF now = BUF_INIT;
	AUTO_JSON *v = NULL;

	clock_fmt_rfc3339(clock_wall(), &now);
	v = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "timestamp", now.data, "event",
	    e->event, "task_id", json_or_null(e->task), "old_status", json_or_null(e->before),
	    "new_status", json_or_null(e->after), "worktree", json_or_null(p->who), "trigger",
	    json_or_null(p->trigger));
	ENSURE(v != NULL);
	json_put(v, "notes", e->notes);
	json_print(v, true, out);
	buf_addc(out, '\n');
}

/* Opens the directory of the logs.  A missing directory is made, with a .gitignore that covers
 * it. */
static int
logs_open(int rootfd, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int fd = fs_open_dir(rootfd, LOGS_DIR, &why);
	AUTO_CLOSE int ignore = -1;

	if (fd < 0 && why.code != ENOENT)
		return err_pass(err, &why);
	if (fd >= 0)
		return take_fd(&fd);
	if (fs_mkdir_shared(rootfd, LOGS_DIR, err) < 0 ||
	    (fd = fs_open_dir(rootfd, LOGS_DIR, err)) < 0)
		return -1;
	ignore = fs_open_append(fd, ".gitignore", err);
	if (ignore < 0 || fs_append(ignore, ".gitignore", "*\n", 2, FS_NOSYNC, err) < 0)
		return -1;
	return take_fd(&fd);
}

void
graph_audit(const struct graph_place *p, const struct graph_event *e, struct buf *notes)
{
	struct err err = ERR_INIT;
	AUTO_BUF line = BUF_INIT;
	AUTO_CLOSE int dir = logs_open(p->fd, &err);
	AUTO_CLOSE int fd = dir < 0 ? -1 : fs_open_append(dir, GRAPH_AUDIT, &err);

	graph_audit_print(p, e, &line);
	if (fd >= 0 && fs_append(fd, GRAPH_AUDIT, line.data, line.len, FS_NOSYNC, &err) == 0)
		return;
	if (notes != NULL)
		buf_addf(notes, "this is not in the audit log: %s\n", err.text);
}
