/*
 * config.h - .tf/ralph/config.json: what a project asks of `ralph loop`.
 *
 * Every key of the original keeps its name and does something; keys of ours stand beside them.
 * One table (keys.h) says for each key: its name, its type, its environment variable if it has
 * one, its default, its meaning.  Bad JSON, a wrong type, a value out of range and an unknown
 * key (with the nearest known one) are errors with file and line where known: a project's wish
 * is never ignored.
 *
 * Order of precedence: command line, environment, file, default.  config_load fills in
 * defaults, then the file, then the environment; the command's options come last.
 */
#ifndef CMD_LOOP_CONFIG_H
#define CMD_LOOP_CONFIG_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/settings.h"

/* auto: where the project is in a git repository. */
enum worktree_choice { WORKTREE_AUTO, WORKTREE_ALWAYS, WORKTREE_NEVER };

/* What has no place in the settings of a running loop because it is decided at its start. */
struct loop_config {
	int worktree;	      /* enum worktree_choice */
	bool serial_in_place; /* with WORKTREE_AUTO: none while one session runs at a time */
	int untagged;	      /* enum untagged, or -1: free in worktrees, exclusive without */
	char *base;	      /* the branch that work lands on; NULL: the one checked out */
	char *workflow;	      /* "/tf" */
	char *workflow_flags; /* "--auto"; may be "" */
	char **worker;	      /* argv template; NULL: what is there decides */
	char *prompt; /* absolute: a prompt file with the same placeholders; NULL: the text */
	char *knowledge_dir; /* where agents leave close-summary.md, relative to the root */
	bool name_knowledge; /* prompts of other workers than pi speak of knowledge_dir */
	bool name_planning;  /* and of the planning documents there */
	char *session_dir;   /* absolute: for pi --session-dir; NULL */
	bool capture_json;   /* pi --mode json */
	int log_level;	     /* enum log_level */
};

enum log_level { LEVEL_QUIET, LEVEL_NORMAL, LEVEL_VERBOSE, LEVEL_DEBUG };

void config_release(struct loop_config *c);
/* root/.tf/ralph/config.json (missing: defaults) and the environment into *s and *c.  *s is
 * fresh (zero bytes) and gets every setting that a key is about, and `root`; *c need not be
 * anything.  `notes` gets warnings (keys that are honoured in another way), a line each.
 * On failure both are empty. */
int config_load(const char *root, struct settings *s, struct loop_config *c, struct buf *notes,
    struct err *err) NODISCARD;
/* What `init` writes: the seed's, as the seed shows it. */
void config_template(struct buf *out);
/* "ralph help loop" lists the keys: name, meaning, default, one line each. */
void config_describe(struct buf *out);

#endif
