/* The source "todo", as a loop sees it. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "work/todo/todo.h"
#include "work/todo/todo_done.h"

static struct err err;
static struct ev *ev;
static struct source *source;
static struct settings settings;
static struct buf answered;

static int
setup(void **state)
{
	if (scratch_setup(state) < 0 || mkdirat(scratch.fd, "ai", 0700) < 0)
		return -1;
	ev = ev_new();
	buf_init(&answered);
	settings = (struct settings){.root = scratch.path};
	source = NULL;
	return 0;
}

static int
teardown(void **state)
{
	if (source != NULL)
		source->ops->close(source);
	ev_free(ev);
	buf_release(&answered);
	free(settings.section);
	return scratch_teardown(state);
}

#define source_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void
open_with(const char *text)
{
	scratch_put("ai/todo.md", text);
	source = source_todo.open(ev, &settings, &err);
	assert_non_null(source);
}

static void
on_answer(void *ctx UNUSED, const struct answer *a)
{
	static const char *const kinds[] = {"tasks", "done", "error", "later"};

	buf_adds(&answered, kinds[a->kind]);
	for (size_t i = 0; i < a->ncandidates; i++)
		buf_addf(&answered, " %s=%s", a->candidates[i].id, a->candidates[i].title);
	if (a->waiting > 0)
		buf_addf(&answered, " (%zu)", a->waiting);
	if (a->text != NULL && *a->text != '\0')
		buf_addf(&answered, " %s", a->text);
}

static const char *
ask(void)
{
	buf_clear(&answered);
	source->ops->next(source, on_answer, NULL);
	return answered.data;
}

static void
test_no_file(void **state UNUSED)
{
	AUTO_FREE char *expected =
	    xasprintf("there is no %s/ai/todo.md ('ralph todo init' makes ai/todo.md; a task "
		      "is a line '- [ ] T001: ...')",
		scratch.path);

	assert_null(source_todo.open(ev, &settings, &err));
	assert_string_equal(err.text, expected);
	scratch_put("ai/todo.md", "- [ ] T001: a\n- [ ] T001: b\n");
	assert_null(source_todo.open(ev, &settings, &err));
	assert_non_null(
	    strstr(err.text, "todo.md: T001 is the id of two tasks, in lines 1 and 2"));
	assert_int_equal(unlinkat(scratch.fd, "ai/todo.md", 0), 0);
	assert_int_equal(mkdirat(scratch.fd, "ai/todo.md", 0700), 0);
	assert_null(source_todo.open(ev, &settings, &err));
}

static void
test_answers(void **state UNUSED)
{
	open_with("## Claude Tasks\n- [ ] T002: b @x\n- [~] T001: a\n- [~] T003: c **BLOCKED** "
		  "- k\n");
	assert_string_equal(ask(), "tasks T001=a T002=b (1) T003 is blocked (k)");
	source->ops->settle(source, "T001");
	source->ops->settle(source, "T001");
	assert_string_equal(ask(),
	    "tasks T002=b (2) T003 is blocked (k), T001 was done in this run, "
	    "but is not ticked");
	scratch_put("ai/todo.md", "## Claude Tasks\n- [x] T002: b\n- [x] T001: a\n");
	assert_string_equal(ask(), "done");
	scratch_put("ai/todo.md", "## Claude Tasks\n");
	assert_string_equal(ask(), "done there are no tasks in it");
	scratch_put("ai/todo.md", "## Claude Tasks\n- [~] T003: c **DEFERRED**\n");
	assert_string_equal(ask(), "done T003 is deferred");
	scratch_put("ai/todo.md",
	    "## Claude Tasks\n- [~] T003: c **DEFERRED**\n- [ ] T4: d **BLOCKED**\n");
	assert_string_equal(ask(), "tasks (1) T003 is deferred, T4 is blocked");
}

/* A task that vanished is named as long as it is neither back nor done. */
static void
test_lost_tasks(void **state UNUSED)
{
	AUTO_BUF missing = BUF_INIT;

	open_with("- [x] T001: a\n");
	assert_string_equal(ask(), "done");
	todo_source_lost(source, "T002");
	todo_source_lost(source, "T003");
	assert_string_equal(ask(), "tasks");
	todo_source_missing(source, &missing);
	assert_string_equal(missing.data, "T002, T003");
	buf_clear(&missing);
	source->ops->settle(source, "T002");
	scratch_put("ai/todo.md", "- [x] T001: a\n- [x] T3: back\n");
	assert_string_equal(ask(), "done");
	todo_source_missing(source, &missing);
	assert_string_equal(missing.data, "");
}

/* An editor may leave the file in pieces for a moment. */
static void
test_trouble_in_mid_run(void **state UNUSED)
{
	open_with("- [ ] T001: a\n");
	assert_int_equal(unlinkat(scratch.fd, "ai/todo.md", 0), 0);
	assert_non_null(strstr(ask(), "/ai/todo.md is not there any more; put it back"));
	scratch_put("ai/todo.md", "- [ ] T001: a\n- [ ] T1: b\n");
	assert_int_equal(strncmp(ask(), "later ", 6), 0);
	scratch_put("ai/todo.md", "- [ ] T001: a\n");
	assert_string_equal(ask(), "tasks T001=a");
}

static void
test_notes_are_told_once(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	settings.section = xstrdup("None");
	open_with("- [ ] no id\n");
	source->ops->notes(source, &notes);
	assert_non_null(strstr(notes.data, "/ai/todo.md: there is no section 'None'; "));
	assert_non_null(strstr(notes.data, "/ai/todo.md: line 1: a task without an id "));
	buf_clear(&notes);
	(void)ask();
	source->ops->notes(source, &notes);
	assert_string_equal(notes.data, "");
}

static void
test_work(void **state UNUSED)
{
	AUTO_BUF prompt = BUF_INIT;

	open_with("- [ ] T001: fix ai/x.c... @bob\n");
	scratch_put("ai/x.c", "int x;\n");
	scratch_put("ai/task-meta.json",
	    "{\"tasks\":{\"T001\":{\"description\":\"fix ai/x.c and more\"}}}");
	assert_int_equal(source->ops->brief(source, "T001", &prompt, &err), 0);
	assert_non_null(
	    strstr(prompt.data, "**Task ID:** T001\n**Description:** fix ai/x.c and more\n"));
	assert_non_null(strstr(prompt.data, "### ai/x.c\n```\nint x;\n```\n\n## Instructions"));
	assert_int_equal(source->ops->brief(source, "T002", &prompt, &err), -1);
	assert_non_null(strstr(err.text, "T002 is not in "));
}

static void
test_closed(void **state UNUSED)
{
	AUTO_FREE char *results = xasprintf("%s/" TODO_RESULTS, scratch.path);

	open_with("- [ ] T001: a\n");
	assert_int_equal(
	    todo_done_write(&(struct todo_results){.dir = results}, "T001", "s", NULL, &err),
	    0);
	assert_true(source->ops->closed(source, "T001", NULL));
	/* What an earlier attempt left is not this turn's. */
	assert_int_equal(todo_source_begin(source, "T001", clock_wall(), NULL, &err), 1);
	assert_false(source->ops->closed(source, "T001", NULL));
	assert_int_equal(todo_source_begin(source, "T001", clock_wall(), NULL, &err), 0);
	assert_int_equal(
	    todo_done_write(&(struct todo_results){.dir = results}, "T001", "s", NULL, &err),
	    0);
	assert_true(source->ops->closed(source, "T001", NULL));
	todo_source_resume(source, "T001", clock_wall() + 60 * NSEC_PER_SEC, NULL);
	assert_false(source->ops->closed(source, "T001", NULL));
	todo_source_resume(source, "T001", clock_wall(), NULL);
	assert_true(source->ops->closed(source, "T001", NULL));
}

static void
on_news(void *ctx)
{
	*(int *)ctx += 1;
	ev_stop(ev);
}

static void
on_late(struct ev_timer *w UNUSED)
{
	ev_stop(ev);
}

static void
test_news(void **state UNUSED)
{
	struct ev_timer late = {0};
	int news = 0;

	open_with("- [ ] T001: a\n");
	source->ops->listen(source, on_news, &news);
	/* Another file of the directory says nothing new. */
	scratch_put("ai/other.md", "x");
	ev_timer_in(ev, &late, 400 * NSEC_PER_MSEC, on_late, NULL);
	ev_run(ev);
	assert_int_equal(news, 0);
	scratch_put("ai/todo.md", "- [ ] T002: b\n");
	ev_timer_in(ev, &late, 20 * NSEC_PER_SEC, on_late, NULL);
	ev_run(ev);
	ev_timer_stop(&late);
	assert_int_equal(news, 1);
	assert_string_equal(ask(), "tasks T002=b");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    source_test(test_no_file),
	    source_test(test_answers),
	    source_test(test_trouble_in_mid_run),
	    source_test(test_lost_tasks),
	    source_test(test_notes_are_told_once),
	    source_test(test_work),
	    source_test(test_closed),
	    source_test(test_news),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
