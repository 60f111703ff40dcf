#include "session/within.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/process/proc.h"
#include "session/keeper.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define CMDLINE_MAX ((size_t)8 << 20)

/* The descriptor of the session's directory from a keeper's arguments ("ralph", KEEPER_ARG,
 * descriptor, as session_start has them); -1: the process is no keeper. */
static int
keeper_directory(pid_t pid)
{
	AUTO_BUF text = BUF_INIT;
	const char *arg, *end;
	char path[64], *rest;
	long fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	if (fs_read(AT_FDCWD, path, CMDLINE_MAX, &text, NULL) < 0)
		return -1;
	arg = text.data;
	end = arg + text.len;
	arg += strlen(arg) + 1;
	if (arg >= end || strcmp(arg, KEEPER_ARG) != 0)
		return -1;
	arg += sizeof(KEEPER_ARG);
	if (arg >= end)
		return -1;
	fd = strtol(arg, &rest, 10);
	return rest > arg && *rest == '\0' && fd >= 0 && fd <= INT_MAX ? (int)fd : -1;
}

/* The keepers above us, the nearest first. */
struct keepers_above {
	bool (*fn)(int dirfd, void *ctx); /* NULL: nobody looks at their directories */
	void *ctx;
	bool met, over;
};

static void
within_visit(pid_t pid, void *ctx)
{
	struct keepers_above *v = ctx;
	int directory = v->over ? -1 : keeper_directory(pid);
	AUTO_CLOSE int dirfd = -1;
	char path[64];

	if (directory < 0)
		return;
	v->met = true;
	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, directory);
	if (v->fn != NULL)
		dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd >= 0)
		v->over = v->fn(dirfd, v->ctx);
}

bool
session_within(void)
{
	struct keepers_above v = {.fn = NULL};

	proc_each_ancestor(within_visit, &v);
	return v.met;
}

struct variable {
	const char *name;
	char *value;
};

/* Takes the variable as the keeper set it for its agent. */
static bool
variable_given(int dirfd, void *ctx)
{
	struct variable *variable = ctx;
	AUTO_FREE char *marker = session_marker(dirfd);
	AUTO_STRLIST env = NULL;
	struct keeper_spec spec;
	const char *value;

	if (keeper_spec_read(dirfd, &spec, NULL) < 0)
		return false;
	env = agent_env(&spec, marker, NULL);
	value = strlist_value(env, variable->name);
	variable->value = value == NULL ? NULL : xstrdup(value);
	keeper_spec_release(&spec);
	return value != NULL;
}

char *
session_variable(const char *name)
{
	struct variable variable = {.name = name};
	struct keepers_above v = {.fn = variable_given, .ctx = &variable};
	const char *ours = getenv(name);

	proc_each_ancestor(within_visit, &v);
	if (variable.value == NULL && ours != NULL)
		variable.value = xstrdup(ours);
	return variable.value;
}

void
session_each_directory(bool (*fn)(int dirfd, void *ctx), void *ctx)
{
	struct keepers_above v = {.fn = fn, .ctx = ctx};
	const char *worker = getenv("RALPH_WORKER");
	const char *slash = worker == NULL ? NULL : strrchr(worker, '/');
	AUTO_FREE char *path =
	    slash == NULL ? NULL : xstrndup(worker, (size_t)(slash - worker));
	AUTO_CLOSE int dirfd = -1;

	proc_each_ancestor(within_visit, &v);
	if (v.met || path == NULL)
		return;
	dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd >= 0)
		(void)fn(dirfd, ctx);
}
