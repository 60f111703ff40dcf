/*
 * What becomes of other tasks of a graph while an agent has its own: what is put back, what is
 * explained, what is gone, and what a former life or somebody else left in the file.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/graph/graph_place.h"

#define WATCH_FILE "graph.json"

static struct err err;
static struct graph_place place;
static struct graph_watch watch;
static int loop; /* of the loop */

static void
put(int dir, const char *name, const char *text)
{
	assert_int_equal(fs_replace(dir, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

/* Tasks "a=ready b=blocked"; c waits for b. */
static void
graph(const char *tasks)
{
	AUTO_FREE char *words = xstrdup(tasks);
	AUTO_BUF text = BUF_INIT;
	char *rest = words, *word;

	buf_adds(&text, "nodes:\n");
	while ((word = strsep(&rest, " ")) != NULL)
		buf_addf(&text, "  - id: %c\n    status: %s\n", word[0], word + 2);
	if (strstr(tasks, "c=") != NULL)
		buf_adds(&text, "edges:\n  - {from: b, to: c}\n");
	put(scratch.fd, GRAPH_FILE, text.data);
}

static void
assert_graph(const char *expected)
{
	AUTO_BUF out = BUF_INIT;
	struct graph g;

	if (graph_look(&place, &g, NULL, &err) != CLAIM_CLAIMED)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < g.ntasks; i++)
		buf_addf(&out, "%s%s=%s", i == 0 ? "" : " ", g.tasks[i].id,
		    task_status_name(g.tasks[i].status));
	graph_release(&g);
	assert_string_equal(out.data, expected);
}

static void
begin(const char *tasks, const char *task)
{
	AUTO_BUF notes = BUF_INIT;

	graph(tasks);
	if (place.fd < 0 && graph_place_open(&place, scratch.path, &err) < 0)
		fail_msg("%s", err.text);
	graph_watch_begin(&place, &watch, task, &notes);
	assert_int_equal(notes.len, 0);
}

/* The end of the watch is said in so many lines, the first of which has these words. */
static void
end(int lines, const char *words)
{
	AUTO_BUF notes = BUF_INIT;
	int n = 0;

	if (graph_watch_end(&place, &watch, &notes, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < notes.len; i++)
		n += notes.data[i] == '\n';
	assert_int_equal(n, lines);
	if (lines > 0)
		assert_non_null(strstr(notes.data, words));
	assert_null(watch.task);
}

static int
enter(void **state)
{
	unsetenv("WORKTREE_STORY");
	place.fd = -1;
	if (scratch_setup(state) < 0 || fs_mkdir(scratch.fd, "loop", &err) < 0)
		return -1;
	loop = fs_open_dir(scratch.fd, "loop", &err);
	watch = (struct graph_watch){.dir = loop};
	return loop < 0 ? -1 : 0;
}

static int
leave(void **state)
{
	graph_watch_release(&watch);
	close(loop);
	if (place.fd >= 0)
		graph_place_close(&place);
	return scratch_teardown(state);
}

#define watch_test(fn) cmocka_unit_test_setup_teardown(fn, enter, leave)

/* ---- what was marked by hand ------------------------------------------------------------ */

static void
test_other_tasks_are_put_back(void **state UNUSED)
{
	begin("a=in-progress b=ready c=pending d=blocked e=complete", "a");
	graph("a=complete b=complete c=ready d=ready e=ready");
	end(3, "b was marked as complete in the graph while the agent of a worked");
	assert_graph("a=complete b=ready c=pending d=blocked e=complete");
	/* The watch ends once: later changes stay. */
	graph("a=complete b=complete c=ready d=ready e=ready");
	end(0, NULL);
	assert_graph("a=complete b=complete c=ready d=ready e=ready");
}

static void
test_what_follows_from_others_is_left_alone(void **state UNUSED)
{
	begin("a=in-progress d=pending e=ready f=in-progress", "a");
	graph("a=in-progress d=ready e=in-progress f=ready");
	end(0, NULL);
	assert_graph("a=in-progress d=ready e=in-progress f=ready");
}

static void
test_new_tasks_are_as_they_are(void **state UNUSED)
{
	begin("a=in-progress", "a");
	graph("a=complete b=complete");
	end(0, NULL);
	assert_graph("a=complete b=complete");
}

static void
test_what_our_commands_did_stays(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	begin("a=in-progress b=ready d=blocked", "a");
	assert_int_equal(graph_complete(&place, "b", true, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_reset(&place, "d", true, &notes, &err), CLAIM_CLAIMED);
	end(0, NULL);
	assert_graph("a=in-progress b=complete d=ready");
}

static void
test_an_older_line_of_the_log_explains_nothing(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	begin("a=in-progress b=ready d=blocked", "a");
	assert_int_equal(graph_reset(&place, "d", true, &notes, &err), CLAIM_CLAIMED);
	begin("a=in-progress b=ready d=blocked", "a");
	graph("a=in-progress b=ready d=ready");
	assert_int_equal(graph_complete(&place, "b", true, &notes, &err), CLAIM_CLAIMED);
	end(1, "d was marked as ready in the graph while the agent of a worked");
	assert_graph("a=in-progress b=complete d=blocked");
}

static void
test_garbage_in_the_log_explains_nothing(void **state UNUSED)
{
	AUTO_CLOSE int logs = -1;

	begin("a=in-progress d=blocked", "a");
	graph("a=in-progress d=ready");
	(void)!fs_mkdir(scratch.fd, "logs", &err);
	logs = fs_open_dir(scratch.fd, "logs", &err);
	put(logs, GRAPH_AUDIT,
	    "\n[]\n7\n{\"task_id\": 1}\n{\"task_id\": \"d\", \"new_status\":\n"
	    "{\"task_id\": \"d\", \"new_status\": \"ready\"}"); /* not a whole line */
	end(1, "d was marked as ready");
	assert_graph("a=in-progress d=blocked");
}

static void
test_a_task_that_is_gone_is_remembered(void **state UNUSED)
{
	begin("a=in-progress b=ready d=complete", "a");
	graph("a=complete");
	end(1, "b is gone from the graph since the agent of a worked");
	assert_int_equal(strlist_len(watch.gone), 1);
	graph_watch_release(&watch);
	graph_watch_keep(&watch, loop, true);
	assert_int_equal(strlist_len(watch.gone), 1);
	assert_string_equal(watch.gone[0], "b");
	assert_false(watch.over);
}

/* ---- failures and former lives ---------------------------------------------------------- */

static void
test_a_malformed_graph_is_compared_later(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	begin("a=in-progress b=ready", "a");
	put(scratch.fd, GRAPH_FILE, "nodes: [\n");
	assert_int_equal(graph_watch_end(&place, &watch, &notes, &err), -1);
	assert_true(watch.over);
	assert_int_equal(notes.len, 0);
	graph("a=in-progress b=complete");
	end(1, "b was marked as complete");
	assert_graph("a=in-progress b=ready");
}

static void
test_it_outlives_a_crash(void **state UNUSED)
{
	begin("a=in-progress b=ready", "a");
	graph_watch_release(&watch);
	graph_watch_keep(&watch, loop, false);
	assert_false(watch.over);
	graph_watch_release(&watch);
	graph_watch_keep(&watch, loop, true);
	assert_true(watch.over);
	assert_string_equal(watch.task, "a");
	graph("a=in-progress b=complete");
	end(1, "b was marked as complete");
	assert_graph("a=in-progress b=ready");
}

static void
test_without_a_file_nothing_is_watched(void **state UNUSED)
{
	graph_watch_keep(&watch, loop, true);
	assert_null(watch.task);
	assert_false(watch.over);
	end(0, NULL);
}

/* Garbage in the file of the watch changes nothing in the graph. */
static void
test_garbage_in_the_file(void **state UNUSED)
{
	static const char *const texts[] = {
	    "",
	    "{",
	    "\377\376",
	    "[]",
	    "{\"task\": 7, \"before\": [\"b\", \"ready\"]}",
	    "{\"task\": \"a\", \"before\": {\"b\": \"ready\"}, \"gone\": [1]}",
	    "{\"task\": \"a\", \"before\": [\"b\", 1]}",
	    "{\"task\": \"a\", \"before\": [\"b\"]}",
	    "{\"task\": \"a\", \"before\": [\"b\", \"finished\", \"\"], \"audited\": -1}",
	    "{\"task\": \"a\", \"before\": [\"x\", \"complete\"]}",
	    "{\"task\": \"a\", \"before\": [], \"audited\": 9223372036854775807}",
	};

	begin("a=in-progress b=complete", "a");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		graph_watch_release(&watch);
		put(loop, WATCH_FILE, texts[i]);
		graph_watch_keep(&watch, loop, true);
		end(0, NULL);
		assert_null(watch.gone);
		assert_graph("a=in-progress b=complete");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    watch_test(test_other_tasks_are_put_back),
	    watch_test(test_what_follows_from_others_is_left_alone),
	    watch_test(test_new_tasks_are_as_they_are),
	    watch_test(test_what_our_commands_did_stays),
	    watch_test(test_an_older_line_of_the_log_explains_nothing),
	    watch_test(test_garbage_in_the_log_explains_nothing),
	    watch_test(test_a_task_that_is_gone_is_remembered),
	    watch_test(test_a_malformed_graph_is_compared_later),
	    watch_test(test_it_outlives_a_crash),
	    watch_test(test_without_a_file_nothing_is_watched),
	    watch_test(test_garbage_in_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
