/*
 * status.c - ralph loop status: how the project stands.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"
#include "work/tickets/config.h"
#include "work/tickets/former.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "claims/claims.h"
#include "git/landing/astray.h"
#include "git/landing/landing.h"
#include "record/codec.h"
#include "work/tickets/backlog.h"
#include "work/tickets/views/tickets.h"
#include <errno.h>
#include <inttypes.h>

#define FILE_LIMIT ((size_t)64 << 20)
#define READY_SHOWN 5

struct status_options {
	bool json;
};

#define OPTIONS struct status_options
static const struct opt status_opts[] = {
    ROW_FLAG("json", json, "print a JSON object"),
};

enum {
	READY,	 /* and nobody has them */
	WORKING, /* an agent has them, here or elsewhere */
	DONE,	 /* open in their files, and their work waits */
	LISTS
};

struct status {
	const char *root;
	struct buf state, statistics; /* lines of progress.md */
	int64_t lessons;
	struct backlog *backlog; /* NULL: there are no tickets */
	struct {
		const struct ticket **of;
		size_t n;
	} lists[LISTS];
	struct claims *claims; /* NULL: there are none, or they cannot be read */
	int busy;
	struct buf who;
	struct buf waiting; /* merges that their branch has not got yet, a line a branch */
	char *branch;	    /* that work lands on; NULL: nobody knows */
	json_t *gone;	    /* merges that it has not got any more */
};

/* ---- looking ------------------------------------------------------------------------- */

static void
loop_status_read_file(int dir, const char *name, struct buf *out)
{
	struct err err = ERR_INIT;

	if (fs_read(dir, name, FILE_LIMIT, out, &err) < 0 && err.code != ENOENT)
		warning("%s", err.text);
}

/* Finds where the tickets are, by the configuration, and the branch that it names; warns of
 * what is wrong with the configuration. */
static char *
tickets_dir(const char *root, char **base)
{
	struct loop_config c;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	char *dir = NULL;

	if (config_load(root, &c, &notes, &err) < 0) {
		warning("%s", err.text);
		return backlog_find_dir(root, NULL);
	}
	dir = c.settings.tickets == NULL ? backlog_find_dir(root, NULL)
					 : take_ptr(c.settings.tickets);
	*base = take_ptr(c.base);
	config_release(&c);
	return dir;
}

static void
look_at_claims(struct status *st, const char *tickets)
{
	struct err err = ERR_INIT;

	st->claims = claims_open_tickets(st->root, tickets, &err);
	if (st->claims == NULL || claims_read(st->claims, &err) < 0)
		warning("%s", err.text);
}

/* The next claim of a loop in another work tree from *at on; NULL. */
static const struct claim *
next_elsewhere(const struct status *st, size_t *at)
{
	while (st->claims != NULL && *at < claims_count(st->claims)) {
		const struct claim *c = claims_at(st->claims, (*at)++);

		if (claim_is_alive(c) && strcmp(c->worktree, claims_worktree(st->claims)) != 0)
			return c;
	}
	return NULL;
}

static bool
is_in_work(const struct status *st, const struct ticket *t)
{
	const struct claim *c = st->claims == NULL ? NULL : claims_find(st->claims, t->id);

	return c != NULL && claim_is_alive(c);
}

static void
look_for_ready(struct status *st)
{
	const struct ticket *const *list;
	size_t n = backlog_ready(st->backlog, &list);

	st->lists[READY].of = xcalloc(n + 1, sizeof(const struct ticket *));
	st->lists[WORKING].of = xcalloc(n + 1, sizeof(const struct ticket *));
	for (size_t i = 0; i < n; i++) {
		int which = is_in_work(st, list[i]) ? WORKING : READY;

		st->lists[which].of[st->lists[which].n++] = list[i];
	}
}

static void
look_at_tickets(struct status *st)
{
	AUTO_FREE char *dir = tickets_dir(st->root, &st->branch);
	struct err err = ERR_INIT;

	if (dir == NULL)
		return;
	look_at_claims(st, dir);
	st->backlog = backlog_open(dir, &err);
	if (st->backlog == NULL || backlog_refresh(st->backlog, &err) < 0) {
		warning("%s", err.text);
		backlog_close(st->backlog);
		st->backlog = NULL;
		return;
	}
	/* Counts these tickets as a loop does: nobody need begin them, and others may build on
	 * them. */
	st->lists[DONE].of = tk_waiting(st->backlog, st->root, &st->branch, &st->lists[DONE].n);
	for (size_t i = 0; i < st->lists[DONE].n; i++)
		backlog_settle(st->backlog, st->lists[DONE].of[i]->id);
	look_for_ready(st);
}

/* Tells how a run stands that nobody supervises now and that is not over, and what goes on with
 * it. */
static void
look_for_left(struct status *st)
{
	AUTO_VIEW v = VIEW_INIT;

	if (!former_view(st->root, &v))
		return;
	if (v.state.phase != PHASE_FINISHED) {
		buf_addf(&st->who, "%s, ", v.name);
		loop_view_condition(&v, &st->who);
		st->busy = 1;
	}
}

static void
loop_status_look(struct status *st, int dir)
{
	struct err err = ERR_INIT;
	AUTO_BUF progress = BUF_INIT;
	AUTO_BUF lessons = BUF_INIT;

	loop_status_read_file(dir, "progress.md", &progress);
	tickets_progress_section(&progress, "Current State", &st->state);
	tickets_progress_section(&progress, "Statistics", &st->statistics);
	loop_status_read_file(dir, "AGENTS.md", &lessons);
	st->lessons = tickets_lessons_count(&lessons);
	look_at_tickets(st);
	land_waiting(st->root, &st->waiting);
	st->gone = json_array();
	ENSURE(st->gone != NULL);
	astray_list(st->root, &st->branch, st->gone);
	st->busy = project_busy(st->root, &st->who, &err);
	if (st->busy < 0)
		warning("%s", err.text);
	else if (st->busy == 0)
		look_for_left(st);
}

/* ---- telling ------------------------------------------------------------------------- */

/* "- Key: value": a value that is a moment is told as people tell it. */
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
loop_status_add_elsewhere(const struct status *st, struct buf *out)
{
	const struct claim *c;

	for (size_t at = 0; (c = next_elsewhere(st, &at)) != NULL;) {
		buf_adds(out, "Claimed by another loop: ");
		tk_add_id(out, c->task);
		buf_adds(out, " (");
		claim_describe(c, out);
		buf_adds(out, ")\n");
	}
}

static void
loop_status_add_tickets(const struct status *st, int which, struct buf *out)
{
	static const char *const headings[LISTS] = {
	    "Ready tickets", "Tickets in work", "Waiting tickets"};
	const struct ticket *const *list = st->lists[which].of;
	size_t n = st->lists[which].n;

	if (which == READY && st->backlog == NULL)
		buf_addf(out, "%s: no .tickets directory\n", headings[which]);
	else if (which == READY || n > 0)
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
add_gone(const struct status *st, struct buf *out)
{
	for (size_t i = 0; i < json_array_size(st->gone); i++) {
		const json_t *one = json_array_get(st->gone, i);

		text_addf(out, "Not on %s any more: %s %s (git merge %s)\n", st->branch,
		    json_str(one, "ticket", ""), json_str(one, "commit", ""),
		    json_str(one, "ref", ""));
	}
}

static void
loop_status_print_text(const struct status *st)
{
	AUTO_BUF out = BUF_INIT;

	loop_status_add_section(&out, "Current State", &st->state);
	loop_status_add_section(&out, "Statistics", &st->statistics);
	for (int which = 0; which < LISTS; which++)
		loop_status_add_tickets(st, which, &out);
	loop_status_add_elsewhere(st, &out);
	if (st->waiting.len > 0)
		buf_addf(&out, "Not on its branch yet: %s", st->waiting.data);
	add_gone(st, &out);
	buf_addf(&out, "Lessons: %" PRId64 "\nActive run: %s\n", st->lessons,
	    st->busy > 0 ? st->who.data : "none");
	cmd_print(&out);
}

/* "- Key: value" lines as members. */
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
tickets_json(const struct status *st, int which)
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
elsewhere_json(const struct status *st)
{
	json_t *list = json_array();
	const struct claim *c;

	ENSURE(list != NULL);
	for (size_t at = 0; (c = next_elsewhere(st, &at)) != NULL;) {
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
loop_status_print_json(const struct status *st)
{
	cmd_print_json(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:O}",
	    "root", json_text(st->root, strlen(st->root)), "state", section_json(&st->state),
	    "statistics", section_json(&st->statistics), "ready",
	    st->backlog == NULL ? json_null() : json_integer((json_int_t)st->lists[READY].n),
	    "tickets", tickets_json(st, READY), "working_tickets", tickets_json(st, WORKING),
	    "waiting_tickets", tickets_json(st, DONE), "claimed_elsewhere", elsewhere_json(st),
	    "lessons", (json_int_t)st->lessons, "active",
	    st->busy > 0 ? json_text(st->who.data, st->who.len) : json_null(), "waiting",
	    lines_json(&st->waiting), "gone", st->gone));
}

static int
run(const struct cmd_args *args)
{
	const struct status_options *o = args->opts;
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *root = project_need(&dir);
	struct status st = {.root = root,
	    .state = BUF_INIT,
	    .statistics = BUF_INIT,
	    .who = BUF_INIT,
	    .waiting = BUF_INIT};

	if (root == NULL)
		return EX_FAILED;
	loop_status_look(&st, dir);
	if (o->json)
		loop_status_print_json(&st);
	else
		loop_status_print_text(&st);
	if (st.backlog != NULL)
		tk_warn(st.backlog);
	for (int which = 0; which < LISTS; which++)
		free(st.lists[which].of);
	backlog_close(st.backlog);
	claims_close(st.claims);
	free(st.branch);
	json_decref(st.gone);
	buf_release(&st.state);
	buf_release(&st.statistics);
	buf_release(&st.who);
	buf_release(&st.waiting);
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
