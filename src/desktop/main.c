/*
 * main.c - ralph-desktop: the part of ralph that knows X, so that ralph need not.
 *
 *	ralph-desktop ACTION [OPTION...] [OPERAND...]      as after `ralph desktop`
 *
 * The action runs as a job, below us: whatever hangs, a display, a bus or a program, we keep
 * the time, write the log's line and say the sentence.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/ev.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/process/job.h"
#include "desktop/action.h"
#include "desktop/audit.h"
#include "loop/verdict.h"
#include <errno.h>
#include <signal.h>

/* Extra time before an action is ended that did not keep its own timeout. */
#define GRACE (400 * NSEC_PER_MSEC)
#define TEXT_MAX ((size_t)1 << 20)

struct outcome {
	struct ev *ev;
	struct job *job;
	bool late;
	int signo; /* the signal that told us to end; 0: none */
	int rc;
	struct buf out;
	struct err err;
};

static void
desktop_main_on_done(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct outcome *o = ctx;

	o->rc = rc;
	o->err = *err;
	buf_add(&o->out, out->data, out->len);
	o->job = NULL;
	ev_stop(o->ev);
}

static void
desktop_main_on_late(struct ev_timer *w)
{
	struct outcome *o = w->ctx;

	o->late = true;
	job_end(o->job, GRACE);
}

/* Ends the action as its timeout would; the outcome is logged. */
static void
desktop_main_on_signal(struct ev_signal *w, int signo)
{
	struct outcome *o = w->ctx;

	o->signo = signo;
	if (o->job != NULL)
		job_end(o->job, GRACE);
}

static int
desktop_main_code_of(const struct outcome *o)
{
	const struct err *err = &o->err;

	if (o->signo != 0)
		return 128 + o->signo;
	return err->code == ENXIO	? EX_UNAVAILABLE
	       : err->code == ETIMEDOUT ? EX_TIMEOUT
					: EX_FAILED;
}

/* Carries the action out within its timeout, and fills in the outcome. */
static void
carry_out(const struct action *a, struct outcome *o)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, 0};
	struct ev_signal ended = {0};
	struct ev_timer late = {0};

	o->ev = ev_new();
	ev_signal_start(o->ev, &ended, signals, desktop_main_on_signal, o);
	o->job = job_start(o->ev, action_run, a, desktop_main_on_done, o, &o->err);
	if (o->job == NULL) {
		o->rc = -1;
	} else {
		ev_timer_at(o->ev, &late, a->deadline + GRACE, desktop_main_on_late, o);
		ev_run(o->ev);
		ev_timer_stop(&late);
	}
	ev_signal_stop(&ended);
	ev_free(o->ev);
	if (o->late && o->rc < 0 && o->err.code != ETIMEDOUT)
		(void)err_code(&o->err, ETIMEDOUT, "the desktop did not answer in time");
}

static int
print_outcome(const struct action *a, const struct outcome *o)
{
	if (o->rc < 0 && a->id == DESKTOP_CHECK && a->options->json) {
		AUTO_JSON *v = json_pack(
		    "{s:b,s:o}", "ok", 0, "error", json_text(o->err.text, strlen(o->err.text)));
		AUTO_BUF text = BUF_INIT;

		json_print(v, false, &text);
		(void)printf("%s\n", text.data);
	} else if (o->rc < 0) {
		error("%s", o->err.text);
	}
	(void)fwrite(o->out.data, 1, o->out.len, stdout);
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		error("cannot write to stdout: %s", strerror(errno));
		return EX_FAILED;
	}
	return o->rc == 0 ? EX_OK : desktop_main_code_of(o);
}

/* Carries the action out and logs it; `check` changes nothing, so it is not logged. */
static int
desktop_main_act(const struct action *a)
{
	struct outcome o = {.out = BUF_INIT, .err = ERR_INIT};
	AUTO_FREE char *project =
	    a->options->project != NULL ? xstrdup(a->options->project) : audit_project();
	AUTO_CLOSE int log = -1;
	AUTO_JSON *args = action_args(a);
	struct err err = ERR_INIT;
	int code;

	if (a->id != DESKTOP_CHECK && (log = audit_open(project, &err)) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	carry_out(a, &o);
	if (log >= 0 &&
	    audit_append(log, a->name, args, o.rc < 0 ? o.err.text : NULL, &err) < 0) {
		error("it was not logged: %s", err.text);
		(void)print_outcome(a, &o);
		code = EX_FAILED;
	} else {
		code = print_outcome(a, &o);
	}
	buf_release(&o.out);
	return code;
}

static int
read_stdin(struct buf *text, struct err *err)
{
	ssize_t n;

	do {
		buf_reserve(text, 4096);
		n = read(STDIN_FILENO, text->data + text->len, 4096);
		if (n > 0)
			text->len += (size_t)n;
		text->data[text->len] = '\0';
	} while ((n > 0 && text->len <= TEXT_MAX) || (n < 0 && errno == EINTR));
	if (n < 0)
		return err_errno(err, "cannot read standard input");
	return n == 0 ? 0 : err_set(err, "the text is longer than 1 MiB");
}

static int
desktop_main_usage(const char *text)
{
	error("%s", text);
	return EX_USAGE;
}

static int
desktop_main_run(const struct desktop_action *row, const struct desktop_options *options,
    const struct operands *operands)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	struct action a = {row->id, row->name, options, operands, &text, 0};

	if (desktop_options_check(row->id, options, operands, &err) < 0)
		return desktop_main_usage(err.text);
	if (row->id == DESKTOP_TYPE && options->from_stdin) {
		if (read_stdin(&text, &err) < 0)
			return desktop_main_usage(err.text);
	} else if (row->id == DESKTOP_TYPE) {
		buf_adds(&text, desktop_operand(operands, 0));
	}
	a.deadline = clock_boot() + options->timeout;
	return desktop_main_act(&a);
}

int
main(int argc, char **argv)
{
	const struct desktop_action *row = argc > 1 ? desktop_action_find(argv[1]) : NULL;
	struct desktop_options options = {0};
	struct operands operands = {0};
	struct err err = ERR_INIT;
	int rc;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	fs_fault_init();
	/* A program that is started by a descriptor (base/process/program.h) has the
	 * descriptor's path as its name. */
	log_set_name(
	    argc > 0 && strncmp(argv[0], "/proc/", 6) != 0 ? argv[0] : "ralph-desktop");
	fs_fault_role(FS_OTHER);
	if (row == NULL)
		return desktop_main_usage(
		    "this is a part of ralph: 'ralph help desktop' explains it");
	rc = opts_parse(row->opts, row->nopts, argc - 2, argv + 2,
	    row->dashes ? OPTS_DASHES : OPTS_PLAIN, &options, &operands, &err);
	if (rc < 0)
		rc = desktop_main_usage(err.text);
	else if (rc > 0)
		rc = desktop_main_usage("'ralph help desktop' explains it");
	else
		rc = desktop_main_run(row, &options, &operands);
	opts_release(row->opts, row->nopts, &options);
	operands_release(&operands);
	return rc;
}
