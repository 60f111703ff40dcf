#include "git/git.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "git/trust/trust_guard.h"

/* A checkout of a large repository may take its time. */
#define GIT_TIMEOUT (600 * NSEC_PER_SEC)
/* A list of files is asked for while a worker waits for its answer. */
#define FILES_TIMEOUT (20 * NSEC_PER_SEC)
#define FILES_BYTES ((size_t)64 << 20)

/* Options between `git -C DIR` and the command. */
static const char *const git_options[] = {
    "--no-optional-locks",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "submodule.recurse=false",
    /* Our own patterns must mean the same, whatever is configured. */
    "-c",
    "grep.patternType=default",
    "-c",
    "grep.extendedRegexp=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "advice.detachedHead=false",
};

/* Makes git sync objects before references; by default references reach the disk before the
 * objects they name. */
static const char *const git_synced[] = {
    "-c",
    "core.fsync=committed",
    "-c",
    "core.fsyncMethod=batch",
};

/* Variables that would lead git elsewhere, change what git does, or add to what git prints. */
static const char *const git_banned[] = {
    "GIT_ALLOW_PROTOCOL=",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
    "GIT_COMMON_DIR=",
    "GIT_CONFIG=",
    "GIT_CONFIG_COUNT=",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_PARAMETERS=",
    "GIT_CONFIG_VALUE_",
    "GIT_DIR=",
    "GIT_GRAFT_FILE=",
    "GIT_IMPLICIT_WORK_TREE=",
    "GIT_INDEX_FILE=",
    "GIT_NAMESPACE=",
    "GIT_NO_REPLACE_OBJECTS=",
    "GIT_OBJECT_DIRECTORY=",
    "GIT_PREFIX=",
    "GIT_QUARANTINE_PATH=",
    "GIT_REPLACE_REF_BASE=",
    "GIT_SHALLOW_FILE=",
    "GIT_TRACE",
    "GIT_WORK_TREE=",
    "LANGUAGE=",
    "LC_ALL=",
};

static bool
env_is_banned(const char *entry)
{
	for (size_t i = 0; i < ARRAY_LEN(git_banned); i++)
		if (strncmp(entry, git_banned[i], strlen(git_banned[i])) == 0)
			return true;
	return false;
}

char **
git_env(void)
{
	char **env = strlist_add(NULL, "LC_ALL=C");

	env = strlist_add(env, "GIT_TERMINAL_PROMPT=0");
	/* A clone without all objects may fetch some; a remote named "ext::COMMAND" runs
	 * one. */
	env = strlist_add(env, "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh");
	for (char **e = environ; e != NULL && *e != NULL; e++)
		if (!env_is_banned(*e))
			env = strlist_add(env, *e);
	return env;
}

static char **
git_argv(const struct git_call *call)
{
	char **argv = NULL;

	ENSURE(call->dir != NULL);
	argv = strlist_more(NULL, ARGS("git", "-C", call->dir));
	for (size_t i = 0; i < ARRAY_LEN(git_options); i++)
		argv = strlist_add(argv, git_options[i]);
	for (size_t i = 0; i < ARRAY_LEN(git_synced) && !call->unsynced; i++)
		argv = strlist_add(argv, git_synced[i]);
	if (!call->magic)
		argv = strlist_add(argv, "--literal-pathspecs");
	return strlist_more(strlist_more(argv, call->args), call->more);
}

static int
git_start(const struct git_call *call,
    int (*run)(const struct run_spec *, struct run_result *, struct err *),
    struct run_result *result, struct err *err)
{
	AUTO_FREE char *index =
	    call->index != NULL ? xasprintf("GIT_INDEX_FILE=%s", call->index) : NULL;
	struct guard guard = GUARD_INIT;
	AUTO_STRLIST argv = git_argv(call);
	AUTO_STRLIST env = git_env();
	AUTO_RUN unread = RUN_INIT;
	struct run_spec spec = {
	    .what = call->what,
	    .argv = argv,
	    .input = call->input,
	    .input_len = call->input_len,
	    .pause = call->pause,
	    .timeout = call->timeout ? call->timeout : GIT_TIMEOUT,
	    .max = call->max,
	    /* A git that is killed leaves locks that nobody removes, and checkouts that are
	     * half done. */
	    .whole = true,
	};
	int rc = call->unguarded ? 0 : guard_open(call->dir, call->within, &guard, err);

	if (index != NULL)
		env = strlist_add(env, index);
	/* When the repository within is broken, git must not use the repository around it. */
	if (call->within)
		env = strlist_add(env, "GIT_DIR=.git");
	env = strlist_more(env, (const char *const *)guard.env);
	spec.env = env;
	if (rc == 0)
		rc = run(&spec, result != NULL ? result : &unread, err);
	if (rc < 0)
		guard_explain(&guard, err);
	guard_release(&guard);
	return rc;
}

int
git_call(const struct git_call *call, struct run_result *result, struct err *err)
{
	return git_start(call, run_checked, result, err);
}

int
git_try(const struct git_call *call, struct run_result *result, struct err *err)
{
	return git_start(call, run_program, result, err);
}

int
git_ask(const char *dir, const char *what, const char *const *args, struct run_result *result,
    struct err *err)
{
	return git_try(&(struct git_call){.dir = dir, .what = what, .args = args}, result, err);
}

int
git_run(const char *dir, const char *what, const char *const *args, struct run_result *result,
    struct err *err)
{
	return git_call(
	    &(struct git_call){.dir = dir, .what = what, .args = args}, result, err);
}

char *
git_call_line(const struct git_call *call, struct err *err)
{
	AUTO_RUN result = RUN_INIT;

	if (git_call(call, &result, err) < 0)
		return NULL;
	/* Only the last newline is git's: a path may have others. */
	if (result.out.len > 0 && result.out.data[result.out.len - 1] == '\n')
		buf_truncate(&result.out, result.out.len - 1);
	return buf_detach(&result.out);
}

char *
git_line(const char *dir, const char *what, const char *const *args, struct err *err)
{
	return git_call_line(&(struct git_call){.dir = dir, .what = what, .args = args}, err);
}

bool
git_yes(const char *dir, const char *const *args)
{
	return git_run(dir, "git", args, NULL, NULL) == 0;
}

int
git_files(const char *dir, struct buf *paths)
{
	const struct git_call call = {
	    .dir = dir,
	    .what = "git ls-files",
	    .args = ARGS("ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate"),
	    .timeout = FILES_TIMEOUT,
	    .max = FILES_BYTES,
	};
	AUTO_RUN result = RUN_INIT;

	if (git_try(&call, &result, NULL) < 0)
		return -1;
	if (!exit_ok(result.status))
		return strstr(result.err.data, "not a git repository") != NULL ? 0 : -1;
	buf_add(paths, result.out.data, result.out.len);
	return 1;
}
