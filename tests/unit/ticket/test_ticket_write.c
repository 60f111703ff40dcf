/*
 * Changing tickets: one field changes, every other byte stays, and writers do not undo each
 * other.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "ticket/ticket.h"
#include <sys/file.h>
#include <sys/wait.h>

static struct err err;

static void
put(const char *name, const char *text)
{
	AUTO_FREE char *file = xasprintf("%s.md", name);

	assert_int_equal(fs_replace(scratch.fd, file, text, strlen(text), FS_NOSYNC, &err), 0);
}

#define assert_text(name, expected)                                               \
	do {                                                                      \
		AUTO_BUF text_ = BUF_INIT;                                        \
		assert_int_equal(ticket_text(scratch.fd, name, &text_, &err), 0); \
		assert_string_equal(text_.data, expected);                        \
	} while (0)

static void
test_status_only(void **state UNUSED)
{
	put("a", "---\nid: a\nstatus: open\nodd:   kept \n---\n# T\nstatus: open\n---\nstatus: "
		 "open");
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), 0);
	assert_text("a", "---\nid: a\nstatus: closed\nodd:   kept \n---\n# T\nstatus: "
			 "open\n---\nstatus: open");
	put("b", "---\r\nid: b\r\nstatus: \"open\" # x\r\n---\r\nbody\r\n");
	assert_int_equal(ticket_set_status(scratch.fd, "b", TICKET_IN_PROGRESS, &err), 0);
	assert_text("b", "---\r\nid: b\r\nstatus: in_progress\r\n---\r\nbody\r\n");
	put("c", "---\nid: c\n---\n# T\nstatus: open\n");
	assert_int_equal(ticket_set_status(scratch.fd, "c", TICKET_OPEN, &err), 0);
	assert_text("c", "---\nstatus: open\nid: c\n---\n# T\nstatus: open\n");
}

static void
test_same_status_is_not_written(void **state UNUSED)
{
	struct stat before, after;

	put("a", "---\nid: a\nstatus: closed\n---\n");
	assert_int_equal(fstatat(scratch.fd, "a.md", &before, 0), 0);
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), 0);
	assert_int_equal(fstatat(scratch.fd, "a.md", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void
test_mode_is_kept(void **state UNUSED)
{
	struct stat st;

	put("a", "---\nid: a\nstatus: open\n---\n");
	assert_int_equal(fchmodat(scratch.fd, "a.md", 0664, 0), 0);
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), 0);
	assert_int_equal(fstatat(scratch.fd, "a.md", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0664);
}

static void
test_no_file_no_ticket(void **state UNUSED)
{
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), -1);
	assert_int_equal(err.code, ENOENT);
	put("a", "no front matter\n");
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), -1);
	assert_string_equal(
	    err.text, "a.md: it does not begin with front matter (a line '---')");
	assert_text("a", "no front matter\n");
}

static void
test_names_are_no_paths(void **state UNUSED)
{
	char endless[301];
	struct ticket t;

	memset(endless, 'a', 300);
	endless[300] = '\0';
	for (size_t i = 0; i < 4; i++) {
		const char *name = (const char *[]){"../x", "", "/etc/passwd", endless}[i];

		assert_int_equal(ticket_set_status(scratch.fd, name, TICKET_CLOSED, &err), -1);
		assert_int_equal(ticket_load(scratch.fd, name, &t, &err), -1);
		assert_int_equal(err.code, ENOENT);
	}
	put("-rf", "---\nid: $(x)\nstatus: open\n---\n");
	assert_int_equal(ticket_set_status(scratch.fd, "-rf", TICKET_CLOSED, &err), 0);
	assert_text("-rf", "---\nid: $(x)\nstatus: closed\n---\n");
}

static void
test_lists(void **state UNUSED)
{
	put("a", "---\nid: a\ndeps: []\nlinks: [x-1]\n---\ndeps: []\n");
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_DEPS, "b", &err), 1);
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_DEPS, "b", &err), 0);
	/* tk finds "x" in "x-1" and says it is there already */
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_LINKS, "x", &err), 1);
	assert_text("a", "---\nid: a\ndeps: [b]\nlinks: [x-1, x]\n---\ndeps: []\n");
	assert_int_equal(ticket_list_remove(scratch.fd, "a", TICKET_LINKS, "x", &err), 1);
	assert_int_equal(ticket_list_remove(scratch.fd, "a", TICKET_LINKS, "x", &err), 0);
	assert_int_equal(ticket_list_remove(scratch.fd, "a", TICKET_DEPS, "b", &err), 1);
	assert_text("a", "---\nid: a\ndeps: []\nlinks: [x-1]\n---\ndeps: []\n");
}

static void
test_block_list_becomes_a_line(void **state UNUSED)
{
	put("a", "---\ndeps:\n  - x\n  - \"y z\"\nid: a\n---\n");
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_DEPS, "b", &err), 1);
	assert_text("a", "---\ndeps: [x, \"y z\", b]\nid: a\n---\n");
	put("b", "---\nid: b\n---\n");
	assert_int_equal(ticket_list_add(scratch.fd, "b", TICKET_DEPS, "a", &err), 1);
	assert_text("b", "---\ndeps: [a]\nid: b\n---\n");
}

static void
test_lists_take_no_lines(void **state UNUSED)
{
	put("a", "---\nid: a\ndeps: []\n---\n");
	assert_int_equal(
	    ticket_list_add(scratch.fd, "a", TICKET_DEPS, "x\nstatus: closed", &err), -1);
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_DEPS, "x], \"y", &err), 1);
	assert_text("a", "---\nid: a\ndeps: [\"x], \\\"y\"]\n---\n");
	assert_int_equal(ticket_list_add(scratch.fd, "a", TICKET_DEPS, "x], \"y", &err), 0);
}

static void
test_notes(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	const char *head = "---\nid: a\n---\n# T\n\nbody\n\n## Notes\n\n**20";

	put("a", "---\nid: a\n---\n# T\n\nbody");
	assert_int_equal(ticket_add_note(scratch.fd, "a", "one", 3, &err), 0);
	assert_int_equal(ticket_add_note(scratch.fd, "a", "two", 3, &err), 0);
	assert_int_equal(ticket_text(scratch.fd, "a", &text, &err), 0);
	assert_memory_equal(text.data, head, strlen(head));
	assert_non_null(strstr(text.data, "Z**\n\none\n\n**20"));
	assert_string_equal(text.data + text.len - strlen("Z**\n\ntwo\n"), "Z**\n\ntwo\n");
}

static void
test_create(void **state UNUSED)
{
	AUTO_BUF id = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	struct ticket_draft draft = {.prefix = "mp",
	    .title = "A title",
	    .priority = 1,
	    .assignee = "A B",
	    .external_ref = "gh-1",
	    .parent = "mp-p",
	    .tags = "ui, back,",
	    .description = "D",
	    .design = "E",
	    .acceptance = "F"};
	struct ticket t;
	struct stat st;
	char *created;

	assert_int_equal(ticket_create(scratch.fd, &draft, &id, &err), 0);
	assert_int_equal(id.len, 7);
	assert_memory_equal(id.data, "mp-", 3);
	assert_int_equal(ticket_load(scratch.fd, id.data, &t, &err), 0);
	assert_string_equal(t.id, id.data);
	assert_null(t.differs);
	assert_true(t.mtime > 0);
	assert_int_equal(ticket_text(scratch.fd, id.data, &text, &err), 0);
	created =
	    xasprintf("---\nid: %s\nstatus: open\ndeps: []\nlinks: []\ncreated: %s\n"
		      "type: task\npriority: 1\nassignee: A B\nexternal-ref: gh-1\n"
		      "parent: mp-p\ntags: [ui, back]\n---\n# A title\n\nD\n\n## Design\n\n"
		      "E\n\n## Acceptance Criteria\n\nF\n\n",
		id.data, t.created);
	assert_string_equal(text.data, created);
	id.len = (size_t)snprintf(id.data, id.cap, "%s", t.name); /* still a C string */
	buf_adds(&id, ".md");
	assert_int_equal(fstatat(scratch.fd, id.data, &st, 0), 0);
	assert_int_equal(st.st_mode & 0600, 0600);
	free(created);
	ticket_release(&t);
}

static void
test_create_takes_no_lines(void **state UNUSED)
{
	AUTO_BUF id = BUF_INIT;
	struct ticket_draft draft = {.prefix = "t", .title = "a\n---\nstatus: closed"};
	char **files;

	assert_int_equal(ticket_create(scratch.fd, &draft, &id, &err), -1);
	assert_string_equal(err.text, "the title must be one line");
	draft = (struct ticket_draft){.prefix = "t", .assignee = "a\nstatus: closed"};
	assert_int_equal(ticket_create(scratch.fd, &draft, &id, &err), -1);
	assert_int_equal(fs_list(scratch.fd, ".", &files, &err), 0);
	assert_int_equal(strlist_len(files), 0);
	strlist_free(files);
}

static void
test_many_writers(void **state UNUSED)
{
	enum { WRITERS = 8, EACH = 10 };
	struct ticket t;
	int status;

	put("a", "---\nid: a\nstatus: open\ndeps: []\nlinks: []\n---\n");
	for (int w = 0; w < WRITERS; w++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid > 0)
			continue;
		for (int i = 0; i < EACH; i++) {
			AUTO_FREE char *item = xasprintf("d-%d-%d", w, i);

			if (ticket_list_add(scratch.fd, "a", i % 2 ? TICKET_DEPS : TICKET_LINKS,
				item, &err) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (int w = 0; w < WRITERS; w++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(ticket_load(scratch.fd, "a", &t, &err), 0);
	assert_int_equal(strlist_len(t.deps) + strlist_len(t.links), WRITERS * EACH);
	ticket_release(&t);
}

static void
test_what_a_killed_writer_left_is_swept(void **state UNUSED)
{
	struct stat st;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	AUTO_FREE char *left = xasprintf(".a.md.tmp.%d.0", (int)pid);

	put("a", "---\nid: a\nstatus: open\n---\n");
	assert_int_equal(fs_replace(scratch.fd, left, "x", 1, FS_NOSYNC, &err), 0);
	assert_int_equal(ticket_set_status(scratch.fd, "a", TICKET_CLOSED, &err), 0);
	assert_int_equal(fstatat(scratch.fd, left, &st, 0), -1);
}

/* What lands of `after`; NULL for the text as it is. */
static void
assert_keeps(const char *before, const char *after, const char *expected)
{
	AUTO_BUF was = BUF_INIT;
	AUTO_BUF is = BUF_INIT;
	AUTO_BUF out = BUF_INIT;

	buf_adds(&was, before);
	buf_adds(&is, after == NULL ? "" : after);
	assert_int_equal(
	    ticket_keep_status(&was, after == NULL ? NULL : &is, &out), expected != NULL);
	if (expected != NULL)
		assert_string_equal(out.data, expected);
}

static void
only_the_status_is_kept(void **state UNUSED)
{
	static const char was[] = "---\nid: a\nstatus: open\n---\n# A\n";

	assert_keeps(was, was, NULL);
	assert_keeps(was, "---\nid: a\nstatus: open\ntags: [x]\n---\n# A\nmore\n", NULL);
	assert_keeps(was, "---\nid: a\nstatus:  \"open\"  # still\n---\n# A\n", NULL);
	assert_keeps(was, "---\nid: a\nstatus: closed\n---\n# A\nmore\n",
	    "---\nid: a\nstatus: open\n---\n# A\nmore\n");
	/* The last status counts. */
	assert_keeps(was, "---\nid: a\nstatus: open\nstatus: closed\n---\n# A\n",
	    "---\nid: a\nstatus: open\nstatus: open\n---\n# A\n");
	assert_keeps(was, "---\nid: a\n---\n# A\n", "---\nstatus: open\nid: a\n---\n# A\n");
	assert_keeps(
	    "---\nid: a\n---\n", "---\nid: a\nstatus: closed\n---\n", "---\nid: a\n---\n");
	/* The ticket is gone, under another name, or no ticket any more. */
	assert_keeps(was, NULL, was);
	assert_keeps(was, "---\nid: b\nstatus: open\n---\n", was);
	assert_keeps(was, "", was);
	/* A file that was no ticket is nothing of ours. */
	assert_keeps("notes\n", NULL, NULL);
	assert_keeps("notes\n", "---\nid: a\nstatus: closed\n---\n", NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(only_the_status_is_kept),
	    scratch_test(test_status_only),
	    scratch_test(test_same_status_is_not_written),
	    scratch_test(test_mode_is_kept),
	    scratch_test(test_no_file_no_ticket),
	    scratch_test(test_names_are_no_paths),
	    scratch_test(test_lists),
	    scratch_test(test_block_list_becomes_a_line),
	    scratch_test(test_lists_take_no_lines),
	    scratch_test(test_notes),
	    scratch_test(test_create),
	    scratch_test(test_create_takes_no_lines),
	    scratch_test(test_many_writers),
	    scratch_test(test_what_a_killed_writer_left_is_swept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
