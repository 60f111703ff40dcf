#include "base/process/child.h"
#include "base/alloc.h"
#include "base/fs.h"
#include "base/process/program.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define CHILD_STACK ((size_t)64 * 1024)

/*
 * Between clone and exec the child runs in our memory, on a stack of its own,
 * while we wait: nothing is copied however large we are, and it reports a
 * failure by writing it down.  The address sanitizer would leave its marks on
 * that stack, which is never unwound.
 */
#define IN_CHILD __attribute__((no_sanitize("address")))

enum child_act { ACT_NONE, ACT_SESSION, ACT_CWD, ACT_FDS, ACT_TTY, ACT_EXEC };

struct child_plan {
	const struct child_spec *spec;
	char *const *env;
	char **paths; /* the files to try to execute, in order */
	int fds[3];
	pid_t parent;
	enum child_act act; /* where it failed, if it did */
	int code;
};

/* ---- ours ---------------------------------------------------------------------------- */

static struct {
	pid_t *v;
	size_t len, cap;
} ours;

void
child_note(pid_t pid)
{
	ours.v = xgrow(ours.v, ours.len, &ours.cap, sizeof(*ours.v));
	ours.v[ours.len++] = pid;
}

void
child_forget(pid_t pid)
{
	for (size_t i = 0; i < ours.len; i++)
		if (ours.v[i] == pid) {
			ours.v[i] = ours.v[--ours.len];
			return;
		}
}

bool
child_is_ours(pid_t pid)
{
	for (size_t i = 0; i < ours.len; i++)
		if (ours.v[i] == pid)
			return true;
	return false;
}

/* ---- in the child -------------------------------------------------------------------- */

IN_CHILD static void
signals_default(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	/* Fails for the two that cannot be changed and the two of the C library. */
	for (int sig = 1; sig < _NSIG; sig++)
		(void)sigaction(sig, &action, NULL);
}

IN_CHILD static int
fd_keep(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	return flags < 0 ? -1 : fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
}

/* The sources may themselves be 0-2, in any order: those move out of the way first. */
IN_CHILD static int
fds_place(int fds[3])
{
	for (int i = 0; i < 3; i++)
		if (fds[i] < 3 && fds[i] != i &&
		    (fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 3)) < 0)
			return -1;
	for (int i = 0; i < 3; i++)
		if ((fds[i] == i ? fd_keep(i) : dup2(fds[i], i)) < 0)
			return -1;
	return 0;
}

IN_CHILD static int
fds_close_others(const int *keep)
{
	unsigned from = 3;

	for (;;) {
		unsigned next = UINT_MAX;

		for (const int *k = keep; k != NULL && *k >= 0; k++)
			if ((unsigned)*k >= from && (unsigned)*k < next)
				next = (unsigned)*k;
		/* Where the kernel has no close_range, O_CLOEXEC has to do. */
		if (next > from)
			(void)close_range(from, next - 1, 0);
		if (next == UINT_MAX)
			return 0;
		if (fd_keep((int)next) < 0)
			return -1;
		from = next + 1;
	}
}

/* As execvp does it: a name that may not be executed is remembered, but a
 * later directory may have one that may. */
IN_CHILD static void
exec_first(const struct child_plan *plan)
{
	int code = ENOENT;

	for (char **path = plan->paths; *path != NULL; path++) {
		execve(*path, plan->spec->argv, plan->env);
		if (errno == EACCES)
			code = EACCES;
		else if (errno != ENOENT && errno != ENOTDIR)
			return;
	}
	errno = code;
}

IN_CHILD static enum child_act
child_become(struct child_plan *plan)
{
	const struct child_spec *spec = plan->spec;
	sigset_t mask;

	signals_default();
	if (spec->death_signal != 0) {
		if (prctl(PR_SET_PDEATHSIG, spec->death_signal) < 0)
			return ACT_SESSION;
		/* Our parent may have died before that; then nobody is there to tell. */
		if (getppid() != plan->parent)
			_exit(127);
	}
	if ((spec->new_session || spec->tty) && setsid() < 0)
		return ACT_SESSION;
	if (spec->cwd != NULL && chdir(spec->cwd) < 0)
		return ACT_CWD;
	if (fds_place(plan->fds) < 0 || fds_close_others(spec->keep) < 0)
		return ACT_FDS;
	if (spec->tty && ioctl(STDOUT_FILENO, TIOCSCTTY, 0) < 0)
		return ACT_TTY;
	sigemptyset(&mask);
	if (spec->block_term)
		sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	exec_first(plan);
	return ACT_EXEC;
}

IN_CHILD static int
child_main(void *arg)
{
	struct child_plan *plan = arg;

	plan->act = child_become(plan);
	plan->code = errno;
	_exit(127);
}

/* ---- in the parent ------------------------------------------------------------------- */

/* Every place the program may be in.  Nothing may be allocated after the clone. */
static char **
plan_paths(const struct child_spec *spec, char *const *env)
{
	const char *name = spec->file != NULL ? spec->file : spec->argv[0];
	AUTO_STRLIST dirs = NULL;
	char **paths = NULL;

	if (spec->file != NULL || strchr(name, '/') != NULL)
		return strlist_add(NULL, name);
	dirs = program_dirs(strlist_value(env, "PATH"));
	for (size_t i = 0; dirs[i] != NULL; i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", dirs[i], name);

		paths = strlist_add(paths, path);
	}
	return paths;
}

static int
plan_clone(struct child_plan *plan, struct child *child)
{
	static _Alignas(64) char stack[CHILD_STACK];
	const int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
	sigset_t all, old;
	int code;

	/* A handler of ours must not run in the child: it would do so in our memory. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	child->pid = clone(child_main, stack + sizeof(stack), flags, plan, &child->pidfd);
	code = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = code;
	return child->pid < 0 ? -1 : 0;
}

/* Tells "no such program" from "its first line names an interpreter that is missing". */
static bool
plan_exists(const struct child_plan *plan)
{
	for (char **path = plan->paths; *path != NULL; path++)
		if (**path == '/' && access(*path, X_OK) == 0)
			return true;
	return false;
}

static int
plan_error(const struct child_plan *plan, struct err *err)
{
	const struct child_spec *spec = plan->spec;
	const char *name = spec->file != NULL ? spec->file : spec->argv[0];

	errno = plan->code;
	switch (plan->act) {
	case ACT_CWD:
		return err_errno(err, "cannot enter %s", spec->cwd);
	case ACT_TTY:
		return err_errno(err, "cannot give %s its terminal", name);
	case ACT_SESSION:
		return err_errno(err, "cannot start %s in a session of its own", name);
	case ACT_FDS:
		return err_errno(err, "cannot pass descriptors on to %s", name);
	case ACT_EXEC:
	case ACT_NONE:
		break;
	}
	if (plan->code != ENOENT)
		return err_errno(err, "%s", name);
	if (plan_exists(plan))
		return err_code(err, ENOENT, "%s: the interpreter it names is missing", name);
	if (spec->file == NULL && strchr(name, '/') == NULL)
		return err_code(err, ENOENT, "%s: command not found", name);
	return err_errno(err, "%s", name);
}

int
child_start(const struct child_spec *spec, struct child *child, struct err *err)
{
	const char *name = spec->file != NULL ? spec->file : spec->argv[0];
	struct child_plan plan = {
	    .spec = spec,
	    .env = spec->env != NULL ? spec->env : environ,
	    .fds = {spec->in, spec->out, spec->err},
	    .parent = getpid(),
	};
	AUTO_CLOSE int null = -1;
	int rc;

	*child = (struct child){.pid = -1, .pidfd = -1};
	if (fs_fault("spawn", name) < 0)
		return err_errno(err, "cannot start %s", name);
	if (spec->in < 0 || spec->out < 0 || spec->err < 0) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null < 0)
			return err_errno(err, "cannot open /dev/null");
	}
	for (int i = 0; i < 3; i++)
		if (plan.fds[i] < 0)
			plan.fds[i] = null;
	plan.paths = plan_paths(spec, plan.env);
	rc = plan_clone(&plan, child);
	if (rc == 0)
		child_note(child->pid);
	if (rc < 0) {
		err_errno(err, "cannot start %s", name);
	} else if (plan.act != ACT_NONE) {
		(void)child_discard(child, true);
		rc = plan_error(&plan, err);
	}
	strlist_free(plan.paths);
	return rc;
}

char **
child_shell(const char *command)
{
	return strlist_add(strlist_add(strlist_add(NULL, "/bin/sh"), "-c"), command);
}

int
child_reap(struct child *child, bool wait, struct exit_status *status)
{
	siginfo_t info = {0};
	int rc;

	*status = (struct exit_status){EXIT_UNKNOWN, 0};
	do
		rc = waitid(P_PIDFD, (id_t)child->pidfd, &info, WEXITED | (wait ? 0 : WNOHANG));
	while (rc < 0 && errno == EINTR);
	if (rc == 0 && info.si_pid == 0)
		return 0;
	child_forget(child->pid);
	if (rc < 0)
		return -1;
	status->how = info.si_code == CLD_EXITED ? EXIT_CODE : EXIT_SIGNAL;
	status->value = info.si_status;
	return 1;
}

bool
child_discard(struct child *child, bool wait)
{
	struct exit_status ignored;

	if (child->pid > 0 && child_reap(child, wait, &ignored) == 0)
		return false;
	auto_close_fn(&child->pidfd);
	child->pid = -1;
	return true;
}
