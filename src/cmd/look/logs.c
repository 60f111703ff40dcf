/*
 * logs.c - ralph logs: what the agents wrote, as text.
 */
#include "cmd/cmd.h"
#include "cmd/look/following.h"
#include "loops/between.h"
#include "loops/choose.h"
#include "loops/past_runs.h"
#include "loops/reading.h"

#include "base/alloc.h"
#include "base/log.h"
#include "record/console.h"
#include <errno.h>
#include <inttypes.h>

enum headers { HEADERS_AUTO, HEADERS_ALWAYS, HEADERS_NEVER };

struct logs_options {
	bool follow, raw, list, json;
	int headers;
	int64_t iteration, lines;
};

#define OPTIONS struct logs_options
static const struct opt logs_opts[] = {
    ROW_FLAG("follow", follow,
	"go on as the agents write, through all iterations, until the loop is over; "
	"of one iteration or task, until its agent has ended",
	.letter = 'f'),
    ROW_COUNT(
	"iteration", iteration, "N", "which iteration", .letter = 'i', .dflt = "the latest"),
    ROW_COUNT("lines", lines, "N", "only the last N lines of what is there already",
	.letter = 'n', .dflt = "all"),
    ROW_FLAG("raw", raw, "the bytes as the agent wrote them, escape sequences and all"),
    ROW_CHOICE("headers", headers, "WHEN", "auto|always|never",
	"with -f: lines that tell which iteration begins and how it ended, and, of "
	"agents that work at once, the task before each line; auto: on a terminal, or "
	"when the loop has several agents at once",
	.dflt = "auto"),
    ROW_FLAG("list", list, "list the iterations whose output is kept, instead of printing one",
	.letter = 'l'),
    ROW_FLAG("json", json, "print the list as a JSON array"),
};

/* Returns the only session whose output is wanted; NULL: that of all. */
static char *
session_alone(const struct loop_view *v, const struct logs_options *o)
{
	if (o->iteration > 0)
		return loop_view_session_of(v, o->iteration);
	return v->chosen > 0 ? loop_view_session(v) : NULL;
}

static int
no_recording(const struct loop_view *v, int64_t iteration, struct err *err)
{
	return err_set(err,
	    "there is no recording of iteration %" PRId64
	    " of '%s' (%s logs --list %s shows those "
	    "there are)",
	    iteration, v->name, log_name(), v->name);
}

/* Opens the latest session, or the wanted one; waits for a session that is just being
 * started. */
static int
open_one(struct loop_view *v, const struct logs_options *o, struct reading *r, struct err *err)
{
	int64_t deadline = between_deadline();
	bool alone = o->iteration > 0 || v->chosen > 0;

	for (;;) {
		AUTO_FREE char *id = alone ? session_alone(v, o) : loop_view_session(v);
		struct err why = ERR_INIT;

		if (id != NULL && reading_open(r, v, id, o->raw, &why) == 0)
			return 0;
		if (id != NULL)
			reading_close(r);
		if (id != NULL && why.code != ENOENT)
			return err_pass(err, &why);
		if (alone)
			return no_recording(
			    v, o->iteration > 0 ? o->iteration : v->chosen, err);
		if (between_wait(v, deadline))
			continue;
		if (id == NULL)
			return err_set(err, "'%s' has not started an agent yet", v->name);
		return between_comes(v) ? between_say(v, err)
					: no_recording(v, v->state.iteration, err);
	}
}

static int
print_once(struct loop_view *v, const struct logs_options *o, struct err *err)
{
	struct reading r;
	int rc;

	if (open_one(v, o, &r, err) < 0)
		return -1;
	rc = reading_more(&r, true, err);
	if (rc == 0) {
		reading_tail(&r.out, o->lines);
		cmd_print(&r.out);
	}
	reading_close(&r);
	return rc;
}

/* Scripts read nothing but the agents' words, unless several agents write at once: then headers
 * tell the agents apart. */
static int
look_logs_follow(struct loop_view *v, const struct logs_options *o, struct err *err)
{
	AUTO_FREE char *session = session_alone(v, o);
	/* Only the last session of a loop that is over is shown. */
	bool more = session == NULL && (v->supervised || loop_active(&v->state) > 1);
	bool several = more && v->state.policy.parallel > 1;
	bool headers =
	    session == NULL && !o->raw && o->headers != HEADERS_NEVER &&
	    (several || o->headers == HEADERS_ALWAYS || (more && isatty(STDOUT_FILENO) != 0));

	if (several && o->raw)
		return err_set(err,
		    "'%s' has several agents at once, whose bytes cannot be told apart; choose "
		    "one by its task, or with --iteration",
		    v->name);
	if (session != NULL) {
		struct reading r;
		int rc = open_one(v, o, &r, err);

		/* A session that is not there is an error now; following would wait for it. */
		if (rc < 0)
			return -1;
		reading_close(&r);
	}
	return logs_follow(v,
	    &(struct logs_following){.lines = o->lines,
		.session = session,
		.raw = o->raw,
		.headers = headers,
		.labels = headers && several,
		.colours = console_shows_colour(STDOUT_FILENO)},
	    err);
}

static int
run(const struct cmd_args *args)
{
	const struct logs_options *o = args->opts;
	AUTO_VIEW v = VIEW_INIT;

	if (o->list && (o->follow || o->raw || o->iteration > 0 || o->lines > 0)) {
		error("--list goes with --json only");
		return EX_USAGE;
	}
	if (o->json && !o->list) {
		error("--json is for --list");
		return EX_USAGE;
	}
	if (loop_view_open_session(&v, args->operands.args[0], args->err) < 0)
		return -1;
	if (v.past && v.chosen > 0)
		choose_tell(&v, args->operands.args[0]);
	return o->list	   ? logs_list(&v, o->json, args->err)
	       : o->follow ? look_logs_follow(&v, o, args->err)
			   : print_once(&v, o, args->err);
}

const struct cmd cmd_logs = {
    .name = "logs",
    .usage = "[-f] [--iteration N] [--lines N] [--list [--json]] [NAME]",
    .summary = "Print what the agents wrote",
    .only_shows = true,
    .about =
	"NAME is a loop's, or the id of a task, or the name of its session (two words): then "
	"it is that agent alone. An id that several loops have means the task of the project "
	"that you are in, or the one that is worked on. One that no present run has is "
	"looked for in earlier runs, the newest first, and which run that is is said on "
	"stderr.\n\n" PAST_RUNS "\n\n"
	"Of an agent with a terminal: the lines that scrolled off its screen, then the screen "
	"itself. Escape sequences and control characters are removed or made visible.\n\n"
	"With -f, all agents that work are shown as they write, and those that begin later "
	"join in. When a loop has several at once ('ralph loop --parallel 3'), every line has "
	"its task in front, '[api-12] ...', and a header tells when an iteration begins, how "
	"it ended, and what became of its work. Of one agent after the other there are "
	"headers on a terminal only, so that what a script reads is what the agents wrote; "
	"--headers says otherwise.",
    .examples = "  ralph logs myproject-run\n"
		"  ralph logs -f myproject-run\n"
		"  ralph logs -i 3 myproject-run\n"
		"  ralph logs --list myproject-run\n"
		"  ralph logs -f api-12\n"
		"  ralph logs myproject-run@2\n",
    CMD_OPTIONS(logs_opts),
    CMD_NAME_OR(CHOSEN_READ),
    .run = run,
};
