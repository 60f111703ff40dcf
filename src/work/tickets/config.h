/*
 * config.h - .tf/ralph/config.json: what a project asks of `ralph loop`.
 *
 * Every key of the original keeps its name and does something; keys of ours stand beside them.
 * A row says for each key what it is (keys.h).  Bad JSON, a wrong type, a value out of range
 * and an unknown key (with the nearest known one) are errors with file and line where known: a
 * project's wish is never ignored.
 *
 * Order of precedence: command line, environment, file, default.  config_load fills in
 * defaults, then the file, then the environment; opts_overlay (base/opts.h) lays the command's
 * options over that.
 */
#ifndef WORK_TICKETS_CONFIG_H
#define WORK_TICKETS_CONFIG_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/settings.h"

#define KEYS_MAX 128

/* auto: where the project is in a git repository. */
enum worktree_choice { WORKTREE_AUTO, WORKTREE_ALWAYS, WORKTREE_NEVER };
#define CHOICES_worktree "auto|always|never"
enum log_level { LEVEL_QUIET, LEVEL_NORMAL, LEVEL_VERBOSE, LEVEL_DEBUG };
/* The words of promiseOnComplete. */
enum promise_when { PROMISE_NEVER, PROMISE_COMPLETE, PROMISE_ALWAYS };

/* The wishes for `ralph loop`, by its options or by its project and environment. */
struct loop_config {
	/* First, as keys.c relies on; untagged is -1 until settled: free in worktrees,
	 * exclusive without. */
	struct settings settings;
	/* Both keys and options, decided at the start of a run: */
	int worktree;	/* enum worktree_choice */
	char *base;	/* the branch that work lands on; NULL: the one checked out */
	bool fail_fast; /* max_failures is 1 */
	/* Options alone: */
	char **env_files;
	bool no_worktree, dry_run, once, new_run;
	bool json, quiet, detach;
	/* Keys alone, decided at the start of a run: */
	bool serial_in_place; /* with WORKTREE_AUTO: none while one session runs at a time */
	char *workflow;	      /* "/tf" */
	char *workflow_flags; /* "--auto"; may be "" or NULL */
	char **worker;	      /* argv with placeholders; NULL: none is named */
	char *prompt; /* absolute: a prompt file with the same placeholders; NULL: the text */
	bool name_knowledge; /* prompts of other workers than pi speak of settings.knowledge */
	bool name_planning;  /* and of the planning documents there */
	char *session_dir;   /* absolute: for pi --session-dir; NULL */
	bool capture_json;   /* pi --mode json */
	int log_level;	     /* enum log_level */
	/* Keys that change others of these, or settings: */
	int promise; /* enum promise_when */
	int backend, shell_mode;
	bool use_worktrees, allow_untagged, session_per_ticket, backoff, shell_enabled;
	int64_t max_restarts, dispatch_timeout;
	unsigned char origin[KEYS_MAX]; /* enum key_origin of each key */
};

/* Loads root/.tf/ralph/config.json (missing: defaults) and the environment into *c, whatever it
 * has been before, with `root` and the directory of the project's knowledge.  `notes` gets
 * warnings (keys that are honoured in another way), a line each.  On failure *c is empty. */
int config_load(
    const char *root, struct loop_config *c, struct buf *notes, struct err *err) NODISCARD;
void config_release(struct loop_config *c);
/* Fills in the agent's command and how the agent gets its prompt: `given` (NULL, or a command
 * line), else the command of the configuration, else pi.  `needed`: the agent will be started,
 * so it must be installed, and pi must know its workflow.  -1 + err: a sentence that says what
 * to do (agent.c). */
int agent_settle(
    struct loop_config *c, char *const *given, bool needed, struct err *err) NODISCARD;
/* The configuration that `init` writes: as the seed shows it. */
void config_template(struct buf *out);

#endif
