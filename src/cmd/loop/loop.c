/*
 * loop.c - ralph loop: work through a backlog of tickets, several at once, each in a worktree.
 */
#include "cmd/cmd.h"
#include "loops/environment.h"
#include "loops/loop_view.h"
#include "loops/naming.h"
#include "loops/settings.h"
#include "supervisor/supervisor.h"
#include "work/tickets/config.h"
#include "work/tickets/errand.h"
#include "work/tickets/former.h"
#include "work/tickets/keys.h"
#include "work/tickets/order.h"
#include "work/tickets/plan.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "git/landing/landing.h"
#include "work/tickets/backlog.h"
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#define WORKTREES "worktrees"

#define OPTIONS struct loop_config
static const struct opt loop_opts[] = {
    ROW_CHOICE("worktree", worktree, CHOICES_worktree, CHOICES_worktree,
	"give each ticket a git worktree of its own", .dflt = "auto"),
    ROW_FLAG(
	"no-worktree", no_worktree, "the same as --worktree=never: work in the project itself"),
    ROW_TEXT("base", base, "BRANCH", "the branch that work lands on",
	.dflt = "the branch that is checked out"),
    ROW_FLAG("require-closed", settings.success,
	"only a closed ticket is a success; a promise is not enough", .flags = OPT_SETS,
	.min = SUCCESS_CLOSED),
    ROW_FLAG("trust-exit", settings.success, "exit code 0 alone is a success",
	.flags = OPT_SETS, .min = SUCCESS_EXIT),
    ROW_FLAG("fail-fast", fail_fast, "start no more tickets after the first failure"),
    ROW_FLAG("dry-run", dry_run, "say what would be started, wave by wave; change nothing"),
    ROW_FLAG("once", once,
	"look what has ended, start what can be started, and leave; agents go on"),
    ROW_FLAG("new-run", new_run, "do not go on with an interrupted run"),
    ROW_ENV_FILE,
    ROWS_OUTPUT("run in the background"),
};

static int
loop_check_usage(const struct cmd_args *args, struct err *err)
{
	struct loop_config *o = args->opts;

	if (o->no_worktree && cmd_given(args, "worktree") && o->worktree != WORKTREE_NEVER)
		return err_set(err, "--no-worktree and --worktree exclude each other");
	if (cmd_given(args, "require-closed") && cmd_given(args, "trust-exit"))
		return err_set(err, "--require-closed and --trust-exit exclude each other");
	if (o->once && o->detach)
		return err_set(err, "--once and --detach exclude each other");
	if (o->settings.name != NULL && settings_check_name(o->settings.name, err) < 0)
		return -1;
	return environment_take(&o->settings.env, o->env_files, err);
}

/* ---- from options and configuration to settings ------------------------------------ */

/* Turns paths below the project into paths below git's top. */
static void
below_top(char **list, const char *prefix)
{
	for (; list != NULL && *list != NULL && *prefix != '\0'; list++) {
		char *path = xasprintf("%s/%s", prefix, *list);

		free(*list);
		*list = path;
	}
}

/* Does the project lie in git, and are worktrees wanted? */
static int
settle_worktrees(struct loop_config *c, struct err *err)
{
	struct settings *s = &c->settings;
	struct err why = ERR_INIT;
	bool wanted =
	    c->worktree == WORKTREE_ALWAYS ||
	    (c->worktree == WORKTREE_AUTO && !(c->serial_in_place && s->parallel == 1));

	if (wanted && land_target(s->root, c->base, &s->top, &s->branch, &why) == 0) {
		s->worktrees = true;
		below_top(s->copy, errand_prefix(s));
		below_top(s->drop, errand_prefix(s));
	} else if (wanted && (why.code != ENOENT || c->worktree == WORKTREE_ALWAYS)) {
		return err_set(err, "%s (or work without worktrees: --no-worktree)", why.text);
	}
	if (s->worktrees_dir == NULL)
		s->worktrees_dir = xasprintf("%s/" PROJECT_DIR "/" WORKTREES, s->root);
	if (s->untagged < 0)
		s->untagged = s->worktrees ? UNTAGGED_FREE : UNTAGGED_EXCLUSIVE;
	return 0;
}

/* Lays the options over the configuration, once, and decides what both leave open. */
static int
loop_complete(
    const struct cmd_args *args, struct loop_config *c, char *const *command, struct err *err)
{
	struct settings *s = &c->settings;

	opts_overlay(args->rows, args->nrows, &args->operands, args->opts, c);
	if (c->no_worktree)
		c->worktree = WORKTREE_NEVER;
	if (c->fail_fast)
		s->max_failures = 1;
	s->source = xstrdup("tickets");
	if (settle_worktrees(c, err) < 0 || agent_settle(c, command, !c->dry_run, err) < 0)
		return -1;
	if (s->tickets == NULL)
		s->tickets = backlog_find_dir(s->root, err);
	if (s->tickets == NULL)
		return -1;
	settings_make_absolute(&s->tickets);
	if (s->name == NULL)
		s->name = naming_choose(s->root, "loop", NULL);
	return 0;
}

/* ---- the run that is there already --------------------------------------------------- */

static void
loop_say_kept(const char *what, int64_t given, int64_t kept)
{
	if (given != 0 && given != kept)
		warning("this run goes on with %s=%" PRId64
			" as it began; --new-run begins another",
		    what, kept);
}

/* The run keeps the flags that it began with; the user is told which of the flags given now
 * differ. */
static void
say_differences(const struct former *f, const struct cmd_args *args, struct loop_config *c)
{
	const struct loop_config *o = args->opts;
	char *const *command = args->operands.command;
	AUTO_BUF names = BUF_INIT;
	bool told = command != NULL && command[0] != NULL;

	loop_say_kept("maxIterations", o->settings.max_iterations, f->run.max_iterations);
	loop_say_kept("parallel", o->settings.parallel, f->run.parallel);
	/* Where no worker is named, the run's own worker is meant. */
	if (loop_complete(args, c, told || c->worker != NULL ? command : f->worker, NULL) < 0)
		return;
	former_differences(f, &c->settings, told || c->worker != NULL, &names);
	if (names.len > 0)
		warning("this run goes on as it began: what is said now of %s has no effect; "
			"--new-run begins another",
		    names.data);
}

/* Goes on with a run that another program left: the run's limits win, and the tasks that the
 * run has done are not done again. */
static void
loop_take_over(const struct tickets_run *run, const struct settings *given, struct settings *s)
{
	int64_t left = run->max_iterations - run->started;

	if (run->max_iterations > 0 && left < 1) {
		warning(
		    "run %s has started all it may, as its state file says; a new one begins",
		    run->run_id);
		return;
	}
	if (run->max_iterations > 0) {
		loop_say_kept("maxIterations", given->max_iterations, run->max_iterations);
		s->max_iterations = left;
	}
	if (run->parallel > 0 && run->parallel <= LOOP_MAX_SESSIONS) {
		loop_say_kept("parallel", given->parallel, run->parallel);
		s->parallel = run->parallel;
	}
	/* The run's name goes on, too, unless it is too long for a name. */
	if (run->run_id[0] != '\0' && strlen(run->run_id) < TICKETS_RUN_ID_MAX)
		s->run_id = xstrdup(run->run_id);
	if (run->since != NULL)
		s->run_since = xstrdup(run->since);
	s->run_before = run->started;
	warning("going on with run %s as its state file has it: its journal is not here",
	    run->run_id);
}

static int
loop_supervise(const struct cmd_args *args, struct loop_config *c, const struct former *f)
{
	const struct loop_config *o = args->opts;
	struct settings *s = &c->settings;
	bool named = o->settings.name != NULL;
	char uid[17];
	AUTO_CLOSE int naming = -1;
	struct tickets_order order = {.once = o->once};
	struct supervisor_spec spec = {
	    .name = f->run.loop,
	    .json = o->json,
	    .quiet = o->quiet,
	    .detach = o->detach,
	    .order = &order,
	    .uid = uid,
	};

	text_random_hex(uid, 8);
	if (f->resumes) {
		say_differences(f, args, c);
		return supervisor_main(&spec);
	}
	if (loop_complete(args, c, args->operands.command, args->err) < 0)
		return -1;
	if (!named) {
		free(s->name);
		s->name = naming_choose(s->root, "loop", &naming);
		spec.place = s->root;
		spec.naming = &naming;
	}
	spec.name = s->name;
	spec.settings = s;
	if (f->there) {
		order.completed = f->run.completed;
		order.failed = f->run.failed;
		loop_take_over(&f->run, &o->settings, s);
	}
	return supervisor_main(&spec);
}

static int
run_or_resume(const struct cmd_args *args, struct loop_config *c)
{
	const struct loop_config *o = args->opts;
	struct former f;
	AUTO_BUF notes = BUF_INIT;
	int rc = former_find(c->settings.root, o->new_run, &f, &notes, args->err);

	warning_lines(notes.data);
	if (rc >= 0 && f.paused && o->once) {
		/* A caller that runs us every few minutes does not mean to take the pause
		 * back. */
		warning("%s is paused; go on with: ralph resume %s", f.run.loop, f.run.loop);
		rc = EX_UNFINISHED;
	} else if (rc >= 0) {
		rc = loop_supervise(args, c, &f);
	}
	former_release(&f);
	return rc;
}

static int
dry_run(const struct settings *s, bool json, struct err *err)
{
	struct backlog *b = backlog_open(s->tickets, err);
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF plan = BUF_INIT;
	int code;

	if (b == NULL)
		return -EX_QUERY;
	code = plan_run(s, b, json, &plan, err);
	if (code == EX_OK)
		cmd_print(&plan);
	backlog_notes(b, &notes);
	warning_lines(notes.data);
	backlog_close(b);
	return -code;
}

/* Are the tickets those that `ralph tk` shows here?  A directory with tickets of its own, below
 * a project that does not mean them, is no place to say that all are done. */
static int
check_tickets(const char *root, const struct settings *s, struct err *err)
{
	AUTO_FREE char *near = backlog_find_dir(".", NULL);
	AUTO_FREE char *ours =
	    s->tickets != NULL ? xstrdup(s->tickets) : backlog_find_dir(root, NULL);
	AUTO_FREE char *shown = near == NULL ? NULL : realpath(near, NULL);
	AUTO_FREE char *meant = ours == NULL ? NULL : realpath(ours, NULL);
	const char *below = fs_below(root, shown == NULL ? "" : shown);

	if (below == NULL || strchr(below, '/') == NULL ||
	    (meant != NULL && strcmp(shown, meant) == 0))
		return 0;
	return err_set(err,
	    "the tickets here are in %s, and not those of the project %s: 'ralph loop init' "
	    "makes a project here, or go there",
	    shown, root);
}

static int
loop(const struct cmd_args *args)
{
	struct loop_config *o = args->opts;
	struct loop_config c;
	AUTO_BUF notes = BUF_INIT;
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *root = NULL;
	int rc;

	if (loop_check_usage(args, args->err) < 0)
		return -EX_USAGE;
	root = project_need(&dir);
	if (root == NULL)
		return EX_FAILED;
	if (config_load(root, &c, &notes, args->err) < 0)
		return -1;
	warning_lines(notes.data);
	if (c.log_level == LEVEL_QUIET)
		o->quiet = true;
	rc = check_tickets(root, &c.settings, args->err);
	if (rc == 0 && !o->dry_run)
		rc = run_or_resume(args, &c);
	else if (rc == 0 &&
		 (rc = loop_complete(args, &c, args->operands.command, args->err)) == 0)
		rc = dry_run(&c.settings, o->json, args->err);
	config_release(&c);
	return rc;
}

static void
list_keys(struct buf *out)
{
	buf_adds(out, "\nKeys of " PROJECT_DIR "/config.json:\n");
	keys_describe(out);
}

const struct cmd cmd_loop = {
    .name = "loop",
    .usage = "[options] [-- CMD [ARG...]]",
    .summary = "Work through a backlog of tickets, several at once, each in a worktree",
    .about =
	"Takes the ready tickets of .tickets (those of tk), starts an agent for each with a "
	"fresh context in a git worktree of its own, judges how it went, lands its work on the "
	"branch the run began on, and goes on until the backlog is empty. Tickets that share a "
	"component:NAME tag never run at the same time.\n\n"
	"A ticket is completed when its agent ends with exit code 0, has closed it or said "
	"<promise>TICKET_ID_COMPLETE</promise>, and the verify command accepts the merged "
	"result. What failed is kept under refs/ralph/failed/ID/ATTEMPT; what conflicts or "
	"verify refused stays in its worktree. No checkout is switched, nothing is left "
	"half-merged.\n\n"
	"Files that git ignores are no part of what lands. When a worktree goes, they are "
	"copied (for your eyes only, 0600) to ~/.swarm/loops/NAME/sessions/SESSION/ignored: at "
	"most 1,000 files and 64 MiB a session, the smallest first, and no directory that by "
	"itself holds more, as node_modules does. Where, how many and how many went is said "
	"when the ticket is done, with links, pipes and directories too deep or unreadable. "
	"The copies stay as long as their session (--keep-sessions); those of an earlier run "
	"are in ~/.swarm/archive/NAME.TIME. Lines that an agent adds to "
	".tf/ralph/AGENTS.md in its worktree become lessons of the project; other changes "
	"below .tf/ralph stay off the branch, and are named.\n\n"
	"An agent changes the status of its own ticket only: what it does to another one that "
	"was there before does not land, or is put back where all agents share one directory "
	"of tickets (git does not know them, or there are no worktrees), and is named; new "
	"tickets and notes stay. In a session 'ralph tk' refuses it. Outside of sessions "
	"anyone may complete or reset a ticket with 'ralph tk', and what another loop "
	"completed is believed, too. An editor, git or the original tk cannot be told from an "
	"agent while one runs. What cannot be put back was checked by nobody: it is named, and "
	"the exit code is 11 (OTHER TICKETS in ralph(1)).\n\n"
	"Work that the branch cannot take, because changes of yours in its checkout are in the "
	"way, waits in refs/ralph/land/BRANCH and is tried again with every look at the "
	"backlog; a run names such changes at its beginning. Later tickets that share no file "
	"with it and do not depend on its ticket land meanwhile. What still waits at the end "
	"is named, on stdout too, by 'ralph loop status' and by an alert. Commits of yours "
	"that conflict with it fail no ticket: it waits until you have merged it (git merge "
	"refs/ralph/land/BRANCH; with -s ours when you do not want it); other tickets start "
	"from the branch and land there, those that depend on what waits wait with it. When "
	"somebody removes or moves that reference, it is put back; what it was moved to is "
	"kept below refs/ralph/stray/BRANCH.\n\n"
	"A ticket has one loop at a time, in all worktrees of the repository. One that another "
	"loop has claimed is named once, with who has it ('ID is claimed by another loop: pid "
	"..., DIRECTORY, since ...'), and in 'ralph loop status'; other tickets are done "
	"meanwhile, and it is looked at again when it is free: done there, or left by a loop "
	"and an agent that died. Work that a dead loop did but did not land is left to it. "
	"Projects of one repository may have the same ids: the branch is ralph/ID, and where "
	"another one has that, ralph/ID-2.\n\n"
	"CMD is the agent; {ticket}, {title}, {file}, {worktree} and {attempt} in its "
	"arguments are replaced, and the ticket's text is its prompt. Without CMD it is what "
	".tf/ralph/config.json says, else pi -p \"/tf ID --auto\".\n\n"
	"Exit codes: 0 all done, 10 the limit is reached and there are more, 11 some failed or "
	"were not checked, 12 the rest is blocked or unreadable, 13 the tickets could not be "
	"read, 14 all are done, but the work of some is not, or no more, on the branch. "
	"<promise>COMPLETE</promise> on stdout and 'Status: COMPLETE' in progress.md come with "
	"exit code 0 only; any other end is 'Status: INCOMPLETE' with its reason (the original "
	"says COMPLETE whenever the run is over: \"promiseOnComplete\": \"always\"). Ctrl-C "
	"and SIGTERM end the agents, keep their work, and 'ralph loop' goes on later.",
    .examples = "  ralph loop init\n"
		"  ralph loop --dry-run --parallel 4\n"
		"  ralph loop --parallel 4 --verify 'make test' -- claude -p "
		"--dangerously-skip-permissions\n",
    .more = list_keys,
    CMD_SETTINGS(OF_LOOP),
    CMD_OPTIONS(loop_opts),
    .takes_command = true,
    .checks_command = true,
    .run = loop,
};
