/* The views of a loop: what they are told of the past, what is left open after a failure. */
#include "record/view.h"

#include "journal_test.h"

static struct scratch tmp;
static int opened, closed, told;
static bool refuses;

static struct view *counted_open(const struct view_of *of, struct err *err);

static void
counted_fact(struct view *v, const struct decided *d, const struct fact *f UNUSED)
{
	assert_true(d->past == v->ops->past);
	told++;
}

static void
counted_close(struct view *v)
{
	closed++;
	free(v);
}

static const struct view_ops whole = {.name = "whole",
    .past = true,
    .open = counted_open,
    .fact = counted_fact,
    .close = counted_close};
static const struct view_ops present = {
    .name = "present", .open = counted_open, .fact = counted_fact, .close = counted_close};

static struct view *
counted_open(const struct view_of *of, struct err *err)
{
	if (refuses && opened == 1) {
		(void)err_code(err, EACCES, "no");
		return NULL;
	}
	/* Opened in this order below. */
	return view_new(sizeof(struct view), opened++ == 0 ? &whole : &present, of);
}

static int
open_both(struct views *v, struct err *err)
{
	const struct view_of of = {.loop = "demo", .settings = &settings};

	return views_open(
	    v, (const struct view_ops *const[]){&whole, &present, NULL}, &of, tmp.dir, err);
}

static int
setup(void **state UNUSED)
{
	scratch_open(&tmp);
	opened = closed = told = 0;
	refuses = false;
	return 0;
}

static int
teardown(void **state UNUSED)
{
	scratch_close(&tmp);
	return 0;
}

static void
test_only_those_that_want_it_hear_of_the_past(void **state UNUSED)
{
	struct views v = {.n = 0};
	struct err err = ERR_INIT;

	write_lines(&tmp, 5);
	assert_int_equal(open_both(&v, &err), 0);
	assert_int_equal(v.n, 2);
	/* Five decisions have two facts, one, two, one and two. */
	assert_int_equal(told, 8);
	assert_ptr_equal(views_find(&v, &present), v.list[1]);
	views_close(&v);
	assert_int_equal(closed, 2);
}

static void
test_a_damaged_journal_leaves_none_open(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct views v = {.n = 0};
	struct err err = ERR_INIT;
	char *line;

	write_lines(&tmp, 5);
	scratch_read(&tmp, JOURNAL, &text);
	line = strchr(text.data, '\n') + 1;
	line[strcspn(line, "\n") / 2] ^= 1;
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_int_equal(open_both(&v, &err), -1);
	assert_int_equal(err.code, EBADMSG);
	assert_int_equal(v.n, 0);
	assert_int_equal(closed, 2);
}

static void
test_a_view_that_refuses_closes_those_before(void **state UNUSED)
{
	struct views v = {.n = 0};
	struct err err = ERR_INIT;

	write_lines(&tmp, 1);
	refuses = true;
	assert_int_equal(open_both(&v, &err), -1);
	assert_int_equal(err.code, EACCES);
	assert_int_equal(v.n, 0);
	assert_int_equal(closed, 1);
	assert_int_equal(told, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		test_only_those_that_want_it_hear_of_the_past, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		test_a_damaged_journal_leaves_none_open, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		test_a_view_that_refuses_closes_those_before, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
