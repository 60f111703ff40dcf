/*
 * audit.c - ralph graph audit: the last lines of logs/task-audit.jsonl, for people.
 */
#include "cmd/graph/graph.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "loops/reading.h"
#include <errno.h>

#define AUDIT_FILE "logs/" GRAPH_AUDIT
#define AUDIT_MAX ((size_t)256 << 20)

struct audit_options {
	bool json;
	int64_t lines;
};

#define OPTIONS struct audit_options
static const struct opt audit_opts[] = {
    ROW_COUNT("lines", lines, "N", "how many of the last lines to show", .letter = 'n',
	.usual = "20"),
    ROW_FLAG("json", json, "print the lines as they are in the file"),
};

static void
graph_audit_add_line(const char *line, size_t len, struct buf *out)
{
	AUTO_JSON *v = json_parse(line, len, AUDIT_FILE, NULL);
	const char *before = json_str(v, "old_status", NULL);
	const char *after = json_str(v, "new_status", NULL);

	if (v == NULL)
		return;
	text_addf(out, "%-24s  %-16s %-12s", json_str(v, "timestamp", ""),
	    json_str(v, "event", ""), json_str(v, "task_id", "-"));
	if (before != NULL)
		text_addf(out, " %s", before);
	if (after != NULL)
		text_addf(out, " -> %s", after);
	text_addf(out, "  %s  (%s)", json_str(v, "worktree", ""), json_str(v, "trigger", ""));
	if (json_str(v, "notes", NULL) != NULL)
		text_addf(out, " %s", json_str(v, "notes", ""));
	buf_addc(out, '\n');
}

static int
run(const struct cmd_args *args)
{
	const struct audit_options *o = args->opts;
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	struct err err = ERR_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	int rc = graph_session_open(&s, args);

	if (rc != EX_OK)
		return rc;
	if (fs_read(s.place.fd, AUDIT_FILE, AUDIT_MAX, &text, &err) < 0 && err.code != ENOENT) {
		error("%s", err.text);
		rc = EX_QUERY;
	}
	for (const char *p = reading_last(&text, o->lines); *p != '\0';) {
		size_t len = strcspn(p, "\n");

		if (o->json)
			buf_addf(&out, "%.*s\n", (int)len, p);
		else
			graph_audit_add_line(p, len, &out);
		p += len + (p[len] != '\0');
	}
	cmd_print(&out);
	return rc;
}

const struct cmd cmd_graph_audit = {
    .name = "graph audit",
    .usage = "[-n N] [--json]",
    .summary = "Show what was done to tasks",
    .about = "The last lines of logs/task-audit.jsonl: claimed, completed, force-completed, "
	     "reset, claim-blocked and complete-blocked, each with the time, the task, "
	     "the status before and after, the work tree and the command.",
    .examples = "  ralph graph audit\n",
    CMD_OPTIONS(audit_opts),
    .run = run,
};
