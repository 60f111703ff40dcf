/*
 * family.c - the agent and everything it started.
 *
 * The keeper is a child subreaper: a process that loses its parent becomes the keeper's own
 * child.  So "no child is left" means that no process is left at all, and every process of the
 * agent is found somewhere below the keeper.
 */
#include "session/keeper.h"

#include "base/process/proc.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static struct exit_status
family_status_of(int raw)
{
	if (WIFSIGNALED(raw))
		return (struct exit_status){EXIT_SIGNAL, WTERMSIG(raw)};
	return (struct exit_status){EXIT_CODE, WEXITSTATUS(raw)};
}

bool
family_reap(struct family *t)
{
	for (;;) {
		int raw;
		pid_t pid = waitpid(-1, &raw, WNOHANG);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid <= 0)
			return pid == 0;
		if (pid == t->agent && !t->agent_gone) {
			t->agent_gone = true;
			t->status = family_status_of(raw);
		}
	}
}

void
family_signal(const struct family *t, int sig)
{
	/* No other process can have the agent's pid until the agent is reaped. */
	if (t->agent > 0 && !t->agent_gone)
		(void)kill(-t->agent, sig);
	(void)proc_signal_descendants(sig);
}
