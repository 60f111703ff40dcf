/*
 * alert.c - running the user's --on-alert command.
 */
#include "supervisor/alert.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/process/child.h"
#include "base/text.h"
#include <fcntl.h>
#include <signal.h>

#define ALERT_DEADLINE (60 * NSEC_PER_SEC)

struct alert {
	struct alerts *owner;
	struct alert *next;
	struct child child;
	struct ev_child watch;
	struct ev_timer deadline;
};

static void
alert_forget(struct alert *one)
{
	struct alerts *a = one->owner;
	struct alert **at = &a->running;

	while (*at != one)
		at = &(*at)->next;
	*at = one->next;
	ev_child_stop(&one->watch);
	ev_timer_stop(&one->deadline);
	close(one->child.pidfd);
	free(one);
	if (a->running == NULL && a->idle != NULL)
		a->idle(a->ctx);
}

static void
alert_ended(struct ev_child *w)
{
	struct alert *one = w->ctx;
	struct exit_status status;

	if (child_reap(&one->child, false, &status) == 0)
		return;
	if (!exit_ok(status))
		warning("the --on-alert command ended with exit code %d", exit_number(status));
	alert_forget(one);
}

static void
alert_late(struct ev_timer *w)
{
	struct alert *one = w->ctx;

	warning("the --on-alert command took longer than a minute and was ended");
	(void)kill(-one->child.pid, SIGKILL);
}

/* Makes a pipe that already holds the event, so that nothing waits for the command to read. */
static int
event_pipe(const char *json)
{
	int fds[2];
	size_t len = strlen(json);

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	if (write(fds[1], json, len) != (ssize_t)len)
		warning("the event did not fit the --on-alert command's stdin");
	close(fds[1]);
	(void)fcntl(fds[0], F_SETFL, 0);
	return fds[0];
}

void
alerts_init(struct alerts *a, struct ev *ev)
{
	char token[17];

	text_random_hex(token, 8);
	a->ev = ev;
	(void)snprintf(a->mark, sizeof(a->mark), "RALPH_ALERT=%s", token);
}

static char **
alert_env(const struct alerts *a)
{
	return strlist_add(strlist_dup(environ), a->mark);
}

void
alerts_run(struct alerts *a, const char *json)
{
	AUTO_STRLIST argv = NULL;
	AUTO_STRLIST env = NULL;
	AUTO_CLOSE int in = -1;
	struct err err = ERR_INIT;
	struct alert *one;
	int rc;

	if (a->command == NULL)
		return;
	argv = child_shell(a->command);
	in = event_pipe(json);
	one = xcalloc(1, sizeof(*one));
	one->owner = a;
	env = alert_env(a);
	rc = child_start(
	    &(struct child_spec){
		.argv = argv,
		.env = env,
		.in = in,
		.out = STDERR_FILENO,
		.err = STDERR_FILENO,
		.new_session = true,
	    },
	    &one->child, &err);
	if (rc < 0) {
		warning("cannot run the --on-alert command: %s", err.text);
		free(one);
		return;
	}
	one->next = a->running;
	a->running = one;
	ev_child_start(a->ev, &one->watch, one->child.pidfd, alert_ended, one);
	ev_timer_in(a->ev, &one->deadline, ALERT_DEADLINE, alert_late, one);
}

bool
alerts_pending(const struct alerts *a)
{
	return a->running != NULL;
}

void
alerts_kill(struct alerts *a)
{
	struct exit_status status;

	a->idle = NULL;
	while (a->running != NULL) {
		struct alert *one = a->running;

		(void)kill(-one->child.pid, SIGKILL);
		if (child_reap(&one->child, true, &status) == 0)
			debug("an --on-alert command could not be reaped");
		alert_forget(one);
	}
}
