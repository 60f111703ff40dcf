#include "base/process/run.h"
#include "base/clock.h"
#include "base/process/child.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define RUN_MAX ((size_t)16 * 1024 * 1024)
#define RUN_TIMEOUT (60 * NSEC_PER_SEC)
#define RUN_CHUNK ((size_t)64 * 1024)
/* How long a killed program may take to die; one stuck in the kernel is left to itself. */
#define RUN_DEATH_MS 5000
#define RUN_QUOTE 400

struct run_state {
	const struct run_spec *spec;
	struct run_result *result;
	struct child child;
	int in, out, err;
	int talk;    /* our end of `in` while there is more to say; -1 */
	bool failed; /* `then` of the pause returned -1 */
	int64_t deadline;
};

void
run_result_release(struct run_result *r)
{
	buf_release(&r->out);
	buf_release(&r->err);
}

static const char *
spec_name(const struct run_spec *spec)
{
	return spec->what != NULL ? spec->what : spec->argv[0];
}

static size_t
spec_max(const struct run_spec *spec)
{
	return spec->max > 0 ? spec->max : RUN_MAX;
}

/*
 * A file without a name rather than a pipe: nobody has to feed it, and a program that does not
 * read its input cannot hurt us.
 */
static int
input_open(const struct run_spec *spec, struct err *err)
{
	AUTO_CLOSE int fd = memfd_create("input", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < spec->input_len) {
		ssize_t n = write(fd, spec->input + done, spec->input_len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd < 0 || done < spec->input_len || lseek(fd, 0, SEEK_SET) < 0)
		return err_errno(err, "cannot prepare the input of %s", spec_name(spec));
	return take_fd(&fd);
}

static int
talk_open(struct run_state *r, struct err *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(err, "cannot talk to %s", spec_name(r->spec));
	r->in = ends[0];
	r->talk = ends[1];
	return 0;
}

/* Writes to the program's input.  A program that is gone is no error here: its status tells. */
static void
talk_say(const struct run_state *r, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = send(r->talk, text, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

/* Calls `then` when the program has come to the pause. */
static void
talk_go_on(struct run_state *r, struct err *err)
{
	const struct run_pause *pause = r->spec->pause;

	if (r->talk < 0 || strstr(r->result->out.data, pause->at) == NULL)
		return;
	r->failed = pause->then(pause->ctx, err) < 0;
	if (!r->failed)
		talk_say(r, pause->rest, strlen(pause->rest));
	auto_close_fn(&r->talk);
}

static int
output_open(int *ours, int *theirs)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	*ours = fds[0];
	*theirs = fds[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static int
run_start(struct run_state *r, struct err *err)
{
	const struct run_spec *spec = r->spec;
	AUTO_CLOSE int out = -1;
	AUTO_CLOSE int errors = -1;
	struct child_spec child = {
	    .argv = spec->argv,
	    .env = spec->env,
	    .cwd = spec->cwd,
	    .new_session = true, /* so that it can be killed as a group, prompts nobody */
	    .block_term = spec->whole,
	};

	if (spec->pause != NULL && talk_open(r, err) < 0)
		return -1;
	if (spec->pause == NULL && spec->input != NULL && (r->in = input_open(spec, err)) < 0)
		return -1;
	if (output_open(&r->out, &out) < 0 || output_open(&r->err, &errors) < 0)
		return err_errno(err, "cannot read from %s", spec_name(spec));
	child.in = r->in;
	child.out = out;
	child.err = errors;
	if (child_start(&child, &r->child, err) < 0)
		return -1;
	auto_close_fn(&r->in);
	if (spec->pause != NULL)
		talk_say(r, spec->input, spec->input_len);
	return 0;
}

/* Reads the output that is there.  0, or -1 when it is too much; at the end of the output *fd
 * is closed. */
static int
output_take(const struct run_state *r, int *fd, struct buf *out, struct err *err)
{
	while (*fd >= 0) {
		ssize_t n;

		buf_reserve(out, RUN_CHUNK);
		n = read(*fd, out->data + out->len, RUN_CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0) {
			auto_close_fn(fd);
			return 0;
		}
		if (out->len + (size_t)n > spec_max(r->spec))
			return err_code(err, EFBIG, "%s printed more than %zu bytes",
			    spec_name(r->spec), spec_max(r->spec));
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
	return 0;
}

static int
outputs_take(struct run_state *r, struct err *err)
{
	if (output_take(r, &r->out, &r->result->out, err) < 0)
		return -1;
	return output_take(r, &r->err, &r->result->err, err);
}

/* Reads the output until the program has ended; what was written by then is in the pipes. */
static int
run_wait(struct run_state *r, struct err *err)
{
	for (;;) {
		struct pollfd fds[] = {
		    {.fd = r->child.pidfd, .events = POLLIN},
		    {.fd = r->out, .events = POLLIN},
		    {.fd = r->err, .events = POLLIN},
		};
		int64_t left = r->deadline - clock_boot();
		int64_t ms = (left + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;

		if (left <= 0) {
			AUTO_BUF span = BUF_INIT;

			clock_fmt_span(
			    r->spec->timeout ? r->spec->timeout : RUN_TIMEOUT, false, &span);
			return err_code(err, ETIMEDOUT, "%s took longer than %s",
			    spec_name(r->spec), span.data);
		}
		if (poll(fds, ARRAY_LEN(fds), ms > INT32_MAX ? INT32_MAX : (int)ms) < 0) {
			if (errno == EINTR)
				continue;
			return err_errno(err, "cannot wait for %s", spec_name(r->spec));
		}
		if (outputs_take(r, err) < 0)
			return -1;
		talk_go_on(r, err);
		if (fds[0].revents != 0)
			return outputs_take(r, err) < 0 || r->failed ? -1 : 0;
	}
}

static void
run_kill(struct run_state *r)
{
	struct pollfd end = {.fd = r->child.pidfd, .events = POLLIN};

	kill(-r->child.pid, SIGKILL);
	while (poll(&end, 1, RUN_DEATH_MS) < 0 && errno == EINTR)
		;
}

static int
run_to_end(const struct run_spec *spec, struct run_result *result, struct err *err)
{
	struct run_state r = {
	    .spec = spec,
	    .result = result,
	    .in = -1,
	    .out = -1,
	    .err = -1,
	    .talk = -1,
	    .deadline = clock_boot() + (spec->timeout ? spec->timeout : RUN_TIMEOUT),
	};
	int rc;

	result->status = (struct exit_status){EXIT_UNKNOWN, 0};
	buf_clear(&result->out);
	buf_clear(&result->err);
	rc = run_start(&r, err);
	if (rc == 0) {
		rc = run_wait(&r, err);
		if (rc < 0)
			run_kill(&r);
		(void)!child_reap(&r.child, false, &result->status);
		auto_close_fn(&r.child.pidfd);
	}
	auto_close_fn(&r.in);
	auto_close_fn(&r.talk);
	auto_close_fn(&r.out);
	auto_close_fn(&r.err);
	return rc;
}

int
run_program(const struct run_spec *spec, struct run_result *result, struct err *err)
{
	sigset_t term, old;
	int rc;

	if (!spec->whole)
		return run_to_end(spec, result, err);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &old);
	rc = run_to_end(spec, result, err);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return rc;
}

/* The first line that says something; a warning is rarely the reason. */
static void
reason_find(const struct buf *text, struct buf *out)
{
	static const char *const lesser[] = {"warning:", "hint:"};
	const char *line = text->data;
	const char *best = NULL;
	size_t best_len = 0;

	while (*line != '\0') {
		size_t len = strcspn(line, "\n");
		bool minor = false;

		for (size_t i = 0; i < ARRAY_LEN(lesser); i++)
			minor |= strncmp(line, lesser[i], strlen(lesser[i])) == 0;
		if (len > 0 && (best == NULL || !minor)) {
			best = line;
			best_len = len < RUN_QUOTE ? len : RUN_QUOTE;
			if (!minor)
				break;
		}
		line += len + (line[len] == '\n');
	}
	if (best != NULL)
		text_show(out, best, best_len, false);
}

int
run_checked(const struct run_spec *spec, struct run_result *result, struct err *err)
{
	AUTO_BUF reason = BUF_INIT;

	if (run_program(spec, result, err) < 0)
		return -1;
	if (exit_ok(result->status))
		return 0;
	reason_find(&result->err, &reason);
	if (reason.len > 0)
		return err_set(err, "%s: %s", spec_name(spec), reason.data);
	if (result->status.how == EXIT_SIGNAL)
		return err_set(
		    err, "%s was killed by signal %d", spec_name(spec), result->status.value);
	return err_set(
	    err, "%s ended with status %d", spec_name(spec), exit_number(result->status));
}
