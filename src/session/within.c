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

struct search {
	const char *name; /* NULL: of no variable */
	bool within;
	char *value;
};

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

static int
directory_open(pid_t keeper, int directory)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)keeper, directory);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The variable as the keeper set it for its agent. */
static char *
variable_given(pid_t keeper, int directory, const char *name)
{
	AUTO_CLOSE int dirfd = directory_open(keeper, directory);
	AUTO_FREE char *marker = NULL;
	size_t len = strlen(name);
	struct keeper_spec spec;
	char *value = NULL;
	char **env;

	if (dirfd < 0 || spec_read(dirfd, &spec, NULL) < 0)
		return NULL;
	marker = session_marker(dirfd);
	env = agent_env(&spec, marker, NULL);
	for (char **e = env; e != NULL && *e != NULL && value == NULL; e++)
		if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
			value = xstrdup(*e + len + 1);
	strlist_free(env);
	spec_release(&spec);
	return value;
}

static void
within_look(pid_t pid, void *ctx)
{
	struct search *s = ctx;
	int directory = keeper_directory(pid);

	if (directory < 0)
		return;
	s->within = true;
	if (s->name != NULL && s->value == NULL)
		s->value = variable_given(pid, directory, s->name);
}

bool
session_within(void)
{
	struct search s = {.name = NULL};

	proc_each_ancestor(within_look, &s);
	return s.within;
}

char *
session_variable(const char *name)
{
	struct search s = {.name = name};
	const char *ours = getenv(name);

	proc_each_ancestor(within_look, &s);
	if (s.value == NULL && ours != NULL)
		s.value = xstrdup(ours);
	return s.value;
}

struct visit {
	bool (*fn)(int dirfd, void *ctx);
	void *ctx;
	bool met, over;
};

static void
within_visit(pid_t pid, void *ctx)
{
	struct visit *v = ctx;
	int directory = v->over ? -1 : keeper_directory(pid);
	AUTO_CLOSE int dirfd = directory < 0 ? -1 : directory_open(pid, directory);

	v->met = v->met || directory >= 0;
	if (dirfd >= 0)
		v->over = v->fn(dirfd, v->ctx);
}

void
session_each_directory(bool (*fn)(int dirfd, void *ctx), void *ctx)
{
	struct visit v = {.fn = fn, .ctx = ctx};
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
