/*
 * The tickets of a directory: which are ready, what blocks the others, and what changed.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/tickets/backlog.h"

static struct backlog *b;
static struct err err;

static void
put(const char *file, const char *text)
{
	assert_int_equal(fs_replace(scratch.fd, file, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
ticket(const char *id, const char *status, int priority, const char *deps)
{
	AUTO_FREE char *file = xasprintf("%s.md", id);
	AUTO_FREE char *text = xasprintf(
	    "---\nid: %s\nstatus: %s\ndeps: [%s]\nlinks: []\npriority: %d\n---\n# T %s\n", id,
	    status, deps, priority, id);

	put(file, text);
}

static void
refresh(void)
{
	if (backlog_refresh(b, &err) < 0)
		fail_msg("%s", err.text);
}

static int
setup(void **state)
{
	unsetenv("TICKETS_DIR");
	err = (struct err)ERR_INIT;
	if (scratch_setup(state) < 0)
		return -1;
	b = backlog_open(scratch.path, &err);
	return b != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	backlog_close(b);
	return scratch_teardown(state);
}

static void
assert_ids(size_t n, const struct ticket *const *list, const char *expected)
{
	AUTO_BUF joined = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&joined, "%s%s", i > 0 ? " " : "", list[i]->id);
	assert_string_equal(joined.data, expected);
}

#define assert_list(which, expected)                    \
	do {                                            \
		const struct ticket *const *list_;      \
		size_t n_ = backlog_##which(b, &list_); \
		assert_ids(n_, list_, expected);        \
	} while (0)

#define assert_notes(expected)                              \
	do {                                                \
		AUTO_BUF notes_ = BUF_INIT;                 \
		backlog_notes(b, &notes_);                  \
		assert_string_equal(notes_.data, expected); \
	} while (0)

#define assert_why(expected)                              \
	do {                                              \
		AUTO_BUF why_ = BUF_INIT;                 \
		backlog_explain(b, &why_);                \
		assert_string_equal(why_.data, expected); \
	} while (0)

static void
test_empty(void **state UNUSED)
{
	refresh();
	assert_list(all, "");
	assert_list(ready, "");
	assert_why("");
}

static void
test_ready_and_blocked(void **state UNUSED)
{
	ticket("c", "open", 1, "");
	ticket("b", "in_progress", 1, "a");
	ticket("a", "closed", 0, "");
	ticket("d", "open", 0, "b, a");
	ticket("e", "open", 0, "nowhere");
	ticket("f", "done", 0, "");
	ticket("g", "open", 3, "f");
	refresh();
	assert_list(all, "a b c d e f g");
	assert_list(ready, "b c");
	assert_list(blocked, "d e g");
	assert_notes("");
}

static void
test_order(void **state UNUSED)
{
	ticket("x-b", "open", 10, "");
	ticket("x-a", "open", 2, "");
	ticket("10", "open", 2, "");
	ticket("9", "open", 2, "");
	ticket("x-c", "open", 0, "");
	refresh();
	assert_list(ready, "x-c 9 10 x-a x-b");
}

static void
test_what_changes_is_read_again(void **state UNUSED)
{
	ticket("a", "open", 2, "");
	ticket("b", "open", 2, "a");
	refresh();
	assert_list(ready, "a");
	ticket("a", "closed", 2, "");
	ticket("c", "open", 2, "b");
	refresh();
	assert_list(ready, "b");
	assert_list(blocked, "c");
	assert_int_equal(unlinkat(scratch.fd, "a.md", 0), 0);
	refresh();
	assert_list(ready, "");
	assert_list(all, "b c");
}

/* Same length, same inode, perhaps the same tick of the file system's clock. */
static void
test_rewritten_in_place_at_once(void **state UNUSED)
{
	int fd;

	put("a.md", "---\nid: a\nstatus: open\ndeps: [x]\n---\n");
	put("x.md", "---\nid: x\nstatus: closed\n---\n");
	refresh();
	assert_list(ready, "a");
	fd = openat(scratch.fd, "a.md", O_WRONLY | O_CLOEXEC);
	assert_int_equal(
	    pwrite(fd, "y", 1, (off_t)strlen("---\nid: a\nstatus: open\ndeps: [")), 1);
	close(fd);
	refresh();
	assert_list(ready, "");
	assert_list(blocked, "a");
}

static void
test_another_directory_in_its_place(void **state UNUSED)
{
	AUTO_FREE char *old = xasprintf("%s.old", scratch.path);

	ticket("a", "open", 2, "");
	refresh();
	assert_int_equal(rename(scratch.path, old), 0);
	assert_int_equal(backlog_refresh(b, &err), -1);
	assert_list(ready, "a");
	assert_int_equal(mkdir(scratch.path, 0700), 0);
	close(scratch.fd);
	scratch.fd = open(scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ticket("b", "open", 2, "");
	refresh();
	assert_list(ready, "b");
	assert_int_equal(fs_remove_tree(AT_FDCWD, old, &err), 0);
}

static void
test_notes_once_for_every_change(void **state UNUSED)
{
	put("bad.md", "no ticket\n");
	put("crlf.md", "---\r\nid: crlf\r\nstatus: open\r\n---\r\n# T\r\n");
	put(".hidden.md", "no ticket\n");
	put("README", "no ticket\n");
	assert_int_equal(mkdirat(scratch.fd, "dir.md", 0700), 0);
	assert_int_equal(symlinkat("nowhere", scratch.fd, "link.md"), 0);
	refresh();
	AUTO_BUF notes = BUF_INIT;
	backlog_notes(b, &notes);
	assert_non_null(strstr(notes.data,
	    "bad.md: is no ticket: it does not begin with front matter (a line '---')\n"));
	assert_non_null(
	    strstr(notes.data, "crlf.md: tk does not see it: its lines end in CRLF\n"));
	assert_non_null(strstr(notes.data, "dir.md: is not a regular file\n"));
	assert_non_null(
	    strstr(notes.data, "link.md: cannot open it: No such file or directory\n"));
	assert_null(strstr(notes.data, "hidden"));
	assert_null(strstr(notes.data, "README"));
	refresh();
	assert_notes("");
	assert_list(ready, "crlf");
	put("bad.md", "no ticket either\n");
	refresh();
	assert_notes(
	    "bad.md: is no ticket: it does not begin with front matter (a line '---')\n");
}

static void
test_two_files_with_one_id(void **state UNUSED)
{
	put("1.md", "---\nid: x\nstatus: open\n---\n# One\n");
	put("2.md", "---\nid: x\nstatus: closed\n---\n# Two\n");
	refresh();
	assert_list(ready, "");
	assert_string_equal(backlog_find(b, "x")->name, "2");
	assert_notes("1.md: does not count: its id is also that of '2.md'\n");
	refresh();
	ticket("y", "open", 2, "x");
	refresh();
	assert_notes("");
	assert_list(ready, "y");
}

static void
test_match(void **state UNUSED)
{
	ticket("abc", "open", 2, "");
	ticket("abc-1234", "open", 2, "");
	ticket("abc-5678", "open", 2, "");
	put("broken-1", "");
	put("broken.md", "no ticket");
	refresh();
	assert_string_equal(backlog_match(b, "abc", &err)->id, "abc");
	assert_string_equal(backlog_match(b, "c-12", &err)->id, "abc-1234");
	assert_null(backlog_match(b, "abc-", &err));
	assert_int_equal(err.code, EEXIST);
	assert_string_equal(err.text, "ambiguous ID 'abc-' matches multiple tickets");
	assert_null(backlog_match(b, "nope", &err));
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(err.text, "ticket 'nope' not found");
	for (size_t i = 0; i < 5; i++) {
		assert_null(
		    backlog_match(b, (const char *[]){"", "*", "../abc", ".md", "."}[i], &err));
		assert_int_equal(err.code, ENOENT);
	}
	assert_null(backlog_match(b, "roke", &err));
	assert_int_equal(err.code, EBADMSG);
}

static void
test_settled_counts_as_closed(void **state UNUSED)
{
	ticket("a", "in_progress", 2, "");
	ticket("b", "open", 2, "a, later");
	refresh();
	backlog_settle(b, "a");
	assert_list(ready, "");
	assert_list(blocked, "b");
	backlog_settle(b, "later");
	assert_list(ready, "b");
	ticket("later", "open", 2, "");
	ticket("a", "open", 2, "");
	refresh();
	assert_list(ready, "b");
}

static void
test_why_nothing_is_ready(void **state UNUSED)
{
	ticket("a", "open", 2, "b");
	ticket("b", "open", 2, "c");
	ticket("c", "open", 2, "b");
	ticket("d", "open", 2, "gone, e");
	ticket("e", "done", 2, "");
	ticket("f", "open", 2, "broken, d");
	ticket("s", "open", 2, "s");
	put("broken.md", "");
	refresh();
	assert_list(ready, "");
	assert_why(
	    "b -> c -> b is a cycle; s -> s is a cycle; "
	    "d waits for gone, which does not exist; d waits for e, whose status is 'done'; "
	    "f waits for broken, which cannot be read as a ticket; a waits for b");
}

static void
count_cycle(void *ctx, const struct ticket *const *members, size_t n)
{
	struct buf *out = ctx;

	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s ", members[i]->id);
	buf_adds(out, "/ ");
}

static void
test_cycles(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	ticket("z", "open", 2, "b, b");
	ticket("b", "open", 2, "a, c");
	ticket("a", "open", 2, "z");
	ticket("c", "closed", 2, "b");
	refresh();
	backlog_cycles(b, count_cycle, &out);
	assert_string_equal(out.data, "a z b / ");
	ticket("a", "closed", 2, "z");
	refresh();
	buf_clear(&out);
	backlog_cycles(b, count_cycle, &out);
	assert_string_equal(out.data, "");
}

static void
test_long_reasons_are_cut(void **state UNUSED)
{
	AUTO_BUF why = BUF_INIT;

	for (int i = 0; i < 30; i++) {
		AUTO_FREE char *id = xasprintf("t%02d", i);
		AUTO_FREE char *dep = xasprintf("t%02d, x%d", (i + 1) % 30, i);

		ticket(id, "open", 2, dep);
	}
	refresh();
	backlog_explain(b, &why);
	assert_non_null(
	    strstr(why.data, "t00 -> t01 -> t02 -> t03 -> t04 -> t05 -> t06 -> t07 -> "
			     "... -> t00 is a cycle; t00 waits for x0,"));
	assert_non_null(strstr(why.data, "; and 21 more"));
}

static void
test_long_chain(void **state UNUSED)
{
	enum { N = 3000 };

	for (int i = 0; i < N; i++) {
		AUTO_FREE char *id = xasprintf("t%05d", i);
		AUTO_FREE char *dep = xasprintf("t%05d", i + 1);

		ticket(id, "open", 2, i + 1 < N ? dep : "");
	}
	refresh();
	assert_list(ready, "t02999");
	assert_why("t00000 waits for t00001; t00001 waits for t00002; t00002 waits for t00003; "
		   "t00003 waits for t00004; t00004 waits for t00005; t00005 waits for t00006; "
		   "t00006 waits for t00007; t00007 waits for t00008; t00008 waits for t00009; "
		   "t00009 waits for t00010; and 2989 more");
}

static void
test_find_dir(void **state UNUSED)
{
	AUTO_FREE char *deep = xasprintf("%s/a/b", scratch.path);
	AUTO_FREE char *expected = xasprintf("%s/.tickets", scratch.path);
	char *found;

	assert_int_equal(fs_mkdirs(deep, &err), 0);
	assert_int_equal(mkdirat(scratch.fd, ".tickets", 0700), 0);
	found = backlog_find_dir(deep, &err);
	assert_string_equal(found, expected);
	free(found);
	setenv("TICKETS_DIR", "other", 1);
	assert_null(backlog_find_dir(deep, &err));
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(err.text, "tickets directory 'other' does not exist");
	setenv("TICKETS_DIR", deep, 1);
	found = backlog_find_dir("/", &err);
	assert_string_equal(found, deep);
	free(found);
	unsetenv("TICKETS_DIR");
	assert_null(backlog_find_dir("/proc", &err));
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(
	    err.text, "no .tickets directory found (searched parent directories)");
}

/* For callers that need one ticket. */
static void
test_one_file_alone_is_read(void **state)
{
	const struct ticket *const *list;
	size_t n;

	(void)state;
	ticket("a-1", "open", 1, "");
	ticket("a-12", "open", 1, "");
	put("bad.md", "no ticket");
	assert_int_equal(backlog_refresh_only(b, "a-2", &err), 0);
	assert_int_equal(backlog_refresh_only(b, "", &err), 0);
	assert_int_equal(backlog_refresh_only(b, "../a-1", &err), 0);
	assert_int_equal(backlog_all(b, &list), 0);
	assert_int_equal(backlog_refresh_only(b, "a-1", &err), 1);
	n = backlog_all(b, &list);
	assert_ids(n, list, "a-1");
	assert_string_equal(backlog_match(b, "a-1", &err)->id, "a-1");
	refresh();
	n = backlog_all(b, &list);
	assert_ids(n, list, "a-1 a-12");
	backlog_close(b);
	b = backlog_open(scratch.path, &err);
	assert_int_equal(backlog_refresh_only(b, "bad", &err), 1);
	assert_null(backlog_match(b, "bad", &err));
	assert_int_equal(err.code, EBADMSG);
}

#define backlog_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    backlog_test(test_empty),
	    backlog_test(test_ready_and_blocked),
	    backlog_test(test_order),
	    backlog_test(test_what_changes_is_read_again),
	    backlog_test(test_rewritten_in_place_at_once),
	    backlog_test(test_another_directory_in_its_place),
	    backlog_test(test_notes_once_for_every_change),
	    backlog_test(test_two_files_with_one_id),
	    backlog_test(test_match),
	    backlog_test(test_one_file_alone_is_read),
	    backlog_test(test_settled_counts_as_closed),
	    backlog_test(test_why_nothing_is_ready),
	    backlog_test(test_cycles),
	    backlog_test(test_long_reasons_are_cut),
	    backlog_test(test_long_chain),
	    backlog_test(test_find_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
