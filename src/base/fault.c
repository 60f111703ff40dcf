#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#ifdef RALPH_FAULTS

enum fault_kind { FAULT_NONE, FAULT_FORK, FAULT_KILL, FAULT_STOP, FAULT_SHORT, FAULT_ERRNO };
#define FAULT_KINDS "none|FORK|KILL|STOP|SHORT" /* in that order; other words name an errno */
#define FAULT_ROLES "supervisor|keeper|other"	/* in the order of enum fs_role */

static const char *const fault_vars[] = {"RALPH_FAULT", "RALPH_FAULT_ROLE", "RALPH_FAULT_LOG"};
enum { VAR_PLAN, VAR_ROLE, VAR_LOG, VAR_COUNT };

/* The plan belongs to the process, as its environment does. */
static struct {
	char *vars[VAR_COUNT]; /* as found, for fs_fault_env */
	enum fault_kind kind;
	int code;	   /* of FAULT_ERRNO and FAULT_FORK */
	unsigned long at;  /* which point, from 1 */
	bool onward;	   /* that one and all later ones */
	enum fs_role role; /* the role that counts */
	enum fs_role self;
	unsigned long passed;
} fault;

static int
errno_by_name(const char *name)
{
	for (int code = 1; code < 256; code++) {
		const char *known = strerrorname_np(code);

		if (known != NULL && strcmp(known, name) == 0)
			return code;
	}
	return 0;
}

/* "ENOSPC@7+"; a plan that cannot be read would pass every test it was meant to drive. */
static void
plan_parse(const char *plan)
{
	const char *mark = strchr(plan, '@');
	AUTO_FREE char *word = xstrndup(plan, mark != NULL ? (size_t)(mark - plan) : 0);
	int kind = text_choice(FAULT_KINDS, word);
	char *end = NULL;

	fault.code = kind == FAULT_FORK ? EAGAIN : errno_by_name(word);
	if (mark == NULL || (kind <= 0 && fault.code == 0))
		BUG("RALPH_FAULT: %s is no plan", plan);
	fault.kind = kind <= 0 ? FAULT_ERRNO : (enum fault_kind)kind;
	fault.at = strtoul(mark + 1, &end, 10);
	fault.onward = *end == '+';
	if (fault.at == 0 || end[fault.onward] != '\0')
		BUG("RALPH_FAULT: %s names no point", plan);
}

void
fs_fault_init(void)
{
	enum fs_role self = fault.self;

	for (size_t i = 0; i < VAR_COUNT; i++)
		free(fault.vars[i]);
	memset(&fault, 0, sizeof(fault));
	fault.self = self;
	for (size_t i = 0; i < VAR_COUNT; i++) {
		const char *value = getenv(fault_vars[i]);

		if (value != NULL)
			fault.vars[i] = xstrdup(value);
		unsetenv(fault_vars[i]);
	}
	if (fault.vars[VAR_PLAN] != NULL)
		plan_parse(fault.vars[VAR_PLAN]);
	if (fault.vars[VAR_ROLE] != NULL) {
		int role = text_choice(FAULT_ROLES, fault.vars[VAR_ROLE]);

		if (role < 0)
			BUG("RALPH_FAULT_ROLE: no role %s", fault.vars[VAR_ROLE]);
		fault.role = (enum fs_role)role;
	}
}

void
fs_fault_role(enum fs_role role)
{
	fault.self = role;
}

char **
fs_fault_env(char **env)
{
	for (size_t i = 0; i < VAR_COUNT; i++) {
		AUTO_FREE char *entry = NULL;

		if (fault.vars[i] == NULL)
			continue;
		entry = xasprintf("%s=%s", fault_vars[i], fault.vars[i]);
		env = strlist_add(env, entry);
	}
	return env;
}

/* Opened anew each time: no descriptor of ours may turn up in a test that counts them. */
static void
fault_log(const char *what, const char *path)
{
	int saved = errno;
	int fd = open(fault.vars[VAR_LOG], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0) {
		dprintf(fd, "%lu %s %s\n", fault.passed, what, path);
		close(fd);
	}
	errno = saved;
}

int
fs_fault_write(const char *what, const char *path, size_t *len)
{
	if (fault.self != fault.role ||
	    (fault.kind == FAULT_FORK && strcmp(what, "spawn") != 0))
		return 0;
	fault.passed++;
	if (fault.vars[VAR_LOG] != NULL)
		fault_log(what, path);
	if (fault.passed != fault.at && !(fault.onward && fault.passed > fault.at))
		return 0;
	switch (fault.kind) {
	case FAULT_NONE:
		break;
	case FAULT_SHORT:
		*len = (*len + 1) / 2;
		break;
	case FAULT_KILL:
		kill(getpid(), SIGKILL);
		break;
	case FAULT_STOP:
		kill(getpid(), SIGSTOP);
		break;
	case FAULT_FORK:
	case FAULT_ERRNO:
		errno = fault.code;
		return -1;
	}
	return 0;
}

int
fs_fault(const char *what, const char *path)
{
	size_t none = 0;

	return fs_fault_write(what, path, &none);
}

#else /* a release has these instead */

void
fs_fault_init(void)
{
}

void
fs_fault_role(enum fs_role role UNUSED)
{
}

char **
fs_fault_env(char **env)
{
	return env;
}

int
fs_fault_write(const char *what UNUSED, const char *path UNUSED, size_t *len UNUSED)
{
	return 0;
}

int
fs_fault(const char *what UNUSED, const char *path UNUSED)
{
	return 0;
}

#endif
