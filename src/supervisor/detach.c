/*
 * detach.c - going on in the background.
 */
#include "supervisor/detach.h"

#include "base/fs.h"
#include "base/log.h"
#include "supervisor/inside.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

int
detach_begin(int *ready)
{
	int fds[2];
	pid_t pid;
	char c;
	int status;

	if (pipe2(fds, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		error("cannot go to the background: %s", strerror(errno));
		return EX_FAILED;
	}
	if (pid == 0) {
		close(fds[0]);
		(void)setsid();
		*ready = fds[1];
		return -1;
	}
	close(fds[1]);
	if (read(fds[0], &c, 1) == 1) {
		close(fds[0]);
		return EX_OK;
	}
	close(fds[0]);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		return WEXITSTATUS(status);
	return EX_FAILED;
}

static void
detach_say_started(int fd, const char *name)
{
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line, "started %s in the background (pid %d)\n", name, (int)getpid());
	buf_addf(&line,
	    "  ralph status %s    ralph attach %s    ralph logs -f %s    ralph stop %s\n", name,
	    name, name, name);
	if (write(fd, line.data, line.len) < 0)
		debug("nobody reads what detach says");
}

void
running_detach_prepare(struct running *r)
{
	struct err err = ERR_INIT;
	int log, null;

	if (r->sup->detach_fd < 0)
		return;
	log = fs_open_append(r->dir, "console.log", &err);
	if (log < 0)
		warning("%s: %s; what it prints is lost", r->spec->name, err.text);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	r->sup->terminal[0] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	r->sup->terminal[1] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(log >= 0 ? log : null, STDOUT_FILENO);
	(void)dup2(log >= 0 ? log : null, STDERR_FILENO);
	if (log >= 0)
		close(log);
	close(null);
	r->console.out_colour = r->console.err_colour = false;
}

static void
terminal_close(struct running *r)
{
	auto_close_fn(&r->sup->terminal[0]);
	auto_close_fn(&r->sup->terminal[1]);
	r->sup->terminal[0] = r->sup->terminal[1] = -1;
}

void
running_detach_undo(struct running *r)
{
	if (r->sup->terminal[0] >= 0)
		(void)dup2(r->sup->terminal[0], STDOUT_FILENO);
	if (r->sup->terminal[1] >= 0)
		(void)dup2(r->sup->terminal[1], STDERR_FILENO);
	terminal_close(r);
}

void
running_detach(struct running *r)
{
	if (r->sup->detach_fd < 0)
		return;
	if (r->sup->terminal[0] < 0)
		running_detach_prepare(r);
	/* A command that resumes a loop says so itself. */
	if (!r->spec->quiet && !r->spec->announce && r->spec->settings != NULL)
		detach_say_started(r->sup->terminal[0], r->spec->name);
	terminal_close(r);
	/* The parent may have been killed: nobody waits then. */
	if (write(r->sup->detach_fd, "", 1) < 0)
		debug("nobody waits for us to detach");
	r->sup->detach_fd = -1;
}
