/*
 * git.h - how git is run.
 *
 * Git runs in a named directory, never in ours; in English, without hooks, optional locks, file
 * system monitors, background upkeep or questions; without the variables that would lead it
 * into another repository (they are set when we are called from a hook); never into
 * repositories within on its own (git/inner.h); and without the commands of its configuration
 * that nobody agreed to (git/trust/trust.h).
 */
#ifndef GIT_GIT_H
#define GIT_GIT_H

#include "base/process/run.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct git_call {
	const char *dir;
	const char *what; /* the command's name in sentences: "git status" */
	const char *const *args;
	const char *const *more; /* arguments behind args; NULL: none */
	const char *index;	 /* a file instead of the work tree's own; NULL */
	const char *input;	 /* bytes for git's standard input; NULL: none */
	size_t input_len;
	/* As in struct run_spec (base/process/run.h); NULL: none. */
	const struct run_pause *pause;
	bool magic;	 /* paths may begin with ":(exclude)" and the like */
	int64_t timeout; /* ns; 0: as long as a large checkout may take */
	size_t max;	 /* bytes of output; 0: 16 MiB; more is an error */
	bool within;	 /* dir is the top of a repository within another's work tree */
	bool unguarded;	 /* runs no command of the settings: trust reads them so */
	bool unsynced;	 /* a power cut may lose what git writes, or the caller syncs it */
};

/* The result may be NULL: nobody wants to read what git printed. */

/* Runs git.  Any exit status is a success, and is in result. */
int git_try(const struct git_call *call, struct run_result *result, struct err *err) NODISCARD;
/* Runs git.  Any exit status but 0 is an error. */
int git_call(const struct git_call *call, struct run_result *result, struct err *err) NODISCARD;
/* The one line that git prints, without its newline; NULL + err.  The caller frees the line. */
char *git_call_line(const struct git_call *call, struct err *err) NODISCARD;
/* The environment that git runs with: ours without the variables that would lead git astray.
 * Use it for programs that may run git themselves; free with strlist_free. */
char **git_env(void) NODISCARD;

/*
 * Runs `git <args>` in dir; args ends with NULL. `what` names the command in sentences ("git
 * status").  For git_ask any exit status is a success, and is in result; for git_run any exit
 * status but 0 is an error.
 */
int git_ask(const char *dir, const char *what, const char *const *args,
    struct run_result *result, struct err *err) NODISCARD;
int git_run(const char *dir, const char *what, const char *const *args,
    struct run_result *result, struct err *err) NODISCARD;
char *git_line(
    const char *dir, const char *what, const char *const *args, struct err *err) NODISCARD;
/* Does git exit with status 0?  Also false when git cannot be run. */
bool git_yes(const char *dir, const char *const *args);
/* The files of the work tree at dir that git does not ignore, each path followed by a NUL.
 * 1; 0: there is no repository; -1: git cannot tell. */
int git_files(const char *dir, struct buf *paths);

#endif
