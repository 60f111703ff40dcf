/*
 * repo.h - a scratch directory with a repository in it, and the shell to play in it.
 */
#ifndef REPO_H
#define REPO_H

#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/process/run.h"
#include <sys/wait.h>

static struct err err;

/* Runs a script in the scratch directory and gives back what it printed. */
static inline char *shell(const char *fmt, ...) PRINTF(1, 2);

static inline char *
shell(const char *fmt, ...)
{
	AUTO_BUF script = BUF_INIT;
	struct run_result result;
	char **argv;
	va_list ap;
	char *out;

	va_start(ap, fmt);
	buf_vaddf(&script, fmt, ap);
	va_end(ap);
	argv = strlist_add(strlist_add(strlist_add(NULL, "sh"), "-ec"), script.data);
	result = (struct run_result)RUN_INIT;
	if (run_checked(&(struct run_spec){.argv = argv, .cwd = scratch.path}, &result, &err) <
	    0)
		fail_msg("%s: %s", script.data, err.text);
	if (result.out.len > 0 && result.out.data[result.out.len - 1] == '\n')
		buf_truncate(&result.out, result.out.len - 1);
	out = buf_detach(&result.out);
	run_result_release(&result);
	strlist_free(argv);
	return out;
}

#define sh(...) free(shell(__VA_ARGS__))
#define assert_shell(expected, ...)                            \
	do {                                                   \
		AUTO_FREE char *printed_ = shell(__VA_ARGS__); \
		assert_string_equal(printed_, expected);       \
	} while (0)

/* Paths below the scratch directory, as git writes them. */
static inline const char *
at(const char *name)
{
	static char path[4][512];
	static unsigned next;
	char *p = path[next++ % ARRAY_LEN(path)];

	snprintf(p, sizeof(path[0]), "%s/%s", scratch.path, name);
	return p;
}

static inline bool
is_there(const char *name)
{
	return faccessat(scratch.fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* "repo" with one commit on main; HOME is the scratch directory. */
static inline int
repo_setup(void **state)
{
	AUTO_FREE char *real = NULL;

	if (scratch_setup(state) < 0)
		return -1;
	real = realpath(scratch.path, NULL);
	snprintf(scratch.path, sizeof(scratch.path), "%s", real);
	setenv("HOME", scratch.path, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	unsetenv("XDG_CONFIG_HOME");
	err = (struct err)ERR_INIT;
	sh("git config --global user.name T; git config --global user.email t@localhost\n"
	   "git config --global init.defaultBranch main\n"
	   "git init -q repo; cd repo; echo 1 >file; echo '*.o' >.gitignore\n"
	   "mkdir sub; echo 2 >sub/two; git add .; git commit -qm first");
	return 0;
}

static inline int
repo_teardown(void **state)
{
	return scratch_teardown(state);
}

#endif
