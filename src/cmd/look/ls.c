/*
 * ls.c - ralph ls: every loop there is.
 */
#include "cmd/cmd.h"
#include "cmd/listing.h"
#include "loops/control.h"
#include "loops/loop_view.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "loops/describe.h"
#include "record/home.h"
#include "record/words.h"
#include "term/term.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct ls_options {
	int format;
	bool json;
};

#define OPTIONS struct ls_options
static const struct opt ls_opts[] = {
    ROW_FORMAT,
    ROW_FLAG("json", json, "the same as --format json"),
};

enum { COLUMNS = 7, DIRECTORY = 5, DIRECTORY_MIN = 12, COMMAND_MAX = 60, COMMAND_MIN = 12 };

struct ls_row {
	int rank;	/* loops that run come first */
	int64_t opened; /* then the newest loop */
	char *cell[COLUMNS];
	json_t *json; /* the loop, where that is wanted */
};

/* ---- cells --------------------------------------------------------------------------- */

/* How many bytes at the text's beginning fit into so many columns; *taken columns hold them. */
static size_t
fit(const char *text, size_t columns, size_t *taken)
{
	size_t len = strlen(text), end = 0;

	*taken = 0;
	while (end < len) {
		uint32_t cp;
		size_t n = utf8_decode(text + end, len - end, &cp);
		int width = char_width(cp);

		*taken += width > 0 ? (size_t)width : 0;
		if (*taken > columns) {
			*taken -= (size_t)width;
			break;
		}
		end += n > 0 ? n : 1;
	}
	return end;
}

static size_t
columns_of(const char *text)
{
	size_t taken;

	(void)fit(text, SIZE_MAX, &taken);
	return taken;
}

static void
look_ls_cut(struct buf *text, size_t columns)
{
	size_t taken;

	if (text->len == 0 || columns_of(text->data) <= columns)
		return;
	buf_truncate(text, fit(text->data, columns - 3, &taken));
	buf_adds(text, "...");
}

/* Appends as much of the command as leaves the table readable. */
static void
add_command(struct buf *cell, char *const *command)
{
	for (size_t i = 0; command != NULL && command[i] != NULL && cell->len <= COMMAND_MAX;
	     i++) {
		if (i > 0)
			buf_addc(cell, ' ');
		text_show(cell, command[i], strlen(command[i]), false);
	}
	look_ls_cut(cell, COMMAND_MAX);
}

/* Adds the age in one unit: 42s, 12m, 3h, 5d. */
static void
add_age(struct buf *cell, int64_t since)
{
	static const struct {
		int64_t span;
		char unit;
	} units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
	int64_t age = (clock_wall() - since) / NSEC_PER_SEC;

	if (age < 0)
		age = 0;
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (age >= units[i].span || units[i].span == 1) {
			buf_addf(cell, "%" PRId64 "%c", age / units[i].span, units[i].unit);
			return;
		}
}

/* Adds a directory; below the user's home, it is ~/project. */
static void
add_directory(struct buf *cell, const char *cwd)
{
	const char *home = getenv("HOME");
	size_t len = home == NULL ? 0 : strlen(home);

	if (cwd == NULL)
		cwd = "-";
	if (len > 1 && strncmp(cwd, home, len) == 0 && (cwd[len] == '/' || cwd[len] == '\0')) {
		buf_addc(cell, '~');
		cwd += len;
	}
	text_show(cell, cwd, strlen(cwd), false);
}

static void
add_status(struct buf *cell, const struct loop_view *v)
{
	bool over = v->state.phase == PHASE_FINISHED;
	bool runs = strcmp(loop_word(&v->state), "running") == 0;
	AUTO_FREE char *holds = v->supervised && !over ? control_holds(v->dir) : NULL;

	if (!v->supervised && !over && runs)
		buf_adds(cell, "crashed");
	else if (v->state.unread_told && runs && holds == NULL)
		buf_adds(cell, "unreadable");
	else
		buf_adds(cell, loop_word(&v->state));
	if (holds != NULL)
		buf_addf(cell, " (%.*s)", (int)strcspn(holds, ":"), holds);
}

/* Loops that run come first, then those that could go on: 'ralph resume' takes them, or they
 * never began. */
static int
rank_of(const struct loop_view *v)
{
	bool over = v->state.phase == PHASE_FINISHED;

	if (v->supervised && !over)
		return 0;
	return !over || loop_can_resume(&v->state) ? 1 : 2;
}

static void
look_ls_row_fill(struct ls_row *row, const struct loop_view *v)
{
	bool over = v->state.phase == PHASE_FINISHED;
	AUTO_BUF cell = BUF_INIT;

	row->rank = rank_of(v);
	row->opened = v->state.opened.wall;
	row->cell[0] = xstrdup(v->name);
	add_status(&cell, v);
	row->cell[1] = buf_detach(&cell);
	words_count(&v->state, v->state.iteration, &cell);
	row->cell[2] = buf_detach(&cell);
	row->cell[3] = xstrdup(over ? end_reason_name(v->state.reason) : "-");
	add_age(&cell, v->state.opened.wall);
	row->cell[4] = buf_detach(&cell);
	add_directory(&cell, v->settings.cwd);
	row->cell[5] = buf_detach(&cell);
	add_command(&cell, v->settings.command);
	row->cell[6] = buf_detach(&cell);
}

/* Fills in the row of a loop of which little more than its name is known. */
static void
row_fill_damaged(struct ls_row *row, const struct loop_view *v)
{
	AUTO_BUF cell = BUF_INIT;

	row->rank = 1;
	row->cell[0] = xstrdup(v->name);
	row->cell[1] = xstrdup("damaged");
	for (size_t c = 2; c < COLUMNS - 1; c++)
		row->cell[c] = xstrdup("-");
	add_command(&cell, v->settings.command);
	row->cell[COLUMNS - 1] = cell.len == 0 ? xstrdup("") : buf_detach(&cell);
}

static json_t *
json_damaged(const struct loop_view *v)
{
	return json_pack("{s:s, s:s, s:b, s:o}", "name", v->name, "status", "damaged",
	    "supervised", v->supervised ? 1 : 0, "message",
	    json_text(v->damage, strlen(v->damage)));
}

/* ---- the table ----------------------------------------------------------------------- */

static int
look_ls_compare(const void *a, const void *b)
{
	const struct ls_row *one = a, *other = b;

	if (one->rank != other->rank)
		return one->rank < other->rank ? -1 : 1;
	if (one->opened != other->opened)
		return one->opened > other->opened ? -1 : 1;
	return strcmp(one->cell[0], other->cell[0]);
}

/* How wide the terminal is; 0: there is none, and lines may be as long as they are. */
static size_t
terminal_columns(void)
{
	struct winsize ws;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 ? ws.ws_col
										   : 0;
}

static void
look_ls_add_cell(struct buf *out, const char *text, size_t width)
{
	buf_adds(out, text);
	for (size_t n = columns_of(text); n < width + 2; n++)
		buf_addc(out, ' ');
}

/* Cuts long directories at their beginning: the end of a path tells more. */
static void
shorten_directories(struct ls_row *rows, size_t n, size_t columns)
{
	for (size_t i = 0; i < n; i++) {
		char **cell = &rows[i].cell[DIRECTORY];
		size_t all = columns_of(*cell), taken;
		const char *end;
		char *cut;

		if (all <= columns)
			continue;
		end = *cell + fit(*cell, all - (columns - 3), &taken);
		/* Of a wide character only half would have to go. */
		end += all - taken > columns - 3 ? fit(end, 2, &taken) : 0;
		cut = xasprintf("...%s", end);
		free(*cell);
		*cell = cut;
	}
}

/* The command is last, and gives way first.  Where that is not enough, and the directory has
 * given way, too, the line ends where the terminal does. */
static void
look_ls_add_line(
    struct buf *out, const char *const *cells, const size_t *width, size_t used, size_t columns)
{
	AUTO_BUF line = BUF_INIT;
	AUTO_BUF last = BUF_INIT;
	size_t taken;

	for (size_t c = 0; c + 1 < COLUMNS; c++)
		look_ls_add_cell(&line, cells[c], width[c]);
	buf_adds(&last, cells[COLUMNS - 1]);
	if (columns > 0)
		look_ls_cut(&last, columns > used + COMMAND_MIN ? columns - used : COMMAND_MIN);
	buf_add(&line, last.data, last.len);
	if (columns > 0)
		buf_truncate(&line, fit(line.data, columns, &taken));
	buf_addf(out, "%s\n", line.data);
}

/* Finds how wide each column is; returns where the last one begins. */
static size_t
widths(const struct ls_row *rows, size_t n, const char *const *head, size_t width[COLUMNS])
{
	size_t used = 0;

	for (size_t c = 0; c < COLUMNS; c++) {
		width[c] = strlen(head[c]);
		for (size_t i = 0; i < n; i++)
			if (columns_of(rows[i].cell[c]) > width[c])
				width[c] = columns_of(rows[i].cell[c]);
		used += c + 1 < COLUMNS ? width[c] + 2 : 0;
	}
	return used;
}

static void
look_ls_print_json(const struct ls_row *rows, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(array, rows[i].json);
	cmd_print_json(array);
}

static void
print_table(struct ls_row *rows, size_t n, struct buf *out)
{
	static const char *const head[COLUMNS] = {
	    "NAME", "STATUS", "ITERATION", "END", "AGE", "DIRECTORY", "COMMAND"};
	size_t columns = terminal_columns(), used, least;
	size_t width[COLUMNS];

	used = widths(rows, n, head, width);
	least = used - width[DIRECTORY] + COMMAND_MIN;
	if (columns > 0 && least + width[DIRECTORY] > columns) {
		shorten_directories(
		    rows, n, columns > least + DIRECTORY_MIN ? columns - least : DIRECTORY_MIN);
		used = widths(rows, n, head, width);
	}
	for (size_t i = 0; i <= n && n > 0; i++)
		look_ls_add_line(out, i == 0 ? head : (const char *const *)rows[i - 1].cell,
		    width, used, columns);
}

/* Adds every loop to the one of the three outputs that is wanted.  A loop that cannot be read
 * is said, too, and does not hide the others. */
static int
look_ls_collect(char *const *names, enum listing_format format, struct ls_row *rows, size_t *n,
    struct buf *out)
{
	int rc = EX_OK;

	for (size_t i = 0; names[i] != NULL; i++) {
		AUTO_VIEW v = VIEW_INIT;
		struct err err = ERR_INIT;

		if (format == LISTING_NAMES) {
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
		(v.damage == NULL ? look_ls_row_fill : row_fill_damaged)(&rows[*n], &v);
		if (format == LISTING_JSON)
			rows[*n].json = v.damage == NULL ? describe_json(&v) : json_damaged(&v);
		(*n)++;
	}
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct ls_options *o = args->opts;
	enum listing_format format = o->json ? LISTING_JSON : (enum listing_format)o->format;
	AUTO_BUF out = BUF_INIT;
	AUTO_FREE struct ls_row *rows = NULL;
	AUTO_CLOSE int home = home_open_existing(args->err);
	AUTO_STRLIST names = NULL;
	size_t n = 0;
	int rc = EX_OK;

	if (home < 0 ? args->err->code != ENOENT : home_loops(home, &names, args->err) < 0)
		return -1;
	rows = xcalloc(strlist_len(names) + 1, sizeof(*rows));
	if (names != NULL)
		rc = look_ls_collect(names, format, rows, &n, &out);
	qsort(rows, n, sizeof(*rows), look_ls_compare);
	if (format == LISTING_JSON)
		look_ls_print_json(rows, n);
	else
		print_table(rows, n, &out);
	cmd_print(&out);
	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			free(rows[i].cell[c]);
	return rc;
}

const struct cmd cmd_ls = {
    .name = "ls",
    .usage = "[--format table|json|names]",
    .summary = "List all loops and how they stand",
    .only_shows = true,
    .about = "Those that run come first, then those that could go on, then those that are "
	     "over; of each the newest first, in JSON, too. On a terminal no line is longer "
	     "than it is wide. STATUS is the same word that 'ralph status' and 'ralph wait' "
	     "have: how a loop that is over ended, and END is the reason; the manual lists "
	     "them. In JSON the word is .outcome, and .status is running, between-turns "
	     "('ralph loop --once'), paused, stopped, failed or damaged. A loop whose record "
	     "cannot be read is listed as damaged, with a sentence on stderr and exit code 1.",
    .examples = "  ralph ls\n"
		"  ralph ls --json | jq -r '.[] | select(.status == \"failed\") | .name'\n",
    CMD_OPTIONS(ls_opts),
    .run = run,
};
