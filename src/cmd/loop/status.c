/*
 * status.c - ralph loop status: how the project stands.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"
#include "work/tickets/project.h"
#include "work/tickets/standing.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include <inttypes.h>

#define READY_SHOWN 5

struct status_options {
	bool json;
};

#define OPTIONS struct status_options
static const struct opt status_opts[] = {
    ROW_FLAG("json", json, "print a JSON object"),
};

/* ---- telling ------------------------------------------------------------------------- */

/* Adds a line "- Key: value": a value that is a moment is told as people tell it. */
static void
loop_status_add_line(struct buf *out, const char *line, size_t len)
{
	const char *colon = memmem(line, len, ": ", 2);
	size_t key = colon == NULL ? len : (size_t)(colon - line) + 2;

	text_show(out, line, key, false);
	if (key < len)
		clock_show(line + key, len - key, out);
}

static void
loop_status_add_section(struct buf *out, const char *heading, const struct buf *lines)
{
	buf_addf(out, "%s:\n", heading);
	if (lines->len == 0)
		buf_adds(out, "  (nothing in progress.md)");
	for (const char *p = lines->data; *p != '\0';) {
		size_t len = strcspn(p, "\n");

		buf_adds(out, len > 0 ? "  " : "");
		loop_status_add_line(out, p, len);
		p += len + (p[len] == '\n');
		if (*p != '\0')
			buf_addc(out, '\n');
	}
	buf_adds(out, "\n\n");
}

static void
loop_status_add_elsewhere(const struct standing *st, struct buf *out)
{
	const struct claim *c;

	for (size_t at = 0; (c = standing_elsewhere(st, &at)) != NULL;) {
		buf_adds(out, "Claimed by another loop: ");
		tk_add_id(out, c->task);
		buf_adds(out, " (");
		claim_describe(c, out);
		buf_adds(out, ")\n");
	}
}

static void
loop_status_add_tickets(const struct standing *st, int which, struct buf *out)
{
	static const char *const headings[STANDING_LISTS] = {
	    "Ready tickets", "Tickets in work", "Waiting tickets"};
	const struct ticket *const *list = st->lists[which].of;
	size_t n = st->lists[which].n;

	if (which == STANDING_READY && st->backlog == NULL)
		buf_addf(out, "%s: no .tickets directory\n", headings[which]);
	else if (which == STANDING_READY || n > 0)
		buf_addf(out, "%s: %zu\n", headings[which], n);
	for (size_t i = 0; i < n && i < READY_SHOWN; i++) {
		buf_adds(out, "  ");
		tk_add_id(out, list[i]->id);
		text_addf(out, " [P%" PRId64 "][%s] - %s\n", list[i]->priority, list[i]->word,
		    list[i]->title);
	}
	if (n > READY_SHOWN)
		buf_addf(out, "  ... and %zu more\n", n - READY_SHOWN);
}

static void
add_gone(const struct standing *st, struct buf *out)
{
	for (size_t i = 0; i < json_array_size(st->gone); i++) {
		const json_t *one = json_array_get(st->gone, i);

		text_addf(out, "Not on %s any more: %s %s (git merge %s)\n", st->branch,
		    json_str(one, "ticket", ""), json_str(one, "commit", ""),
		    json_str(one, "ref", ""));
	}
}

static void
loop_status_print_text(const struct standing *st)
{
	AUTO_BUF out = BUF_INIT;

	loop_status_add_section(&out, "Current State", &st->state);
	loop_status_add_section(&out, "Statistics", &st->statistics);
	for (int which = 0; which < STANDING_LISTS; which++)
		loop_status_add_tickets(st, which, &out);
	loop_status_add_elsewhere(st, &out);
	if (st->waiting.len > 0)
		buf_addf(&out, "Not on its branch yet: %s", st->waiting.data);
	add_gone(st, &out);
	buf_addf(&out, "Lessons: %" PRId64 "\nActive run: %s\n", st->lessons,
	    st->busy > 0 ? st->who.data : "none");
	cmd_print(&out);
}

/* Makes members of the lines "- Key: value". */
static json_t *
section_json(const struct buf *lines)
{
	json_t *v = json_object();

	ENSURE(v != NULL);
	for (const char *p = lines->data; *p != '\0'; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t len = strcspn(p, "\n");
		const char *colon = memchr(p, ':', len);
		AUTO_FREE char *key = NULL;
		const char *value;

		if (strncmp(p, "- ", 2) != 0 || colon == NULL || colon < p + 2)
			continue;
		key = xstrndup(p + 2, (size_t)(colon - p) - 2);
		value = colon + 1 + strspn(colon + 1, " ");
		if (value > p + len)
			value = p + len;
		/* A key that is no text is none of ours. */
		(void)!json_object_set_new(v, key, json_text(value, (size_t)(p + len - value)));
	}
	return v;
}

static json_t *
tickets_json(const struct standing *st, int which)
{
	json_t *list = json_array();

	ENSURE(list != NULL);
	for (size_t i = 0; i < st->lists[which].n && i < READY_SHOWN; i++)
		ENSURE(json_array_append_new(list, tk_json(st->lists[which].of[i])) == 0);
	return list;
}

static json_t *
lines_json(const struct buf *lines)
{
	json_t *list = json_array();

	ENSURE(list != NULL);
	for (const char *p = lines->data; *p != '\0'; p += strcspn(p, "\n"), p += *p == '\n')
		ENSURE(json_array_append_new(list, json_text(p, strcspn(p, "\n"))) == 0);
	return list;
}

static json_t *
elsewhere_json(const struct standing *st)
{
	json_t *list = json_array();
	const struct claim *c;

	ENSURE(list != NULL);
	for (size_t at = 0; (c = standing_elsewhere(st, &at)) != NULL;) {
		AUTO_BUF who = BUF_INIT;

		claim_describe(c, &who);
		ENSURE(
		    json_array_append_new(list,
			json_pack("{s:o, s:o}", "ticket", json_text(c->task, strlen(c->task)),
			    "by", json_text(who.data, who.len))) == 0);
	}
	return list;
}

static void
loop_status_print_json(const struct standing *st)
{
	cmd_print_json(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:O}",
	    "root", json_text(st->root, strlen(st->root)), "state", section_json(&st->state),
	    "statistics", section_json(&st->statistics), "ready",
	    st->backlog == NULL ? json_null()
				: json_integer((json_int_t)st->lists[STANDING_READY].n),
	    "tickets", tickets_json(st, STANDING_READY), "working_tickets",
	    tickets_json(st, STANDING_WORKING), "waiting_tickets",
	    tickets_json(st, STANDING_DONE), "claimed_elsewhere", elsewhere_json(st), "lessons",
	    (json_int_t)st->lessons, "active",
	    st->busy > 0 ? json_text(st->who.data, st->who.len) : json_null(), "waiting",
	    lines_json(&st->waiting), "gone", st->gone));
}

static int
run(const struct cmd_args *args)
{
	const struct status_options *o = args->opts;
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *root = project_need(&dir);
	struct standing st;

	if (root == NULL)
		return EX_FAILED;
	standing_look(&st, root, dir);
	if (o->json)
		loop_status_print_json(&st);
	else
		loop_status_print_text(&st);
	if (st.backlog != NULL)
		tk_warn(st.backlog);
	standing_release(&st);
	return EX_OK;
}

const struct cmd cmd_loop_status = {
    .name = "loop status",
    .usage = "[--json]",
    .summary = "Show how the tickets of this project stand",
    .about =
	"Progress and statistics of " PROJECT_DIR
	"/progress.md, the tickets that are ready, those that an agent has (with --json "
	"working_tickets), those that are done and wait for their branch (which their files "
	"call open where the closing waits with them; with --json they are waiting_tickets), "
	"those that a loop in another worktree of the repository has claimed, what is done but "
	"not on its branch yet, merges that somebody took off the branch again (with the "
	"command that brings them back; with --json gone), how many lessons there are, and who "
	"is at work; of a run that is not over and that nobody supervises, how it stands "
	"(between two turns of 'ralph loop --once', paused, crashed) and what goes on with it.",
    .examples = "  ralph loop status\n"
		"  ralph loop status --json | jq .ready\n",
    CMD_OPTIONS(status_opts),
    .run = run,
};
