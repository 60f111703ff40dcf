/*
 * repair.c - ralph repair: make the best of a journal that is damaged.
 */
#include "cmd/cmd.h"
#include "cmd/confirm.h"
#include "loops/patient.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include <inttypes.h>

struct repair_options {
	bool yes, dry_run, json;
};

#define OPTIONS struct repair_options
static const struct opt repair_opts[] = {
    ROW_FLAG("yes", yes, "repair without asking", .letter = 'y'),
    ROW_FLAG("dry-run", dry_run, "only say what would be done", .letter = 'n'),
    ROW_FLAG("json", json, "print the plan, and what was done, as JSON; asks nothing"),
};

/* ---- words --------------------------------------------------------------------------- */

static const char *
lines(int64_t n)
{
	return n == 1 ? "line" : "lines";
}

/* Counts the lines that still tell something; lost lines only keep their number. */
static int64_t
staying(const struct repair *r)
{
	return r->lines - r->lost;
}

static void
add_staying(const struct repair *r, struct buf *out)
{
	int64_t n = staying(r);

	if (n == 0)
		buf_adds(out, "no line stays");
	else
		buf_addf(out, "%" PRId64 " %s", n, n == 1 ? "line stays" : "lines stay");
}

static void
say_sound(const struct patient *p, struct buf *out)
{
	const struct repair *r = &p->plan;

	buf_addf(out, "%s: nothing is damaged (", p->name);
	if (r->lost > 0) {
		add_staying(r, out);
		buf_addf(
		    out, " of %" PRId64 "; the others only keep their number)\n", r->lines);
	} else {
		buf_addf(out, "%" PRId64 " %s)\n", r->lines, lines(r->lines));
	}
}

static void
say_lines(const struct repair *r, struct buf *out)
{
	if (r->mended > 0)
		buf_addf(out,
		    "  %" PRId64 " %s with one wrong bit: put right, as the checksum proves\n",
		    r->mended, lines(r->mended));
	if (r->stray > 0)
		buf_addf(out, "  %zu bytes that cannot be read: taken out\n", r->stray);
	if (r->lost > 0)
		buf_addf(out,
		    "  %" PRId64
		    " %s lost; snapshot.json tells their sum, only lists of single "
		    "events lack them\n",
		    r->lost, lines(r->lost));
	if (r->dropped > 0)
		buf_addf(out,
		    "  %" PRId64
		    " whole %s behind a gap: taken out, since nothing proves what was "
		    "between\n",
		    r->dropped, lines(r->dropped));
	if (r->torn > 0)
		buf_addf(out, "  an unfinished last line (%zu bytes): dropped\n", r->torn);
}

/* No other file has the command and its options, and there is no seal that could prove a
 * guess. */
static void
say_unset(const struct patient *p, struct buf *out)
{
	buf_addf(out, "%s: ", p->name);
	text_show(out, p->unset, strlen(p->unset), false);
	buf_addf(out,
	    "\n  what the loop is to run stood only there: its directory goes to the archive "
	    "as it is, and the name is free\n"
	    "  who knows what is wrong in loops/%s/spec.json can put it right by hand instead, "
	    "and 'ralph resume %s' goes on\n",
	    p->name, p->name);
}

static void
control_repair_say_plan(const struct patient *p, struct buf *out)
{
	const struct repair *r = &p->plan;
	size_t later = strlist_len(p->later);

	if (p->unset != NULL)
		say_unset(p, out);
	if (r->missing)
		buf_addf(out, "%s: journal.jsonl is missing\n", p->name);
	else if (r->line > 0)
		buf_addf(out, "%s: journal.jsonl is damaged in line %" PRId64 "%s\n", p->name,
		    r->line, r->empty ? ": nothing is left of it" : "");
	if (p->unset != NULL)
		return;
	say_lines(r, out);
	if (patient_is_hopeless(p)) {
		buf_addf(out,
		    "  nothing that is left says how the loop began: it goes to the archive as "
		    "it is, and the name is free\n");
		return;
	}
	buf_adds(out, "  ");
	add_staying(r, out);
	buf_addf(out, "; the loop is then: %s, iteration %" PRId64 "\n", loop_word(&r->state),
	    r->state.iteration);
	if (r->open)
		buf_addf(out,
		    "  whether others followed line %" PRId64
		    " is not known; what they told is lost, "
		    "too\n",
		    r->lines);
	if (later > 0)
		buf_addf(out,
		    "  %zu later session%s: set aside as sessions/ID.corrupt.TIME; what they "
		    "did may be done again\n",
		    later, later == 1 ? "" : "s");
	if (!r->missing)
		buf_addf(
		    out, "  the journal as it is now is kept as journal.corrupt.TIME.jsonl\n");
}

static void
control_repair_say_done(const struct patient *p)
{
	if (patient_is_hopeless(p))
		cmd_say("moved %s to the archive", p->name);
	else
		cmd_say("repaired %s (the old journal is kept as %s)", p->name, p->kept.data);
}

static void
say_json(const struct patient *p, bool done)
{
	const struct repair *r = &p->plan;

	cmd_print_json(json_pack("{s:s, s:b, s:o, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
				 "s:I, s:b, s:s, s:I, s:o, s:b, s:o}",
	    "name", p->name, "damaged", patient_is_damaged(p), "settings",
	    json_or_null(p->unset), "missing", r->missing, "line", (json_int_t)r->line, "lines",
	    (json_int_t)r->lines, "staying", (json_int_t)staying(r), "mended",
	    (json_int_t)r->mended, "lost", (json_int_t)r->lost, "dropped",
	    (json_int_t)r->dropped, "stray_bytes", (json_int_t)r->stray, "torn_bytes",
	    (json_int_t)r->torn, "archive", patient_is_damaged(p) && patient_is_hopeless(p),
	    "status", loop_status(&r->state), "iteration", (json_int_t)r->state.iteration,
	    "sessions_aside", json_strlist(p->later), "done", done, "kept",
	    p->kept.len > 0 ? json_text(p->kept.data, p->kept.len) : json_null()));
}

/* ---- deeds ---------------------------------------------------------------------------- */

/* 1: it is to be done, 0: it was only to be said, or somebody said no. */
static int
control_repair_is_wanted(const struct repair_options *o, const struct patient *p)
{
	if (o->dry_run)
		return 0;
	if (o->yes)
		return 1;
	if (!o->json && confirm_possible())
		return confirm("Do this?");
	if (!o->json)
		(void)fprintf(
		    stderr, "%s: to do this: ralph repair --yes %s\n", log_name(), p->name);
	return 0;
}

/* The exit code, or -1. */
static int
repair(struct patient *p, const struct repair_options *o, struct err *err)
{
	AUTO_BUF out = BUF_INIT;
	bool done = false;

	if (patient_examine(p, err) < 0)
		return -1;
	if (!patient_is_damaged(p) && !o->json)
		say_sound(p, &out);
	else if (!o->json)
		control_repair_say_plan(p, &out);
	cmd_print(&out);
	if (patient_is_damaged(p) && control_repair_is_wanted(o, p)) {
		if (patient_treat(p, err) < 0)
			return -1;
		done = true;
	}
	if (o->json)
		say_json(p, done);
	else if (done)
		control_repair_say_done(p);
	return patient_is_damaged(p) && !done ? EX_UNFINISHED : EX_OK;
}

static int
run(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	struct patient *p = xcalloc(1, sizeof(*p));
	int rc = patient_open(p, name, args->err);

	if (rc == 0)
		rc = repair(p, args->opts, args->err);
	patient_close(p);
	free(p);
	return rc;
}

const struct cmd cmd_repair = {
    .name = "repair",
    .usage = "[--yes | --dry-run] [--json] NAME",
    .summary = "Make the best of a loop whose record is damaged",
    .about =
	"A journal with a wrong bit, a missing line or a line that somebody else wrote is "
	"refused by every other command, and nothing of it is changed. This one says what can "
	"be saved: a line with one wrong bit is found again, what is no line is taken out, a "
	"lost line whose sum is in snapshot.json leaves only its number, and behind any other "
	"gap the journal ends. On a terminal it asks; with --yes it does it; otherwise it only "
	"says. All of the old journal is kept as journal.corrupt.TIME.jsonl in the loop's "
	"directory. A loop that runs is refused.\n\n"
	"Afterwards the loop can be shown and resumed as usual. Where nothing says any more "
	"how it began (the journal is missing or empty, and there is no snapshot), or its "
	"spec.json cannot be read, which alone says what it was to run, "
	"its directory goes to the archive and the name is free.\n\n"
	"Exit codes: 0 nothing is damaged, or it was repaired; 3 something is damaged and "
	"nothing was done (--dry-run, no terminal to ask on, or the answer was no); 1 it "
	"cannot be repaired now.",
    .examples = "  ralph repair myproject-run\n"
		"  ralph repair --yes myproject-run\n"
		"  ralph repair --dry-run --json myproject-run\n",
    CMD_OPTIONS(repair_opts),
    CMD_NAME,
    .run = run,
};
