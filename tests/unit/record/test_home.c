/* Where state lives, and that nothing else can be reached from there. */
#include "base/alloc.h"
#include "base/clock.h"
#include "record/home.h"
#include "scratch.h"

static void
env_clear(void)
{
	unsetenv("RALPH_HOME");
	unsetenv("SWARM_DIR");
	unsetenv("HOME");
}

static void
env_path(const char *name, const struct scratch *tmp, const char *sub)
{
	AUTO_FREE char *path = xasprintf("%s%s", tmp->path, sub);

	assert_int_equal(setenv(name, path, 1), 0);
}

static void
assert_home_is(const struct scratch *tmp, const char *sub)
{
	AUTO_FREE char *path = xasprintf("%s%s", tmp->path, sub);
	struct err err = ERR_INIT;
	struct stat st;
	int fd = home_open(&err);

	if (fd < 0)
		fail_msg("%s", err.text);
	close(fd);
	assert_string_equal(home_path(), path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
}

static void
the_environment_says_where(void **unused UNUSED)
{
	struct scratch tmp;

	scratch_open(&tmp);
	env_clear();
	env_path("HOME", &tmp, "");
	assert_home_is(&tmp, "/.swarm");
	env_path("SWARM_DIR", &tmp, "/a/b");
	assert_home_is(&tmp, "/a/b");
	env_path("RALPH_HOME", &tmp, "/c");
	assert_home_is(&tmp, "/c");
	assert_int_equal(setenv("RALPH_HOME", "", 1), 0);
	assert_home_is(&tmp, "/a/b");
	scratch_close(&tmp);
}

static void
assert_no_home(int code, const char *path)
{
	struct err err = ERR_INIT;

	assert_int_equal(home_open(&err), -1);
	assert_int_equal(err.code, code);
	if (strstr(err.text, path) == NULL)
		fail_msg("%s does not name %s", err.text, path);
}

static void
what_is_wrong_with_it_is_said(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	env_clear();
	assert_no_home(0, "HOME");
	env_path("HOME", &tmp, "/nobody");
	assert_no_home(ENOENT, "/nobody/.swarm");
	assert_int_equal(home_open_existing(&err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_false(scratch_has(&tmp, "nobody"));
	scratch_write(&tmp, "file", "", 0);
	env_path("RALPH_HOME", &tmp, "/file");
	assert_no_home(ENOTDIR, "/file");
	env_path("RALPH_HOME", &tmp, "/file/deeper");
	assert_no_home(ENOTDIR, "/file/deeper");
	scratch_close(&tmp);
}

static void
home_that_cannot_be_written_to(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct scratch tmp;
	int fd;

	scratch_open(&tmp);
	env_clear();
	env_path("RALPH_HOME", &tmp, "/ro");
	/* Root may write anywhere: be somebody else for a while. */
	assert_int_equal(fchown(tmp.dir, getuid() == 0 ? 65534 : getuid(), getgid()), 0);
	assert_int_equal(seteuid(getuid() == 0 ? 65534 : getuid()), 0);
	assert_int_equal(mkdirat(tmp.dir, "ro", 0500), 0);
	assert_no_home(EACCES, "/ro");
	fd = home_open_existing(&err);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(seteuid(getuid()), 0);
	scratch_close(&tmp);
}

static void
loops_are_made_found_and_listed(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct scratch tmp;
	char **names;
	int fd;

	scratch_open(&tmp);
	assert_int_equal(home_loops(tmp.dir, &names, &err), 0);
	assert_null(names[0]);
	strlist_free(names);
	assert_int_equal(home_loop_open(tmp.dir, "b", &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(err.text, "no loop named 'b'");
	for (int i = 0; i < 2; i++) {
		fd = home_loop_create(tmp.dir, "b", &err);
		assert_true(fd >= 0);
		close(fd);
	}
	fd = home_loop_create(tmp.dir, "a.1", &err);
	assert_true(fd >= 0);
	close(fd);
	fd = home_loop_open(tmp.dir, "b", &err);
	assert_true(fd >= 0);
	close(fd);
	scratch_write(&tmp, "loops/stray", "", 0);
	assert_int_equal(mkdirat(tmp.dir, "loops/not a name", 0700), 0);
	assert_int_equal(home_loops(tmp.dir, &names, &err), 0);
	assert_string_equal(names[0], "a.1");
	assert_string_equal(names[1], "b");
	assert_null(names[2]);
	strlist_free(names);
	scratch_close(&tmp);
}

static void
names_cannot_lead_elsewhere(void **unused UNUSED)
{
	static const char *const names[] = {
	    "", ".", "..", "../x", "a/b", "/etc", "a..b", "-x", ".hidden", "x\n", "\033[2J"};
	struct scratch tmp;

	scratch_open(&tmp);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(home_loop_create(tmp.dir, names[i], &err), -1);
		assert_null(strpbrk(err.text, "\n\033"));
		assert_int_equal(home_loop_open(tmp.dir, names[i], &err), -1);
		assert_int_equal(err.code, ENOENT);
		assert_int_equal(home_archive(tmp.dir, names[i], &err), -1);
	}
	assert_int_equal(scratch_count(&tmp, ".", ""), 0);
	scratch_close(&tmp);
}

static void
archive_keeps_every_older_loop(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	for (size_t i = 1; i <= 3; i++) {
		int fd = home_loop_create(tmp.dir, "agent", &err);

		assert_true(fd >= 0);
		close(fd);
		scratch_write(&tmp, "loops/agent/journal.jsonl", "x", 1);
		assert_int_equal(fs_mkdir(tmp.dir, "ralph", &err), 0);
		assert_int_equal(fs_mkdir(tmp.dir, "ralph/agent", &err), 0);
		scratch_write(&tmp, "ralph/agent/state.json", "x", 1);
		if (home_archive(tmp.dir, "agent", &err) < 0)
			fail_msg("%s", err.text);
		assert_false(scratch_has(&tmp, "loops/agent"));
		assert_false(scratch_has(&tmp, "ralph/agent"));
		assert_int_equal(scratch_count(&tmp, "archive", "agent."), i);
	}
	assert_int_equal(home_archive(tmp.dir, "agent", &err), -1);
	assert_int_equal(err.code, ENOENT);
	scratch_close(&tmp);
}

static void
archive_keeps_journal_and_view_together(void **unused UNUSED)
{
	AUTO_FREE char *journal = NULL;
	AUTO_FREE char *view = NULL;
	struct err err = ERR_INIT;
	struct scratch tmp;
	char **names;
	int fd;

	scratch_open(&tmp);
	fd = home_loop_create(tmp.dir, "agent", &err);
	assert_true(fd >= 0);
	close(fd);
	scratch_write(&tmp, "loops/agent/journal.jsonl", "x", 1);
	assert_int_equal(fs_mkdir(tmp.dir, "ralph", &err), 0);
	assert_int_equal(fs_mkdir(tmp.dir, "ralph/agent", &err), 0);
	scratch_write(&tmp, "ralph/agent/state.json", "x", 1);
	assert_int_equal(home_archive(tmp.dir, "agent", &err), 0);
	assert_int_equal(fs_list(tmp.dir, "archive", &names, &err), 0);
	journal = xasprintf("archive/%s/journal.jsonl", names[0]);
	view = xasprintf("archive/%s/ralph/state.json", names[0]);
	assert_true(scratch_has(&tmp, journal));
	assert_true(scratch_has(&tmp, view));
	strlist_free(names);
	scratch_close(&tmp);
}

static void
make_loop(struct scratch *tmp, const char *name, const char *word)
{
	AUTO_FREE char *journal = xasprintf("loops/%s/journal.jsonl", name);
	AUTO_FREE char *views = xasprintf("ralph/%s", name);
	AUTO_FREE char *state = xasprintf("ralph/%s/state.json", name);
	struct err err = ERR_INIT;
	int fd = home_loop_create(tmp->dir, name, &err);

	assert_true(fd >= 0);
	close(fd);
	scratch_write(tmp, journal, word, strlen(word));
	assert_int_equal(fs_mkdir(tmp->dir, "ralph", &err), 0);
	assert_int_equal(fs_mkdir(tmp->dir, views, &err), 0);
	scratch_write(tmp, state, word, strlen(word));
}

static void
removed_loops_are_gone_for_good(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	make_loop(&tmp, "agent", "old");
	assert_int_equal(home_archive(tmp.dir, "agent", &err), 0);
	make_loop(&tmp, "agent", "new");
	make_loop(&tmp, "agent2", "other");
	assert_int_equal(home_remove(tmp.dir, "agent", &err), 0);
	assert_false(scratch_has(&tmp, "loops/agent"));
	assert_false(scratch_has(&tmp, "ralph/agent"));
	assert_true(scratch_has(&tmp, "loops/agent2/journal.jsonl"));
	assert_int_equal(scratch_count(&tmp, "archive", "agent."), 1);
	assert_int_equal(home_remove(tmp.dir, "agent", &err), -1);
	assert_int_equal(err.code, ENOENT);
	scratch_close(&tmp);
}

static void
the_last_archived_loop_comes_back(void **unused UNUSED)
{
	AUTO_BUF journal = BUF_INIT;
	AUTO_BUF state = BUF_INIT;
	struct err err = ERR_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	make_loop(&tmp, "agent", "first");
	assert_int_equal(home_archive(tmp.dir, "agent", &err), 0);
	make_loop(&tmp, "agent", "second");
	assert_int_equal(home_archive(tmp.dir, "agent", &err), 0);
	/* Another name that begins alike, and sorts behind. */
	make_loop(&tmp, "agent.x", "other");
	assert_int_equal(home_archive(tmp.dir, "agent.x", &err), 0);
	if (home_restore(tmp.dir, "agent", &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fs_read(tmp.dir, "loops/agent/journal.jsonl", 100, &journal, &err), 0);
	assert_int_equal(fs_read(tmp.dir, "ralph/agent/state.json", 100, &state, &err), 0);
	assert_string_equal(journal.data, "second");
	assert_string_equal(state.data, "second");
	assert_int_equal(home_restore(tmp.dir, "nobody", &err), -1);
	assert_int_equal(err.code, ENOENT);
	scratch_close(&tmp);
}

static void
archived_runs_are_listed_by_name_and_time(void **unused UNUSED)
{
	struct scratch tmp;
	char **entries;

	scratch_open(&tmp);
	assert_int_equal(home_archived(tmp.dir, NULL, &entries, NULL), 0);
	assert_null(entries[0]);
	strlist_free(entries);
	assert_int_equal(mkdirat(tmp.dir, "archive", 0700), 0);
	assert_int_equal(mkdirat(tmp.dir, "archive/a.20240115T103000Z", 0700), 0);
	assert_int_equal(mkdirat(tmp.dir, "archive/a.20240115T103000Z-2", 0700), 0);
	assert_int_equal(mkdirat(tmp.dir, "archive/a.b.20240115T103001Z", 0700), 0);
	assert_int_equal(mkdirat(tmp.dir, "archive/somebody else's", 0700), 0);
	assert_int_equal(home_archived(tmp.dir, "a", &entries, NULL), 0);
	assert_int_equal(strlist_len(entries), 2);
	strlist_free(entries);
	assert_int_equal(home_archived(tmp.dir, "a.b", &entries, NULL), 0);
	assert_int_equal(strlist_len(entries), 1);
	assert_true(home_archived_at(entries[0]) == INT64_C(1705314601) * NSEC_PER_SEC);
	assert_true(home_archived_bytes(tmp.dir, entries[0]) >= 0);
	assert_int_equal(home_archived_remove(tmp.dir, entries[0], NULL), 0);
	strlist_free(entries);
	assert_int_equal(home_archived(tmp.dir, NULL, &entries, NULL), 0);
	assert_int_equal(strlist_len(entries), 2);
	strlist_free(entries);
	assert_true(
	    home_archived_at("a.20240115T103000Z-2") == INT64_C(1705314600) * NSEC_PER_SEC);
	assert_true(home_archived_at("somebody else's") == 0);
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_environment_says_where),
	    cmocka_unit_test(what_is_wrong_with_it_is_said),
	    cmocka_unit_test(home_that_cannot_be_written_to),
	    cmocka_unit_test(loops_are_made_found_and_listed),
	    cmocka_unit_test(names_cannot_lead_elsewhere),
	    cmocka_unit_test(archive_keeps_every_older_loop),
	    cmocka_unit_test(archive_keeps_journal_and_view_together),
	    cmocka_unit_test(removed_loops_are_gone_for_good),
	    cmocka_unit_test(the_last_archived_loop_comes_back),
	    cmocka_unit_test(archived_runs_are_listed_by_name_and_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
