/*
 * The plan of a run over tickets: waves, idle slots, what is left over and what is blocked.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/tickets/plan.h"

static struct backlog *b;
static struct settings s;
static struct err err;
static struct buf text;
static json_t *plan;

static void
ticket(const char *id, const char *deps, const char *tags)
{
	AUTO_FREE char *body =
	    xasprintf("---\nid: %s\nstatus: open\ndeps: [%s]\nlinks: []\npriority: 2\n"
		      "tags: [%s]\n---\n# About %s\n",
		id, deps, tags, id);
	static int n;
	AUTO_FREE char *file = xasprintf("t-%d.md", n++);

	assert_int_equal(fs_replace(scratch.fd, file, body, strlen(body), FS_NOSYNC, &err), 0);
}

static int
setup(void **state)
{
	err = (struct err)ERR_INIT;
	if (scratch_setup(state) < 0)
		return -1;
	s = (struct settings){
	    .max_iterations = 50, .parallel = 1, .max_failures = UNLIMITED, .worktrees = true};
	buf_init(&text);
	plan = NULL;
	b = backlog_open(scratch.path, &err);
	return b != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	buf_release(&text);
	json_decref(plan);
	backlog_close(b);
	return scratch_teardown(state);
}

static void
make(void)
{
	if (backlog_refresh(b, &err) < 0)
		fail_msg("%s", err.text);
	plan = plan_make(&s, b, &text, &err);
	if (plan == NULL)
		fail_msg("%s", err.text);
}

static void
says(const char *expected)
{
	make();
	assert_string_equal(text.data, expected);
}

static void
test_dependents_come_in_the_next_wave(void **state)
{
	(void)state;
	s.parallel = 2;
	ticket("pt-1", "", "component:ui");
	ticket("pt-2", "pt-1", "component:api, x");
	ticket("pt-3", "", "");
	says("Would launch pt-1 (wave 1, components: ui): ralph/pt-1 in "
	     ".tf/ralph/worktrees/pt-1\n"
	     "Would launch pt-3 (wave 1): ralph/pt-3 in .tf/ralph/worktrees/pt-3\n"
	     "Would launch pt-2 (wave 2, components: api): ralph/pt-2 in "
	     ".tf/ralph/worktrees/pt-2\n"
	     "Planned 3 tickets in 2 waves at parallel 2.\n");
}

static void
test_components_exclude_and_idle_slots_say_so(void **state)
{
	(void)state;
	s.parallel = 3;
	s.worktrees = false;
	ticket("a", "", "component:ui");
	ticket("b", "", "component:api, component:ui");
	ticket("c", "", "component:api");
	says("Would launch a (wave 1, components: ui)\n"
	     "Would launch c (wave 1, components: api)\n"
	     "  1 idle slot: b waits for a, both need ui\n"
	     "Would launch b (wave 2, components: api, ui)\n"
	     "Planned 3 tickets in 2 waves at parallel 3.\n");
}

static void
test_untagged_tickets_may_run_alone(void **state)
{
	(void)state;
	s.parallel = 2;
	s.worktrees = false;
	s.untagged = UNTAGGED_EXCLUSIVE;
	ticket("a", "", "");
	ticket("b", "", "component:ui");
	says("Would launch a (wave 1)\n"
	     "  1 idle slot: b waits for a, one of them has no components\n"
	     "Would launch b (wave 2, components: ui)\n"
	     "Planned 2 tickets in 2 waves at parallel 2.\n");
}

static void
test_what_the_limit_leaves_is_told_from_what_is_blocked(void **state)
{
	(void)state;
	s.max_iterations = 1;
	s.worktrees = false;
	ticket("a", "", "");
	ticket("b", "a", "");
	ticket("c", "b", "");
	ticket("x", "y", "");
	ticket("y", "x", "");
	ticket("z", "nowhere", "");
	says("Would launch a (wave 1)\n"
	     "Planned 1 ticket in 1 wave at parallel 1.\n"
	     "2 tickets left over because of --max-iterations 1.\n"
	     "3 tickets blocked: x -> y -> x is a cycle; z waits for nowhere, which does not "
	     "exist.\n");
	assert_int_equal(json_array_size(json_object_get(plan, "left_over")), 2);
	assert_int_equal(
	    json_array_size(json_object_get(json_object_get(plan, "blocked"), "tickets")), 3);
}

static void
test_an_empty_backlog_is_a_plan(void **state)
{
	(void)state;
	says("Planned 0 tickets in 0 waves at parallel 1.\n");
	assert_int_equal(json_array_size(json_object_get(plan, "waves")), 0);
}

static void
test_a_query_is_not_asked(void **state)
{
	char query[] = "touch asked";

	(void)state;
	s.ticket_query = query;
	says("Planned 0 tickets in 0 waves at parallel 1.\n"
	     "A run asks ticketQuery; this plan is made of all tickets.\n");
}

static void
test_more_than_a_loop_remembers(void **state)
{
	(void)state;
	s.max_iterations = UNLIMITED;
	s.parallel = 64;
	s.worktrees = false;
	for (int i = 0; i < 4100; i++) {
		AUTO_FREE char *id = xasprintf("n-%d", i);

		ticket(id, "", "");
	}
	make();
	assert_int_equal(json_int(plan, "planned", 0), 4096);
	assert_int_equal(json_array_size(json_object_get(plan, "left_over")), 4);
	assert_int_equal(json_array_size(json_object_get(plan, "waves")), 64);
}

static void
test_hostile_ids_are_neither_paths_nor_refs(void **state)
{
	static const char *const ids[] = {"../x", "-rf", "$(x)", "a\033]0;b\007"};
	json_t *dispatch;
	AUTO_BUF longest = BUF_INIT;
	size_t i;

	(void)state;
	s.parallel = 10;
	for (i = 0; i < 300; i++)
		buf_addc(&longest, 'y');
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		ticket(ids[i], "", i == 0 ? "component:a\033[2J" : "");
	ticket(longest.data, "", "");
	make();
	assert_int_equal(json_int(plan, "planned", 0), 4);
	assert_int_equal(json_array_size(json_object_get(plan, "refused")), 1);
	assert_int_equal(json_array_size(json_object_get(plan, "left_over")), 0);
	assert_non_null(strstr(text.data, "...' is too long an id to be worked on.\n"));
	assert_null(strchr(text.data, '\033'));
	json_array_foreach (
	    json_object_get(json_array_get(json_object_get(plan, "waves"), 0), "dispatches"), i,
	    dispatch) {
		const char *branch = json_str(dispatch, "branch", "");

		assert_int_equal(strncmp(branch, "ralph/", 6), 0);
		assert_true(ticket_id_is_safe(branch + 6));
	}
	assert_int_equal(i, 4);
}

static void
test_the_object_has_everything(void **state)
{
	json_t *wave, *dispatch;

	(void)state;
	s.parallel = 2;
	ticket("a", "", "component:ui, component:api");
	ticket("b", "", "component:ui");
	make();
	assert_int_equal(json_int(plan, "parallel", 0), 2);
	assert_int_equal(json_int(plan, "max_iterations", 0), 50);
	wave = json_array_get(json_object_get(plan, "waves"), 0);
	assert_int_equal(json_int(wave, "wave", 0), 1);
	dispatch = json_array_get(json_object_get(wave, "dispatches"), 0);
	assert_string_equal(json_str(dispatch, "ticket", ""), "a");
	assert_string_equal(json_str(dispatch, "title", ""), "About a");
	assert_int_equal(json_array_size(json_object_get(dispatch, "components")), 2);
	assert_string_equal(json_str(dispatch, "branch", ""), "ralph/a");
	assert_string_equal(json_str(dispatch, "worktree", ""), ".tf/ralph/worktrees/a");
	wave = json_object_get(wave, "idle");
	assert_int_equal(json_int(wave, "slots", 0), 1);
	assert_string_equal(json_str(wave, "ticket", ""), "b");
	assert_string_equal(json_str(wave, "waits_for", ""), "a");
	assert_string_equal(json_str(wave, "component", ""), "ui");
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(test_dependents_come_in_the_next_wave),
	    T(test_components_exclude_and_idle_slots_say_so),
	    T(test_untagged_tickets_may_run_alone),
	    T(test_what_the_limit_leaves_is_told_from_what_is_blocked),
	    T(test_an_empty_backlog_is_a_plan),
	    T(test_a_query_is_not_asked),
	    T(test_more_than_a_loop_remembers),
	    T(test_hostile_ids_are_neither_paths_nor_refs),
	    T(test_the_object_has_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
