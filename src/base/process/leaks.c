/*
 * leaks.c - looks for leaks at exit, in the builds that can, so that the look comes to an end.
 *
 * The leak checker stops its process with SIGSTOP and waits until the process has stopped.
 * SIGCONT takes a SIGSTOP back, and then both wait for ever.  A terminal that goes sends
 * SIGCONT to its session's leader and to its foreground group, and we send it to whom we end,
 * who may have been stopped.  So a process that exits has a copy of itself checked, which
 * nobody knows and which has no terminal.
 */
#include <errno.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The checker asks this at exit; the name is the checker's. */
int __lsan_is_turned_off(void);

static int checked;

int
__lsan_is_turned_off(void)
{
	return checked;
}

static void
check_a_copy(void)
{
	int status = 0;
	pid_t copy = fork();

	if (copy == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)setsid();
		__lsan_do_leak_check(); /* does not return when there are leaks */
		_exit(0);
	}
	if (copy < 0)
		return; /* the checker looks itself, then */
	while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
	checked = 1;
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
		(void)fflush(NULL);
		_exit(WEXITSTATUS(status));
	}
}

/* Early, so that it runs when all that main wants done at exit is done. */
__attribute__((constructor)) static void
arrange(void)
{
	(void)atexit(check_a_copy);
}
