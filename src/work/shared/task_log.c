#include "work/shared/task_log.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "record/views.h"
#include "record/words.h"

#define LOG_DIR "logs"
#define LOG_FILE "ralph.jsonl"
#define BEAT_FILE "ralph.heartbeat"
#define WAITING_MAX ((size_t)1 << 20)

struct layout_graph {
	const struct settings *settings;
	struct buf lines;
};

/* Opens the directory anew each time: an agent may remove it at any time. */
static int
task_log_dir_open(const struct layout_graph *l, struct err *err)
{
	const struct settings *s = l->settings;

	return view_dir(s->root == NULL ? s->cwd : s->root, LOG_DIR, err);
}

struct layout_graph *
layout_graph_open(const struct settings *settings, struct err *err)
{
	struct layout_graph *l = xcalloc(1, sizeof(*l));
	AUTO_CLOSE int dir = -1;

	buf_init(&l->lines);
	l->settings = settings;
	dir = task_log_dir_open(l, err);
	if (dir < 0) {
		layout_graph_free(l);
		return NULL;
	}
	(void)!fs_sweep(dir, NULL); /* of a heartbeat, when its writer was killed */
	return l;
}

void
layout_graph_free(struct layout_graph *l)
{
	if (l == NULL)
		return;
	buf_release(&l->lines);
	free(l);
}

/* ---- lines ------------------------------------------------------------------------- */

static json_t *
task_log_text_or_null(const char *s)
{
	return s == NULL || *s == '\0' ? json_null() : json_text(s, strlen(s));
}

/* `until`: how long the loop waits (wall clock); 0: it does not. */
static void
add_waiting_line(struct layout_graph *l, const struct fact *f, int64_t iteration,
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
	    task_log_text_or_null(l->settings->story));
	ENSURE(v);
	if (until != 0) {
		buf_clear(&time);
		clock_fmt_rfc3339(until, &time);
		ENSURE(json_object_set_new(v, "until", json_string(time.data)) == 0);
	}
	json_print(v, true, &l->lines);
	buf_addc(&l->lines, '\n');
}

static void
task_log_add_line(struct layout_graph *l, const struct fact *f, int64_t iteration,
    const char *action, const char *outcome)
{
	add_waiting_line(l, f, iteration, action, outcome, 0);
}

static void
add_limited(struct layout_graph *l, const struct fact *f, const struct fact *wait)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "a usage or rate limit stopped the agent");
	if (wait != NULL) {
		buf_adds(&text, "; the same task goes on in ");
		clock_fmt_span(wait->delay, false, &text);
	}
	add_waiting_line(
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
	    [VERDICT_REFUSED] = {"the agent's login does not hold, or nothing is left to pay "
				 "with",
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
	if (tracked && f->verdict == VERDICT_DONE)
		buf_clear(out);
	if (tracked && task != NULL)
		buf_addf(out, "%s%s", out->len > 0 ? "; " : "", task);
}

static void
task_log_add_ended(struct layout_graph *l, const struct fact *f, bool tracked)
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
	task_log_add_line(l, f, f->iteration, action == NULL ? "failed" : action, text.data);
}

/* The signal that ended the loop; NULL when none did. */
static const char *
end_signal(enum end_reason reason)
{
	return reason == END_INTERRUPTED  ? "SIGINT"
	       : reason == END_TERMINATED ? "SIGTERM"
					  : NULL;
}

static const char *
end_action(const struct fact *f, bool tracked)
{
	enum end_reason reason = f->reason;

	/* A command has given out all it has, however its agents ended. */
	if (reason == END_SOME_FAILED && !tracked)
		return "finished";
	/* A text comes from the graph: the tasks that are left wait for tasks that failed. */
	if (reason == END_WAITING || (reason == END_SOME_FAILED && f->text[0] != '\0'))
		return "blocked";
	if (end_signal(reason) != NULL)
		return "interrupted";
	if (end_reason_asked(reason))
		return "stopped";
	return end_reason_complete(reason) ? "finished" : "gave_up";
}

static void
task_log_add_finished(struct layout_graph *l, const struct fact *f, const struct loop_state *s)
{
	AUTO_BUF text = BUF_INIT;

	bool tracked = s->policy.regime == REGIME_TRACKED;

	if (f->reason == END_NO_WORK)
		buf_adds(&text, tracked && f->text[0] != '\0' ? f->text : "all tasks complete");
	else if (end_signal(f->reason) != NULL)
		buf_adds(&text, end_signal(f->reason));
	else if (f->reason == END_UNCHECKED)
		buf_addf(&text, "taken out of the graph, and never checked: %s", f->others);
	else
		buf_adds(&text, f->text[0] != '\0' ? f->text : end_reason_name(f->reason));
	buf_addf(&text, " (%lld iteration%s: ", (long long)f->iteration,
	    f->iteration == 1 ? "" : "s");
	words_tally(s, &text);
	buf_addc(&text, ')');
	task_log_add_line(l, f, f->iteration, end_action(f, tracked), text.data);
}

static void
add_wanted(struct layout_graph *l, const struct fact *f, const struct loop_state *s)
{
	if (f->wanted == WANT_PAUSE)
		task_log_add_line(l, f, s->iteration, "paused", "no further task is started");
	else if (f->wanted == WANT_RUN)
		task_log_add_line(l, f, s->iteration, "resumed", "the loop goes on");
}

void
layout_graph_facts(
    struct layout_graph *l, const struct fact *facts, size_t n, const struct loop_state *s)
{
	const struct decided d = {.facts = facts, .n = n, .state = s};

	for (size_t i = 0; i < n; i++) {
		const struct fact *f = &facts[i];

		if (f->kind == FACT_OPENED)
			task_log_add_line(l, f, 0, "loop_started", "the loop begins");
		else if (f->kind == FACT_STARTED)
			task_log_add_line(l, f, f->iteration, "started", f->title);
		else if (f->kind == FACT_ENDED && f->verdict == VERDICT_LIMITED)
			add_limited(l, f, words_follows(&d, f, FACT_LIMITED));
		else if (f->kind == FACT_ENDED)
			task_log_add_ended(l, f, s->policy.regime == REGIME_TRACKED);
		else if (f->kind == FACT_UNANSWERED)
			task_log_add_line(l, f, s->iteration, "error", f->text);
		else if (f->kind == FACT_WANTED)
			add_wanted(l, f, s);
		else if (f->kind == FACT_REOPENED)
			task_log_add_line(l, f, s->iteration, "resumed", "the loop goes on");
		else if (f->kind == FACT_FINISHED)
			task_log_add_finished(l, f, s);
	}
}

/* ---- files ------------------------------------------------------------------------- */

static void
drop_oldest(struct buf *lines)
{
	const char *newline;

	while (lines->len > WAITING_MAX &&
	       (newline = memchr(lines->data, '\n', lines->len)) != NULL)
		buf_drop(lines, (size_t)(newline + 1 - lines->data));
}

int
layout_graph_log(struct layout_graph *l, struct err *err)
{
	AUTO_CLOSE int dir = -1;
	AUTO_CLOSE int fd = -1;

	if (l->lines.len == 0)
		return 0;
	dir = task_log_dir_open(l, err);
	if (dir >= 0)
		fd = fs_open_append(dir, LOG_FILE, err);
	if (fd < 0 ||
	    fs_append(fd, LOG_FILE, l->lines.data, l->lines.len, FS_NOSYNC, err) < 0) {
		drop_oldest(&l->lines);
		return -1;
	}
	buf_clear(&l->lines);
	return 0;
}

int
layout_graph_beat(struct layout_graph *l, int64_t wall, struct err *err)
{
	AUTO_CLOSE int dir = task_log_dir_open(l, err);
	AUTO_BUF text = BUF_INIT;

	if (dir < 0)
		return -1;
	clock_fmt_rfc3339(wall, &text);
	buf_addc(&text, '\n');
	return fs_replace(dir, BEAT_FILE, text.data, text.len, FS_NOSYNC, err);
}
