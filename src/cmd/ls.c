/*
 * ls.c - ralph ls: every loop there is.
 */
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/describe.h"
#include "record/home.h"
#include <errno.h>

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_NAMES };

struct ls_options {
	int format;
	bool json;
};

static const struct opt ls_opts[] = {
    {
	.name = "format",
	.type = OPT_CHOICE,
	.offset = offsetof(struct ls_options, format),
	.arg = "FORMAT",
	.choices = "table|json|names",
	.dflt = "table",
	.help = "how to print them",
    },
    {
	.name = "json",
	.type = OPT_FLAG,
	.offset = offsetof(struct ls_options, json),
	.help = "the same as --format json",
    },
};

enum { COLUMNS = 6, COMMAND_MAX = 60 };

struct row {
	char *cell[COLUMNS];
};

/* As much of it as leaves the table readable. */
static void
add_command(struct buf *cell, char *const *command)
{
	size_t cut = COMMAND_MAX - 3;

	for (size_t i = 0; command != NULL && command[i] != NULL && cell->len <= COMMAND_MAX;
	     i++) {
		if (i > 0)
			buf_addc(cell, ' ');
		text_show(cell, command[i], strlen(command[i]), false);
	}
	if (cell->len <= COMMAND_MAX)
		return;
	while (cut > 0 && ((unsigned char)cell->data[cut] & 0xc0) == 0x80)
		cut--;
	buf_truncate(cell, cut);
	buf_adds(cell, "...");
}

static void
row_fill(struct row *row, const struct loop_view *v)
{
	AUTO_BUF cell = BUF_INIT;

	row->cell[0] = xstrdup(v->name);
	buf_adds(&cell, loop_word(&v->state));
	if (!v->supervised && v->state.phase != PHASE_FINISHED &&
	    strcmp(cell.data, "running") == 0) {
		buf_clear(&cell);
		buf_adds(&cell, "crashed");
	}
	if (v->supervised && v->state.phase != PHASE_FINISHED) {
		AUTO_FREE char *holds = control_holds(v->dir);

		if (holds != NULL)
			buf_addf(&cell, " (%.*s)", (int)strcspn(holds, ":"), holds);
	}
	if (v->state.unread_told && strcmp(cell.data, "running") == 0) {
		buf_clear(&cell);
		buf_adds(&cell, "unreadable");
	}
	row->cell[1] = buf_detach(&cell);
	describe_iteration(v, &cell);
	row->cell[2] = buf_detach(&cell);
	buf_adds(
	    &cell, v->state.phase == PHASE_FINISHED ? end_reason_name(v->state.reason) : "-");
	row->cell[3] = buf_detach(&cell);
	clock_fmt_human(v->state.opened.wall, &cell);
	row->cell[4] = buf_detach(&cell);
	add_command(&cell, v->settings.command);
	row->cell[5] = buf_detach(&cell);
}

/* A loop of which little more than its name is known. */
static void
row_fill_damaged(struct row *row, const struct loop_view *v)
{
	AUTO_BUF cell = BUF_INIT;

	row->cell[0] = xstrdup(v->name);
	row->cell[1] = xstrdup("damaged");
	for (size_t c = 2; c < COLUMNS - 1; c++)
		row->cell[c] = xstrdup("-");
	add_command(&cell, v->settings.command);
	row->cell[COLUMNS - 1] = buf_detach(&cell);
}

static json_t *
json_damaged(const struct loop_view *v)
{
	return json_pack("{s:s, s:s, s:b, s:o}", "name", v->name, "status", "damaged",
	    "supervised", v->supervised ? 1 : 0, "message",
	    json_text(v->damage, strlen(v->damage)));
}

static void
print_table(struct row *rows, size_t n, struct buf *out)
{
	static const char *const head[COLUMNS] = {
	    "NAME", "STATUS", "ITERATION", "END", "STARTED", "COMMAND"};
	size_t width[COLUMNS];

	for (size_t c = 0; c < COLUMNS; c++) {
		width[c] = strlen(head[c]);
		for (size_t i = 0; i < n; i++)
			if (strlen(rows[i].cell[c]) > width[c])
				width[c] = strlen(rows[i].cell[c]);
	}
	for (size_t i = 0; i <= n && n > 0; i++)
		for (size_t c = 0; c < COLUMNS; c++) {
			const char *text = i == 0 ? head[c] : rows[i - 1].cell[c];

			if (c + 1 == COLUMNS)
				buf_addf(out, "%s\n", text);
			else
				buf_addf(out, "%-*s  ", (int)width[c], text);
		}
}

/* Every loop goes to whichever of the three outputs is wanted; one that cannot be read is
 * said, too, and does not hide the others. */
static int
collect(char *const *names, enum format format, json_t *array, struct row *rows, size_t *n,
    struct buf *out)
{
	int rc = EX_OK;

	for (size_t i = 0; names[i] != NULL; i++) {
		struct loop_view v;
		struct err err = ERR_INIT;

		if (format == FORMAT_NAMES) {
			buf_addf(out, "%s\n", names[i]);
			continue;
		}
		if (loop_view_open_for(&v, names[i], VIEW_END, &err) < 0) {
			/* Archived since we looked, or its maker died before it began. */
			if (err.code == ENOENT)
				continue;
			error("%s: %s", names[i], err.text);
			rc = EX_FAILED;
			continue;
		}
		if (v.damage != NULL) {
			error("%s: %s", v.name, v.damage);
			rc = EX_FAILED;
		}
		if (format == FORMAT_JSON)
			(void)json_array_append_new(
			    array, v.damage == NULL ? describe_json(&v) : json_damaged(&v));
		else
			(v.damage == NULL ? row_fill : row_fill_damaged)(&rows[(*n)++], &v);
		loop_view_close(&v);
	}
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct ls_options *o = args->opts;
	enum format format = o->json ? FORMAT_JSON : (enum format)o->format;
	AUTO_BUF out = BUF_INIT;
	AUTO_JSON *array = json_array();
	AUTO_FREE struct row *rows = NULL;
	struct err err = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&err);
	char **names = NULL;
	size_t n = 0;
	int rc = EX_OK;

	if ((home < 0 && err.code != ENOENT) ||
	    (home >= 0 && home_loops(home, &names, &err) < 0)) {
		error("%s", err.text);
		return EX_FAILED;
	}
	rows = xcalloc(strlist_len(names) + 1, sizeof(*rows));
	if (names != NULL)
		rc = collect(names, format, array, rows, &n, &out);
	if (format == FORMAT_JSON) {
		json_print(array, false, &out);
		buf_addc(&out, '\n');
	}
	print_table(rows, n, &out);
	cmd_print(&out);
	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			free(rows[i].cell[c]);
	strlist_free(names);
	return rc;
}

const struct cmd cmd_ls = {
    .name = "ls",
    .usage = "[--format table|json|names]",
    .summary = "List all loops and how they stand",
    .about = "STATUS is the same word that 'ralph status' and 'ralph wait' have: how a loop "
	     "that is over ended, and END is the reason; the manual lists them. In JSON the "
	     "word is .outcome, and .status is running, paused, stopped, failed or damaged. A "
	     "loop whose record cannot be read is listed as damaged, with a sentence on "
	     "stderr and exit code 1.",
    .examples =
	"  ralph ls\n  ralph ls --json | jq -r '.[] | select(.status == \"failed\") | .name'\n",
    .opts = ls_opts,
    .nopts = ARRAY_LEN(ls_opts),
    .size = sizeof(struct ls_options),
    .run = run,
};
