#include "git/command.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/child.h"
#include "base/process/proc.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#define COMMAND_TIMEOUT (1800 * NSEC_PER_SEC)
#define COMMAND_GRACE (2 * NSEC_PER_SEC)
#define COMMAND_DEATH (15 * NSEC_PER_SEC)
/* How much of a command's output is kept, and how much of that is reported. */
#define TAIL_KEPT ((size_t)64 * 1024)
#define TAIL_TOLD ((size_t)4 * 1024)
#define CHUNK ((size_t)16 * 1024)
#define SWEEP_PAUSE_US 5000

static void
tail_read(int fd, struct buf *tail)
{
	char chunk[CHUNK];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR)) {
		buf_add(tail, chunk, n > 0 ? (size_t)n : 0);
		if (tail->len > 2 * TAIL_KEPT)
			buf_drop(tail, tail->len - TAIL_KEPT);
	}
}

/* Waits until the shell has ended; false: the deadline has passed before. */
static bool
shell_wait(const struct child *child, int out, int64_t deadline, struct buf *tail)
{
	for (;;) {
		struct pollfd fds[] = {
		    {.fd = child->pidfd, .events = POLLIN},
		    {.fd = out, .events = POLLIN},
		};
		int64_t left = (deadline - clock_boot() + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;

		if (left <= 0)
			return false;
		if (poll(fds, ARRAY_LEN(fds), left > INT32_MAX ? INT32_MAX : (int)left) < 0 &&
		    errno != EINTR)
			return false;
		tail_read(out, tail);
		if (fds[0].revents != 0)
			return true;
		/* Nobody writes any more: from now on we wait for the shell's end alone. */
		if (fds[1].revents & POLLHUP)
			out = -1;
	}
}

/* We are the subreaper of the command's processes: whatever they did with sessions and groups,
 * they are below us. */
static void
family_end(pid_t shell)
{
	int64_t begun = clock_boot();

	if (proc_count_descendants(shell) == 0)
		return;
	(void)proc_signal_descendants(SIGTERM);
	/* A process that the kernel does not let die is left alone. */
	while (proc_count_descendants(shell) > 0 && clock_boot() < begun + COMMAND_DEATH) {
		if (clock_boot() > begun + COMMAND_GRACE)
			(void)proc_signal_descendants(SIGKILL);
		usleep(SWEEP_PAUSE_US);
	}
}

/* The last whole lines. */
static void
tail_tell(const struct buf *tail, struct buf *why)
{
	AUTO_BUF plain = BUF_INIT;
	const char *from;

	text_strip(&plain, tail->data, tail->len);
	while (plain.len > 0 && plain.data[plain.len - 1] == '\n')
		buf_truncate(&plain, plain.len - 1);
	if (plain.len == 0)
		return;
	from = plain.data;
	if (plain.len > TAIL_TOLD) {
		from += plain.len - TAIL_TOLD;
		from = strchr(from, '\n') != NULL ? strchr(from, '\n') + 1 : from;
	}
	buf_adds(why, ":\n");
	text_show(why, from, strlen(from), true);
}

static int
command_judge(const struct command *c, struct exit_status status, bool in_time,
    const struct buf *tail, struct buf *why)
{
	if (in_time && exit_ok(status))
		return 0;
	if (!in_time) {
		buf_addf(why, "%s took longer than ", c->what);
		clock_fmt_span(c->timeout ? c->timeout : COMMAND_TIMEOUT, false, why);
	} else if (status.how == EXIT_SIGNAL) {
		buf_addf(why, "%s was killed by signal %d", c->what, status.value);
	} else {
		buf_addf(why, "%s ended with status %d", c->what, exit_number(status));
	}
	tail_tell(tail, why);
	return 1;
}

static char **
command_env(const struct command *c)
{
	AUTO_FREE char *worktree = xasprintf("RALPH_WORKTREE=%s", c->worktree);
	AUTO_FREE char *ticket =
	    c->ticket != NULL ? xasprintf("RALPH_TICKET=%s", c->ticket) : NULL;

	return strlist_more(git_env(), ARGS(worktree, ticket));
}

static char *
command_place(const struct command *c)
{
	AUTO_FREE char *place =
	    c->prefix != NULL ? xasprintf("%s/%s", c->worktree, c->prefix) : NULL;

	return place != NULL && path_is_there(place) ? take_ptr(place) : xstrdup(c->worktree);
}

int
command_run(const struct command *c, struct buf *why, struct err *err)
{
	int64_t deadline = clock_boot() + (c->timeout ? c->timeout : COMMAND_TIMEOUT);
	struct exit_status status = {EXIT_UNKNOWN, 0};
	AUTO_FREE char *place = command_place(c);
	AUTO_STRLIST env = command_env(c);
	AUTO_STRLIST args = NULL;
	struct child child;
	AUTO_BUF tail = BUF_INIT;
	int fds[2];
	bool in_time;
	int rc;

	if (c->shell == NULL)
		return 0;
	if (proc_become_subreaper() < 0 || pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "cannot run %s", c->what);
	(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
	args = child_shell(c->shell);
	rc = child_start(
	    &(struct child_spec){
		.file = "/bin/sh",
		.argv = args,
		.env = env,
		.cwd = place,
		.in = -1,
		.out = fds[1],
		.err = fds[1],
		.new_session = true,
		.death_signal = SIGKILL,
	    },
	    &child, err);
	close(fds[1]);
	if (rc == 0) {
		in_time = shell_wait(&child, fds[0], deadline, &tail);
		family_end(in_time ? child.pid : 0);
		(void)!child_reap(&child, in_time, &status);
		tail_read(fds[0], &tail);
		close(child.pidfd);
		rc = command_judge(c, status, in_time, &tail, why);
	}
	close(fds[0]);
	return rc;
}
