/*
 * logs.c - ralph logs: what the agents wrote, as text.
 */
#include "cmd/logs.h"
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/transcript.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "session/recording.h"
#include "session/wire.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>

struct logs_options {
	bool follow, raw;
	int64_t iteration, lines;
};

static const struct opt logs_opts[] = {
    {
	.name = "follow",
	.letter = 'f',
	.type = OPT_FLAG,
	.offset = offsetof(struct logs_options, follow),
	.help = "go on as the agents write, through all iterations, until the loop is over",
    },
    {
	.name = "iteration",
	.letter = 'i',
	.type = OPT_COUNT,
	.offset = offsetof(struct logs_options, iteration),
	.arg = "N",
	.min = 1,
	.dflt = "the latest",
	.help = "which iteration",
    },
    {
	.name = "lines",
	.letter = 'n',
	.type = OPT_COUNT,
	.offset = offsetof(struct logs_options, lines),
	.arg = "N",
	.min = 1,
	.dflt = "all",
	.help = "only the last N lines of what is there already",
    },
    {
	.name = "raw",
	.type = OPT_FLAG,
	.offset = offsetof(struct logs_options, raw),
	.help = "the bytes as the agent wrote them, escape sequences and all",
    },
};

/* One session being printed. */
struct reading {
	struct recording_reader *reader;
	struct transcript transcript;
	struct buf out;
	bool raw;
	int dir;
};

static void
add_raw(void *ctx, int64_t ms, char kind, const char *data, size_t len)
{
	struct reading *r = ctx;

	(void)ms;
	if (kind == 'o' || kind == 'e')
		buf_add(&r->out, data, len);
}

static int
reading_open(
    struct reading *r, const struct loop_view *v, const char *id, bool raw, struct err *err)
{
	AUTO_CLOSE int sessions = loop_view_sessions(v, err);

	memset(r, 0, sizeof(*r));
	buf_init(&r->out);
	r->raw = raw;
	r->dir = sessions < 0 ? -1 : fs_open_dir(sessions, id, NULL);
	if (r->dir < 0)
		return err_set(err, "there is no recording of session %s", id);
	r->reader = recording_open(r->dir, err);
	transcript_open(&r->transcript, v->settings.mode == MODE_PTY, &r->out);
	return r->reader == NULL ? -1 : 0;
}

static void
reading_close(struct reading *r)
{
	if (r->reader != NULL)
		recording_reader_free(r->reader);
	transcript_close(&r->transcript);
	buf_release(&r->out);
	if (r->dir >= 0)
		close(r->dir);
}

/* What is there now; at the end of the session also what is unfinished. */
static int
reading_more(struct reading *r, bool end, struct err *err)
{
	if (recording_read(r->reader, r->raw ? add_raw : transcript_chunk,
		r->raw ? (void *)r : (void *)&r->transcript, err) < 0)
		return -1;
	if (end && !r->raw)
		transcript_end(&r->transcript);
	return 0;
}

static void
print_tail(struct buf *out, int64_t lines)
{
	size_t at = out->len;

	if (lines > 0 && at > 0) {
		/* Behind the newline that precedes the last N lines. */
		for (at = out->len - 1; at > 0; at--)
			if (out->data[at - 1] == '\n' && --lines == 0)
				break;
		buf_drop(out, at);
	}
	cmd_print(out);
	buf_clear(out);
}

static bool
has_ended(int dir)
{
	return faccessat(dir, "exit.json", F_OK, 0) == 0;
}

/* Takes what came; one that hung up is closed. */
static void
drain(int *fd)
{
	char chunk[8192];
	ssize_t n = read(*fd, chunk, sizeof(chunk));

	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	close(*fd);
	*fd = -1;
}

/* Until the session's files change, or its keeper or the loop says something or goes. */
static void
wait_for_more(int *inotify, int *keeper, int *events)
{
	int *const fds[] = {inotify, keeper, events};
	struct pollfd p[ARRAY_LEN(fds)];

	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		p[i] = (struct pollfd){.fd = *fds[i], .events = POLLIN};
	if (poll(p, ARRAY_LEN(p), -1) <= 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (*fds[i] >= 0 && p[i].revents != 0)
			drain(fds[i]);
}

static int
watch_dir(int dir, struct err *err)
{
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d", dir);
	AUTO_CLOSE int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (inotify < 0 ||
	    inotify_add_watch(inotify, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
		return err_errno(err, "cannot watch the session");
	return take_fd(&inotify);
}

/* A session is over when its end is written down, or when its keeper, to which we hold a
 * connection, is gone without that. */
static int
follow_reading(struct reading *r, int64_t lines, int *events, struct err *err)
{
	AUTO_CLOSE int inotify = watch_dir(r->dir, err);
	AUTO_CLOSE int keeper = wire_dial(r->dir, ROLE_CLIENT, 0, 0, 0, NULL);

	if (inotify < 0)
		return -1;
	for (;; lines = 0) {
		bool over = keeper < 0 || has_ended(r->dir);

		if (reading_more(r, over, err) < 0)
			return -1;
		print_tail(&r->out, lines);
		if (over)
			return 0;
		wait_for_more(&inotify, &keeper, events);
	}
}

static int
follow_session(const struct loop_view *v, const char *id, const struct logs_options *o,
    bool first, int *events, struct err *err)
{
	struct reading r;
	int rc = 0;

	/* An agent that could not be started may have left none. */
	if (reading_open(&r, v, id, o->raw, NULL) == 0)
		rc = follow_reading(&r, first ? o->lines : 0, events, err);
	reading_close(&r);
	return rc;
}

/* The session that runs, else the last one; NULL while one is just being started. */
static char *
session_to_follow(const struct loop_view *v)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (v->supervised && v->state.sessions[i].state == SESSION_STARTING)
			return NULL;
	return loop_view_session(v);
}

/* Follows from session to session until the loop is over. */
static int
follow(struct loop_view *v, const struct logs_options *o, struct err *err)
{
	AUTO_FREE char *name = xstrdup(v->name);
	AUTO_FREE char *last = NULL;
	AUTO_CLOSE int events = v->supervised ? control_watch(v->dir, NULL) : -1;

	for (;;) {
		AUTO_FREE char *id = NULL;
		int none = -1;

		/* Looked at after the last event: what comes later makes another one. */
		loop_view_close(v);
		if (loop_view_open_session(v, name, err) < 0)
			return -1;
		id = session_to_follow(v);
		if (id != NULL && (last == NULL || strcmp(id, last) != 0)) {
			if (follow_session(v, id, o, last == NULL, &events, err) < 0)
				return -1;
			free(last);
			last = take_ptr(id);
		} else if (events < 0) {
			return 0;
		} else {
			wait_for_more(&none, &none, &events);
		}
	}
}

int
logs_follow(struct loop_view *v, int64_t lines, struct err *err)
{
	return follow(v, &(struct logs_options){.lines = lines}, err);
}

static int
print_once(const struct loop_view *v, const struct logs_options *o, struct err *err)
{
	AUTO_FREE char *id = o->iteration > 0
				 ? xasprintf("%s-%lld", v->state.uid, (long long)o->iteration)
				 : loop_view_session(v);
	struct reading r;
	int rc;

	if (id == NULL)
		return err_set(err, "'%s' has not started an agent yet", v->name);
	rc = reading_open(&r, v, id, o->raw, err);
	if (rc == 0)
		rc = reading_more(&r, true, err);
	if (rc == 0)
		print_tail(&r.out, o->lines);
	reading_close(&r);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct logs_options *o = args->opts;
	struct err err = ERR_INIT;
	struct loop_view v;
	int rc;

	if (loop_view_open_session(&v, args->operands.args[0], &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	rc = o->follow && o->iteration == 0 ? follow(&v, o, &err) : print_once(&v, o, &err);
	loop_view_close(&v);
	if (rc < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	return EX_OK;
}

const struct cmd cmd_logs = {
    .name = "logs",
    .usage = "[-f] [--iteration N] [--lines N] [NAME]",
    .summary = "Print what the agents wrote",
    .about = "Of an agent with a terminal: the lines that scrolled off its screen, then the "
	     "screen itself. "
	     "Escape sequences and control characters are removed or made visible.",
    .examples = "  ralph logs myproject-run\n  ralph logs -f myproject-run\n  ralph logs -i 3 "
		"myproject-run\n",
    .opts = logs_opts,
    .nopts = ARRAY_LEN(logs_opts),
    .size = sizeof(struct logs_options),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_READ,
    .run = run,
};
