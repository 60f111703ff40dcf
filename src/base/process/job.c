#include "base/process/job.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/process/child.h"
#include "base/process/proc.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_MAX ((size_t)64 << 20)
#define SWEEP_AGAIN_MS 5
/* How long a program that must not be stopped half-way (base/process/run.h) may take: when we
 * are gone, and in a hurry. */
#define FINISH_MS 10000
#define HURRY_MS 2000

struct job {
	struct ev *ev;
	job_done_fn *done;
	void *ctx;
	pid_t pid; /* of the watcher */
	int pidfd, answer;
	struct ev_child child;
	struct ev_io io;
	struct ev_timer kill;
	struct buf text;
	bool ended; /* by job_end */
};

/* ---- below --------------------------------------------------------------------------- */

static void
job_write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return; /* nobody is there to read it */
		data += n;
		len -= (size_t)n;
	}
}

/* {"rc": 0, "error": "...", "code": 0, "out": "..."} */
static void
work(job_fn *fn, const void *arg, int answer)
{
	AUTO_BUF out = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	int rc = fn(arg, &out, &err);
	AUTO_JSON *v = json_pack("{s:i,s:i,s:o,s:o}", "rc", rc, "code", err.code, "error",
	    json_text(err.text, strlen(err.text)), "out", json_text(out.data, out.len));

	json_print(v, true, &text);
	job_write_all(answer, text.data, text.len);
}

/* The function dies of the TERM, unless it does something that has to be whole.  If it was
 * killed in the course of that, somebody below us still does it. */
static void
job_finish(pid_t worker, int pidfd, int ms)
{
	struct pollfd end = {.fd = pidfd, .events = POLLIN};
	int64_t deadline;
	int status;

	(void)proc_signal_descendants(SIGTERM);
	(void)poll(&end, 1, ms);
	if (waitpid(worker, &status, WNOHANG) != worker || !WIFSIGNALED(status) ||
	    WTERMSIG(status) != SIGKILL)
		return;
	deadline = clock_boot() + HURRY_MS * NSEC_PER_MSEC;
	while (proc_count_descendants(0) > 0 && clock_boot() < deadline)
		(void)poll(NULL, 0, SWEEP_AGAIN_MS);
}

/* Kills the processes below us until none is left. */
static void
job_sweep(void)
{
	for (;;) {
		(void)proc_signal_descendants(SIGKILL);
		if (proc_count_descendants(0) == 0)
			return;
		(void)poll(NULL, 0, 1);
	}
}

/* Only the answer's pipe and the standard descriptors: locks and sockets of ours must not be
 * held by anybody else, not even for a moment after our death. */
static void
close_others(int *answer)
{
	int kept = dup2(*answer, 3) == 3 ? 3 : *answer;

	(void)fcntl(kept, F_SETFD, FD_CLOEXEC);
	if (kept == 3)
		(void)close_range(4, ~0U, 0);
	*answer = kept;
}

static int
next_order(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo
								      : SIGINT;
}

/* Waits until the function has returned, or all processes have followed an order to end (TERM),
 * or none is to live any longer (INT; or we are gone, which is told as TERM).  Returns how long
 * the rest may take from now on. */
static int
wait_for_end(int orders, int worker, pid_t parent)
{
	struct pollfd fds[2] = {
	    {.fd = orders, .events = POLLIN}, {.fd = worker, .events = POLLIN}};
	bool asked = false;

	for (;;) {
		int n = poll(fds, 2, asked ? SWEEP_AGAIN_MS : -1);

		if (n > 0 && fds[0].revents != 0) {
			if (next_order(orders) == SIGINT)
				return HURRY_MS;
			asked = true;
			(void)proc_signal_descendants(SIGTERM);
		} else if (n > 0 && fds[1].revents != 0) {
			return HURRY_MS;
		}
		if (asked && (getppid() != parent || proc_count_descendants(0) == 0))
			return FINISH_MS;
	}
}

/* The process between us and the function. */
static _Noreturn void
job_watch(job_fn *fn, const void *arg, int answer, pid_t parent)
{
	sigset_t set;
	pid_t self = getpid();
	pid_t worker;
	int orders;

	fs_fault_role(FS_OTHER);
	/* Ctrl-C in our terminal is for us alone; whether the job ends is then said to it. */
	(void)setsid();
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	close_others(&answer);
	if (proc_become_subreaper() < 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 ||
	    getppid() != parent)
		_exit(1);
	orders = signalfd(-1, &set, SFD_CLOEXEC);
	worker = fork();
	if (worker == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
		if (getppid() != self)
			_exit(1);
		work(fn, arg, answer);
		_exit(0);
	}
	close(answer);
	if (worker > 0 && orders >= 0) {
		int pidfd = (int)syscall(SYS_pidfd_open, worker, 0);

		job_finish(worker, pidfd, wait_for_end(orders, pidfd, parent));
	}
	job_sweep();
	_exit(0);
}

/* ---- above --------------------------------------------------------------------------- */

static void
job_release(struct job *job)
{
	ev_child_stop(&job->child);
	ev_io_stop(&job->io);
	ev_timer_stop(&job->kill);
	if (job->answer >= 0)
		close(job->answer);
	if (job->pidfd >= 0)
		close(job->pidfd);
	buf_release(&job->text);
	free(job);
}

static void
job_on_answer(struct ev_io *w, uint32_t events)
{
	struct job *job = w->ctx;
	char chunk[4096];
	ssize_t n = read(job->answer, chunk, sizeof(chunk));

	(void)events;
	if (n > 0 && job->text.len < ANSWER_MAX) {
		buf_add(&job->text, chunk, (size_t)n);
		return;
	}
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	ev_io_stop(w);
}

/* Everybody is gone: what is still in the pipe is all there will ever be. */
static void
on_end(struct ev_child *w)
{
	struct job *job = w->ctx;
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;
	AUTO_JSON *v = NULL;
	int rc = -1;

	(void)waitpid(job->pid, NULL, 0);
	child_forget(job->pid);
	while (job->io.ev != NULL)
		job_on_answer(&job->io, 0);
	v = json_parse(job->text.data, job->text.len, "answer", NULL);
	if (v != NULL) {
		const char *text = json_str(v, "out", "");

		rc = (int)json_int(v, "rc", -1);
		err.code = (int)json_int(v, "code", 0);
		buf_add(&out, text, strlen(text));
		(void)snprintf(err.text, sizeof(err.text), "%s", json_str(v, "error", ""));
	} else {
		err_set(&err, job->ended ? "was ended" : "died");
		err.code = job->ended ? ECANCELED : ECHILD;
	}
	job->done(job->ctx, rc, &out, &err);
	job_release(job);
}

struct job *
job_start(
    struct ev *ev, job_fn *fn, const void *arg, job_done_fn *done, void *ctx, struct err *err)
{
	struct job *job;
	int fds[2];
	pid_t parent = getpid();
	pid_t pid;

	if (fs_fault("spawn", "job") < 0 || pipe2(fds, O_CLOEXEC) < 0) {
		(void)err_errno(err, "cannot start a process");
		return NULL;
	}
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		job_watch(fn, arg, fds[1], parent);
	}
	close(fds[1]);
	if (pid < 0) {
		(void)err_errno(err, "cannot start a process");
		close(fds[0]);
		return NULL;
	}
	child_note(pid);
	job = xcalloc(1, sizeof(*job));
	*job = (struct job){.ev = ev, .done = done, .ctx = ctx, .pid = pid, .answer = fds[0]};
	job->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	buf_init(&job->text);
	(void)fcntl(job->answer, F_SETFL, O_NONBLOCK);
	ev_io_start(ev, &job->io, job->answer, EPOLLIN, job_on_answer, job);
	ev_child_start(ev, &job->child, job->pidfd, on_end, job);
	return job;
}

static void
on_kill(struct ev_timer *w)
{
	struct job *job = w->ctx;

	(void)kill(job->pid, SIGINT);
}

void
job_end(struct job *job, int64_t grace)
{
	if (job->ended) {
		(void)kill(job->pid, SIGINT);
		return;
	}
	job->ended = true;
	(void)kill(job->pid, SIGTERM);
	ev_timer_in(job->ev, &job->kill, grace, on_kill, job);
}

void
job_free(struct job *job)
{
	if (job == NULL)
		return;
	(void)kill(job->pid, SIGTERM);
	(void)kill(job->pid, SIGINT);
	(void)waitpid(job->pid, NULL, 0);
	child_forget(job->pid);
	job_release(job);
}
