/*
 * todo.c - todo.md: every task that is not done is a candidate, in the order of todo_file.h.
 *
 * The file is read anew for every answer: people and other programs edit it while we run.  A
 * file that cannot be read, or has an id twice, in the middle of a run is read again later: the
 * editor of the file will put it right.
 */
#include "work/todo/todo.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/strmap.h"
#include "work/todo/todo_done.h"
#include "work/todo/todo_file.h"
#include "work/todo/todo_meta.h"
#include "work/todo/todo_prompt.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

/* Changes come in groups; the source waits this long for the next one. */
#define SETTLE (200 * NSEC_PER_MSEC)
#define TITLE_LONGEST 4096
#define TITLE_SHORT (TITLE_MAX - 16) /* fits a fact whole, whatever was replaced in it */

struct todo_source {
	struct source base;
	struct ev *ev;
	char *path, *section; /* section: NULL for the default */
	char *root, *meta, *results;
	struct strmap settled;	/* ids, which are its values too */
	char **lost;		/* ids that vanished; NULL */
	char turn[TODO_ID_MAX]; /* the task whose done file is waited for, and since when */
	int64_t since;
	char *token;	 /* of that turn; NULL: none */
	bool commands;	 /* the worker has the commands of the prompt */
	struct buf text; /* of the file; `file` points into it */
	struct todo_file file;
	bool opened; /* the file could be read at the start */
	struct ev_io changes;
	struct ev_timer quiet;
	char *watched; /* the file's name in its directory */
	void (*news)(void *ctx);
	void *news_ctx;
	struct buf told, notes; /* told: the notes of the last look */
};

static struct todo_source *
todo_of(struct source *source)
{
	ENSURE(source->ops == &source_todo);
	return (struct todo_source *)source;
}

/* ---- looking ------------------------------------------------------------------------- */

static int
no_file(const struct todo_source *s, const struct err *why, struct err *err)
{
	if (why->code != ENOENT && why->code != ENOTDIR)
		return err_pass(err, why);
	if (s->opened)
		return err_code(err, why->code,
		    "%s is not there any more; put it back, and the run goes on", s->path);
	return err_code(err, why->code,
	    "there is no %s ('ralph todo init' makes ai/todo.md; a "
	    "task is a line '- [ ] T001: ...')",
	    s->path);
}

/* Takes the notes on the file over; each is told once, as long as it holds. */
static void
take_notes(struct todo_source *s)
{
	const struct buf *notes = &s->file.notes;

	if (notes->len == s->told.len && memcmp(notes->data, s->told.data, notes->len) == 0)
		return;
	buf_clear(&s->told);
	buf_add(&s->told, notes->data, notes->len);
	for (const char *p = notes->data, *nl; (nl = strchr(p, '\n')) != NULL; p = nl + 1)
		buf_addf(&s->notes, "%s: %.*s\n", s->path, (int)(nl - p), p);
}

static int
todo_look(struct todo_source *s, struct err *err)
{
	struct err why = ERR_INIT;

	todo_file_release(&s->file);
	if (links_check_path(AT_FDCWD, s->path, &why) < 0 ||
	    fs_read(AT_FDCWD, s->path, TODO_MAX, &s->text, &why) < 0)
		return no_file(s, &why, err);
	todo_file_parse(&s->file, s->text.data, s->text.len, s->section);
	if (todo_file_check(&s->file, err) < 0)
		return err_prefix(err, "%s", s->path);
	take_notes(s);
	return 0;
}

static char *
title_of(const struct todo_task *t, size_t max)
{
	struct todo_parts parts;
	AUTO_BUF text = BUF_INIT;

	todo_line_parts(&t->line, &parts);
	todo_text(parts.title, max, &text);
	return buf_detach(&text);
}

/* ---- answers ------------------------------------------------------------------------- */

static bool
todo_is_settled(const struct todo_source *s, const struct todo_task *t, char id[TODO_ID_MAX])
{
	memcpy(id, t->line.id.p, t->line.id.len);
	id[t->line.id.len] = '\0';
	return strmap_get(&s->settled, id) != NULL;
}

/* Counts tasks that are left, but are no work: the file says so, or they are done but not
 * ticked.  *aside of them were deferred or skipped by somebody, and wait for nothing. */
static size_t
todo_explain(const struct todo_source *s, struct buf *why, size_t *aside)
{
	size_t n = todo_file_left(&s->file, why, aside);
	char id[TODO_ID_MAX];

	for (size_t i = 0; i < s->file.nwork; i++) {
		if (!todo_is_settled(s, &s->file.tasks[s->file.work[i]], id))
			continue;
		buf_addf(
		    why, "%s%s was done in this run, but is not ticked", n > 0 ? ", " : "", id);
		n++;
	}
	return n;
}

void
todo_source_missing(struct source *source, struct buf *out)
{
	const struct todo_source *s = todo_of(source);

	for (char **id = s->lost; id != NULL && *id != NULL; id++)
		if (todo_file_find(&s->file, *id) == NULL &&
		    strmap_get(&s->settled, *id) == NULL)
			buf_addf(out, "%s%s", out->len > 0 ? ", " : "", *id);
}

static void
answer_file(struct todo_source *s, answer_fn *answer, void *ctx)
{
	size_t n = 0, most = s->file.nwork;
	AUTO_FREE struct candidate *list = xcalloc(most + 1, sizeof(*list));
	AUTO_FREE char(*ids)[TODO_ID_MAX] = xcalloc(most + 1, sizeof(*ids));
	AUTO_STRLIST titles = xcalloc(most + 1, sizeof(*titles));
	AUTO_BUF why = BUF_INIT;
	AUTO_BUF lost = BUF_INIT;
	size_t aside, waiting = todo_explain(s, &why, &aside);

	for (size_t i = 0; i < most; i++) {
		const struct todo_task *t = &s->file.tasks[s->file.work[i]];

		if (todo_is_settled(s, t, ids[n]))
			continue;
		titles[n] = title_of(t, TITLE_SHORT);
		list[n] =
		    (struct candidate){.id = ids[n], .components = "", .title = titles[n]};
		n++;
	}
	todo_source_missing(&s->base, &lost);
	if (n == 0 && waiting == 0 && lost.len == 0)
		answer(ctx, &(struct answer){.kind = ANSWER_DONE,
				.reason = END_NO_WORK,
				.text = s->file.n > 0 ? NULL : "there are no tasks in it"});
	else if (n == 0 && waiting == aside && lost.len == 0)
		answer(ctx, &(struct answer){
				.kind = ANSWER_DONE, .reason = END_WAITING, .text = why.data});
	else
		answer(ctx, &(struct answer){.kind = ANSWER_TASKS,
				.candidates = list,
				.ncandidates = n,
				.waiting = waiting - aside,
				.text = why.data,
				.others = lost.data,
				.unchecked = lost.len > 0});
}

static void
todo_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct todo_source *s = todo_of(source);
	struct err err = ERR_INIT;

	if (todo_look(s, &err) < 0)
		answer(ctx, &(struct answer){.kind = ANSWER_LATER, .text = err.text});
	else
		answer_file(s, answer, ctx);
}

/* ---- one task ------------------------------------------------------------------------ */

static int
todo_brief(struct source *source, const char *task, struct buf *prompt, struct err *err)
{
	struct todo_source *s = todo_of(source);
	const struct todo_task *t;
	AUTO_FREE char *title = NULL;
	AUTO_JSON *meta = NULL;
	struct todo_brief brief;

	if (todo_look(s, err) < 0)
		return -1;
	t = todo_file_find(&s->file, task);
	if (t == NULL)
		return err_set(err, "%s is not in %s any more", task, s->path);
	title = title_of(t, TITLE_LONGEST);
	meta = todo_meta_load(s->meta, &s->notes);
	brief = (struct todo_brief){.id = task,
	    .title = title,
	    .root = s->root,
	    .meta = todo_meta_task(meta, task),
	    .commands = s->commands};
	if (strcmp(s->turn, task) == 0)
		brief.token = s->token;
	todo_prompt(&brief, prompt);
	return 0;
}

bool
todo_source_has(struct source *source, const char *task)
{
	struct todo_source *s = todo_of(source);
	const struct todo_task *t = todo_file_find(&s->file, task);

	return t != NULL && t->state != TODO_DONE;
}

int
todo_source_begin(
    struct source *source, const char *task, int64_t wall, const char *token, struct err *err)
{
	todo_source_resume(source, task, wall, token);
	return todo_done_set_aside(todo_of(source)->results, task, err);
}

void
todo_source_resume(struct source *source, const char *task, int64_t wall, const char *token)
{
	struct todo_source *s = todo_of(source);

	(void)snprintf(s->turn, sizeof(s->turn), "%s", task);
	s->since = wall;
	xstrset(&s->token, token);
}

void
todo_source_lost(struct source *source, const char *task)
{
	struct todo_source *s = todo_of(source);

	if (!strlist_has(s->lost, task))
		s->lost = strlist_add(s->lost, task);
}

void
todo_source_commands(struct source *source, bool has)
{
	todo_of(source)->commands = has;
}

const char *
todo_list_name(const char *root, const char *path)
{
	const char *below = fs_below(root, path);

	return below != NULL ? below : path;
}

/* Is there a done file of this turn?  The file is of the project as a whole, whatever tree the
 * work is in. */
static bool
todo_closed(struct source *source, const char *task, const char *top)
{
	struct todo_source *s = todo_of(source);
	int64_t since = strcmp(s->turn, task) == 0 ? s->since : 0;
	const struct todo_results in = {
	    .dir = s->results, .list = todo_list_name(s->root, s->path)};

	(void)top;
	return todo_done_check(&in, task, since, NULL, NULL) == 0;
}

static void
todo_settle(struct source *source, const char *task)
{
	struct todo_source *s = todo_of(source);
	char *id;

	if (strmap_get(&s->settled, task) != NULL)
		return;
	id = xstrdup(task);
	(void)strmap_put(&s->settled, id, id);
}

static void
todo_notes(struct source *source, struct buf *out)
{
	struct todo_source *s = todo_of(source);

	buf_add(out, s->notes.data, s->notes.len);
	buf_clear(&s->notes);
}

/* ---- news ---------------------------------------------------------------------------- */

static void
todo_on_quiet(struct ev_timer *w)
{
	struct todo_source *s = w->ctx;

	s->news(s->news_ctx);
}

static void
todo_on_change(struct ev_io *w, uint32_t events)
{
	struct todo_source *s = w->ctx;
	char bytes[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool ours = false;
	ssize_t n;

	(void)events;
	while ((n = read(w->fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t at = 0; at < n;) {
			struct inotify_event e;

			memcpy(&e, bytes + at, sizeof(e));
			at += (ssize_t)sizeof(e);
			ours |= (e.mask & IN_Q_OVERFLOW) != 0 ||
				(e.len > 0 && strcmp(bytes + at, s->watched) == 0);
			at += (ssize_t)e.len;
		}
	if (ours)
		ev_timer_in(s->ev, &s->quiet, SETTLE, todo_on_quiet, s);
}

/* Watches the list if possible.  Without a watch, the end of the next task is when we look
 * again. */
static void
todo_listen(struct source *source, void (*news)(void *ctx), void *ctx)
{
	struct todo_source *s = todo_of(source);
	AUTO_CLOSE int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	AUTO_FREE char *real = realpath(s->path, NULL);
	char *slash = real != NULL ? strrchr(real, '/') : NULL;

	if (fd < 0 || slash == NULL || s->watched != NULL)
		return;
	*slash = '\0';
	if (inotify_add_watch(fd, *real != '\0' ? real : "/",
		IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) < 0)
		return;
	s->watched = xstrdup(slash + 1);
	s->news = news;
	s->news_ctx = ctx;
	ev_io_start(s->ev, &s->changes, take_fd(&fd), EPOLLIN, todo_on_change, s);
}

/* ---- life ---------------------------------------------------------------------------- */

static void
todo_close(struct source *source)
{
	struct todo_source *s = todo_of(source);
	int fd = s->changes.ev != NULL ? s->changes.fd : -1;

	ev_timer_stop(&s->quiet);
	ev_io_stop(&s->changes);
	auto_close_fn(&fd);
	for (size_t i = 0; i < s->settled.cap; i++)
		if (s->settled.slots[i].key != NULL)
			free(s->settled.slots[i].value);
	strmap_release(&s->settled);
	strlist_free(s->lost);
	todo_file_release(&s->file);
	buf_release(&s->text);
	buf_release(&s->told);
	buf_release(&s->notes);
	free(s->path);
	free(s->section);
	free(s->root);
	free(s->meta);
	free(s->results);
	free(s->token);
	free(s->watched);
	free(s);
}

static struct source *
todo_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct todo_source *s = xcalloc(1, sizeof(*s));
	const char *root = settings->root != NULL ? settings->root : ".";

	s->base.ops = &source_todo;
	s->ev = ev;
	s->path = settings->todo_file != NULL ? xstrdup(settings->todo_file)
					      : xasprintf("%s/" TODO_FILE, root);
	s->section = settings->section != NULL ? xstrdup(settings->section) : NULL;
	s->root = fs_absolute(root);
	s->meta = xasprintf("%s/" TODO_META, s->root);
	s->results = xasprintf("%s/" TODO_RESULTS, s->root);
	buf_init(&s->text);
	buf_init(&s->told);
	buf_init(&s->notes);
	buf_init(&s->file.notes);
	s->opened = todo_look(s, err) == 0;
	if (s->opened)
		return &s->base;
	todo_close(&s->base);
	return NULL;
}

const struct source_ops source_todo = {
    .name = "todo",
    .open = todo_open,
    .next = todo_next,
    .brief = todo_brief,
    .closed = todo_closed,
    .settle = todo_settle,
    .listen = todo_listen,
    .notes = todo_notes,
    .close = todo_close,
};
