#include "work/shared/task_log.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "work/shared/given.h"
#include <inttypes.h>

#define LOG_DIR "logs"
#define LOG_FILE "ralph.jsonl"
#define BEAT_FILE "ralph.heartbeat"
#define WAITING_MAX ((size_t)1 << 20)

struct task_log {
	struct view view;
	struct buf lines;
};

/* Opens the directory anew each time: an agent may remove it at any time. */
static int
task_log_dir_open(const struct task_log *l, struct err *err)
{
	const struct settings *s = l->view.of.settings;

	return view_dir(s->root == NULL ? s->cwd : s->root, LOG_DIR, err);
}

static void
task_log_close(struct view *v)
{
	buf_release(&((struct task_log *)v)->lines);
	free(v);
}

static struct view *
task_log_open(const struct view_of *of, struct err *err)
{
	struct task_log *l = view_new(sizeof(*l), &task_log_view, of);
	AUTO_CLOSE int dir = task_log_dir_open(l, err);

	buf_init(&l->lines);
	if (dir >= 0) {
		(void)!fs_sweep(dir, NULL); /* half a heartbeat, whose writer was killed */
		return &l->view;
	}
	task_log_close(&l->view);
	return NULL;
}

/* ---- lines ------------------------------------------------------------------------- */

static json_t *
task_log_text_or_null(const char *s)
{
	return s == NULL || *s == '\0' ? json_null() : json_text(s, strlen(s));
}

/* `until`: how long the loop waits (wall clock); 0: it does not. */
static void
task_log_add_line(struct task_log *l, const struct fact *f, int64_t iteration,
    const char *action, const char *outcome, int64_t until)
{
	AUTO_BUF time = BUF_INIT;
	AUTO_JSON *v = NULL;
	bool ended = f->kind == FACT_ENDED;
	bool known = ended && f->exit.how != EXIT_UNKNOWN && f->exit.how != EXIT_NOSTART;

	clock_fmt_rfc3339(f->at.wall, &time);
	v = json_pack("{s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o}", "timestamp", time.data,
	    "iteration", (json_int_t)iteration, "task_id", task_log_text_or_null(f->task),
	    "action", action, "duration_seconds",
	    ended ? json_integer(f->duration / NSEC_PER_SEC) : json_integer(0), "exit_code",
	    known ? json_integer(exit_number(f->exit)) : json_null(), "outcome",
	    task_log_text_or_null(outcome), "story_filter",
	    task_log_text_or_null(l->view.of.settings->story));
	ENSURE(v != NULL);
	if (until != 0) {
		buf_clear(&time);
		clock_fmt_rfc3339(until, &time);
		ENSURE(json_object_set_new(v, "until", json_string(time.data)) == 0);
	}
	json_print(v, true, &l->lines);
	buf_addc(&l->lines, '\n');
}

static void
add_limited(struct task_log *l, const struct fact *f, const struct fact *wait)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "a usage or rate limit stopped the agent");
	if (wait != NULL) {
		buf_adds(&text, "; the same task goes on in ");
		clock_fmt_span(wait->delay, false, &text);
	}
	task_log_add_line(
	    l, f, f->iteration, "rate_limited", text.data, wait == NULL ? 0 : wait->until.wall);
}

/* Only a source that tracks its tasks knows what becomes of the task: the words about the task
 * are added only if `tracked`. */
static void
task_log_add_outcome(const struct fact *f, bool tracked, struct buf *out)
{
	static const struct {
		const char *agent, *task;
	} words[VERDICT_COUNT] = {
	    [VERDICT_DONE] = {"the agent ended well", "the task is complete"},
	    [VERDICT_NOT_CLOSED] = {"the agent ended well, but the task is not complete",
		"it stays in progress"},
	    [VERDICT_REFUSED] = {"the agent's login does not hold, "
				 "or nothing is left to pay with",
		"the task is ready again"},
	    [VERDICT_STOPPED] = {"the agent was ended before the task was done", NULL},
	    [VERDICT_LOST] = {"nobody saw the agent end", NULL},
	    [VERDICT_TIMEOUT] = {"the agent took too long", "the task stays in progress"},
	    [VERDICT_IDLE] = {"the agent stood still", "the task stays in progress"},
	    [VERDICT_RESTED] = {"the agent stood still", "the task stays in progress"},
	    [VERDICT_HUNG] = {"the agent stood still", "the task stays in progress"},
	    [VERDICT_STUCK] = {"the agent made no progress", "the task stays in progress"},
	};
	const char *task = words[f->verdict].task;

	if (words[f->verdict].agent != NULL) {
		buf_adds(out, words[f->verdict].agent);
	} else if (f->exit.how == EXIT_NOSTART) {
		buf_adds(out, "the agent could not be started");
		task = "the task is ready again";
	} else {
		buf_adds(out, "the agent failed (exit: ");
		words_exit(f->exit, out);
		buf_addc(out, ')');
		task = "the task stays in progress";
	}
	if (tracked && verdict_is_success(f->verdict))
		buf_clear(out);
	if (tracked && task != NULL)
		buf_addf(out, "%s%s", out->len > 0 ? "; " : "", task);
}

static void
task_log_add_ended(struct task_log *l, const struct fact *f, bool tracked)
{
	static const char *const actions[VERDICT_COUNT] = {
	    [VERDICT_DONE] = "completed",
	    [VERDICT_NOT_CLOSED] = "unfinished",
	    [VERDICT_REFUSED] = "refused",
	    [VERDICT_STOPPED] = "ended",
	    [VERDICT_LOST] = "lost",
	};
	const char *action = actions[f->verdict];
	AUTO_BUF text = BUF_INIT;

	task_log_add_outcome(f, tracked, &text);
	task_log_add_line(l, f, f->iteration, action == NULL ? "failed" : action, text.data, 0);
}

/* The signal that ended the loop; NULL when none did. */
static const char *
end_signal(enum end_reason reason)
{
	static const char *const signals[END_COUNT] = {
	    [END_INTERRUPTED] = "SIGINT",
	    [END_TERMINATED] = "SIGTERM",
	};

	return signals[reason];
}

static const char *
end_action(const struct fact *f, bool tracked)
{
	enum end_reason reason = f->reason;

	/* A command has given out all it has, however its agents ended. */
	if (reason == END_SOME_FAILED && !tracked)
		return "finished";
	if (given_is_blocked(f))
		return "blocked";
	if (end_signal(reason) != NULL)
		return "interrupted";
	if (end_reason_asked(reason))
		return "stopped";
	return end_reason_complete(reason) ? "finished" : "gave_up";
}

static void
task_log_add_finished(struct task_log *l, const struct fact *f, const struct loop_state *s)
{
	AUTO_BUF text = BUF_INIT;

	bool tracked = regime_marks(s->policy.regime).tracked;
	const char *all_done = given_all_done(f, tracked);

	if (all_done != NULL)
		buf_adds(&text, all_done);
	else if (end_signal(f->reason) != NULL)
		buf_adds(&text, end_signal(f->reason));
	else if (f->reason == END_UNCHECKED)
		buf_addf(&text, "taken out of the graph, and never checked: %s", f->others);
	else
		buf_adds(&text, f->text[0] != '\0' ? f->text : end_reason_name(f->reason));
	buf_addf(
	    &text, " (%" PRId64 " iteration%s: ", f->iteration, f->iteration == 1 ? "" : "s");
	words_tally(s, &text);
	buf_addc(&text, ')');
	task_log_add_line(l, f, f->iteration, end_action(f, tracked), text.data, 0);
}

static void
task_log_fact(struct view *v, const struct decided *d, const struct fact *f)
{
	struct task_log *l = (struct task_log *)v;
	const struct loop_state *s = d->state;

	if (f->kind == FACT_OPENED)
		task_log_add_line(l, f, 0, "loop_started", "the loop begins", 0);
	else if (f->kind == FACT_STARTED)
		task_log_add_line(l, f, f->iteration, "started", f->title, 0);
	else if (f->kind == FACT_ENDED && verdict_hold(f->verdict) == HOLD_LIMIT)
		add_limited(l, f, words_follows(d, f, FACT_LIMITED));
	else if (f->kind == FACT_ENDED)
		task_log_add_ended(l, f, regime_marks(s->policy.regime).tracked);
	else if (f->kind == FACT_UNANSWERED)
		task_log_add_line(l, f, s->iteration, "error", f->text, 0);
	else if (f->kind == FACT_WANTED && f->wanted == WANT_PAUSE)
		task_log_add_line(
		    l, f, s->iteration, "paused", "no further task is started", 0);
	else if (f->kind == FACT_REOPENED || (f->kind == FACT_WANTED && f->wanted == WANT_RUN))
		task_log_add_line(l, f, s->iteration, "resumed", "the loop goes on", 0);
	else if (f->kind == FACT_FINISHED)
		task_log_add_finished(l, f, s);
}

/* ---- files ------------------------------------------------------------------------- */

static int
task_log_write(struct view *v, const struct loop_state *state UNUSED, struct err *err)
{
	struct task_log *l = (struct task_log *)v;
	AUTO_CLOSE int dir = l->lines.len == 0 ? -1 : task_log_dir_open(l, err);

	return l->lines.len == 0 ? 0 : view_append(dir, LOG_FILE, &l->lines, WAITING_MAX, err);
}

int
task_log_beat(const struct view *v, int64_t wall, struct err *err)
{
	AUTO_CLOSE int dir = task_log_dir_open((const struct task_log *)v, err);
	AUTO_BUF text = BUF_INIT;

	if (dir < 0)
		return -1;
	clock_fmt_rfc3339(wall, &text);
	buf_addc(&text, '\n');
	return fs_replace(dir, BEAT_FILE, text.data, text.len, FS_NOSYNC, err);
}

const struct view_ops task_log_view = {
    .name = "log",
    .open = task_log_open,
    .fact = task_log_fact,
    .write = task_log_write,
    .close = task_log_close,
};
