/*
 * logs.c - ralph logs: what the agents wrote, as text.
 */
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"
#include "cmd/transcript.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "session/recording.h"
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

/* Waits until the session's files change, or the loop says something.  False when the loop's
 * supervisor is gone and nothing more can come. */
static bool
wait_for_more(int inotify, int *events)
{
	struct pollfd p[2] = {
	    {.fd = inotify, .events = POLLIN}, {.fd = *events, .events = POLLIN}};
	char chunk[8192];
	ssize_t n = 1;

	(void)poll(p, 2, -1);
	if ((p[0].revents & POLLIN) != 0)
		(void)!read(inotify, chunk, sizeof(chunk));
	if (p[1].revents != 0)
		n = read(*events, chunk, sizeof(chunk));
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(*events);
		*events = -1;
	}
	return *events >= 0;
}

static int
follow_session(const struct loop_view *v, const char *id, const struct logs_options *o,
    bool first, int *events, struct err *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_CLOSE int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct reading r;
	int rc = reading_open(&r, v, id, o->raw, err);

	path = xasprintf("/proc/self/fd/%d", r.dir);
	if (rc == 0 &&
	    inotify_add_watch(inotify, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
		rc = err_errno(err, "cannot watch the session");
	while (rc == 0) {
		bool ended = has_ended(r.dir);

		rc = reading_more(&r, ended, err);
		print_tail(&r.out, first ? o->lines : 0);
		first = false;
		if (ended || rc < 0)
			break;
		/* Without a supervisor the keeper still ends the session by itself. */
		(void)wait_for_more(inotify, events);
	}
	reading_close(&r);
	return rc;
}

/* Follows from session to session until the loop is over. */
static int
follow(struct loop_view *v, const struct logs_options *o, struct err *err)
{
	AUTO_FREE char *name = xstrdup(v->name);
	AUTO_FREE char *last = NULL;
	int events = v->supervised ? control_watch(v->dir, err) : -1;
	int rc = 0;

	while (rc == 0) {
		AUTO_FREE char *id = loop_view_session(v);

		if (id != NULL && (last == NULL || strcmp(id, last) != 0)) {
			rc = follow_session(v, id, o, last == NULL, &events, err);
			free(last);
			last = take_ptr(id);
		} else if (events < 0 || !wait_for_more(-1, &events)) {
			break;
		}
		loop_view_close(v);
		if (rc == 0)
			rc = loop_view_open(v, name, err);
	}
	if (events >= 0)
		close(events);
	return rc;
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

	if (loop_view_open(&v, args->operands.args[0], &err) < 0) {
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
    .usage = "[-f] [--iteration N] [--lines N] NAME",
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
    .run = run,
};
