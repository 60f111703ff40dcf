/* A link that leads out of a project is refused, unless it did so when the loop began. */
#include "base/alloc.h"
#include "base/links.h"
#include "base/userfile.h"
#include "scratch.h"

static char *
in_scratch(const char *name)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", scratch.fd);
	AUTO_FREE char *dir = realpath(link, NULL);

	assert_non_null(dir);
	return xasprintf("%s/%s", dir, name);
}

static void
make_places(void)
{
	assert_int_equal(mkdirat(scratch.fd, "project", 0700), 0);
	assert_int_equal(mkdirat(scratch.fd, "project/own", 0700), 0);
	assert_int_equal(mkdirat(scratch.fd, "users", 0700), 0);
	assert_int_equal(mkdirat(scratch.fd, "users/deep", 0700), 0);
	assert_int_equal(mkdirat(scratch.fd, "other", 0700), 0);
	assert_int_equal(symlinkat("../users", scratch.fd, "project/early"), 0);
	assert_int_equal(symlinkat("own", scratch.fd, "project/inner"), 0);
}

static void
opens(const char *name, bool may)
{
	AUTO_FREE char *path = in_scratch(name);
	struct err err = ERR_INIT;
	int fd = fs_open_dir(AT_FDCWD, path, &err);

	assert_int_equal(fd >= 0, may);
	if (fd >= 0)
		close(fd);
	else
		assert_int_equal(err.code, ELOOP);
}

static void
links_of_the_beginning_are_followed(void **state UNUSED)
{
	static const char *const paths[] = {"early", "inner", "own", "missing", NULL};
	AUTO_FREE char *root = in_scratch("project");
	AUTO_FREE char *users = in_scratch("users");
	char **outside;

	make_places();
	outside = links_find(root, paths);
	assert_int_equal(strlist_len(outside), 1);
	assert_string_equal(outside[0], users);
	links_bound(root, outside, NULL, NULL);
	strlist_free(outside);
	assert_int_equal(symlinkat("../other", scratch.fd, "project/late"), 0);
	assert_int_equal(symlinkat("../users/deep", scratch.fd, "project/deep"), 0);
	opens("project", true);
	opens("project/own", true);
	opens("project/inner", true);
	opens("project/early", true);
	opens("project/early/deep", true);
	opens("project/deep", true);
	opens("project/late", false);
	opens("other", true); /* not named by the project */
	links_bound(NULL, NULL, NULL, NULL);
	opens("project/late", true);
}

static void
nothing_is_made_through_new_links(void **state UNUSED)
{
	AUTO_FREE char *root = in_scratch("project");
	AUTO_FREE char *through = in_scratch("project/late/new");
	AUTO_FREE char *deep = in_scratch("project/a/b");
	struct err err = ERR_INIT;

	make_places();
	assert_int_equal(symlinkat("../other", scratch.fd, "project/late"), 0);
	links_bound(root, NULL, NULL, NULL);
	assert_int_equal(fs_mkdirs(through, &err), -1);
	assert_int_equal(err.code, ELOOP);
	assert_non_null(strstr(err.text, "project/late leads out of the project, to "));
	assert_int_equal(faccessat(scratch.fd, "other/new", F_OK, 0), -1);
	assert_int_equal(fs_mkdirs(deep, &err), 0);
	links_bound(NULL, NULL, NULL, NULL);
}

static void
a_file_counts_by_itself(void **state UNUSED)
{
	static const char *const paths[] = {"list", NULL};
	AUTO_FREE char *root = in_scratch("project");
	AUTO_FREE char *list = in_scratch("project/list");
	AUTO_FREE char *second = in_scratch("project/second");
	AUTO_FREE char *users = in_scratch("users");
	char **outside;
	int fd;

	make_places();
	fd = openat(scratch.fd, "users", O_RDONLY | O_DIRECTORY);
	assert_int_equal(fs_replace(fd, "list", "x", 1, FS_NOSYNC, NULL), 0);
	assert_int_equal(fs_replace(fd, "second", "x", 1, FS_NOSYNC, NULL), 0);
	assert_int_equal(symlinkat("../users/list", scratch.fd, "project/list"), 0);
	outside = links_find(root, paths);
	links_bound(root, outside, NULL, NULL);
	strlist_free(outside);
	assert_int_equal(symlinkat("../users/second", scratch.fd, "project/second"), 0);
	assert_int_equal(links_check(fd, "list", AT_FDCWD, list, NULL), 0);
	assert_int_equal(links_check(fd, "second", AT_FDCWD, second, NULL), -1);
	assert_int_equal(links_check_path(AT_FDCWD, list, NULL), 0);
	assert_int_equal(links_check_path(AT_FDCWD, second, NULL), -1);
	assert_int_equal(links_check_path(AT_FDCWD, users, NULL), 0);
	links_bound(NULL, NULL, NULL, NULL);
	close(fd);
}

static void
only_watched_paths_are_refused(void **state UNUSED)
{
	AUTO_FREE char *root = in_scratch("project");
	AUTO_FREE char *late = in_scratch("project/own/late");
	const char *const watched[] = {"early", "late", late, NULL};

	make_places();
	assert_int_equal(symlinkat("../other", scratch.fd, "project/late"), 0);
	assert_int_equal(symlinkat("../../other", scratch.fd, "project/own/late"), 0);
	assert_int_equal(symlinkat("../other", scratch.fd, "project/later"), 0);
	links_bound(root, NULL, NULL, watched);
	opens("project/late", false);
	opens("project/own/late", false);
	opens("project/early/deep", false);
	opens("project/later", true);
	opens("project/own", true);
	links_bound(NULL, NULL, NULL, NULL);
}

/* A user's link is a place of the project's: a link of an agent's in it leads nowhere else. */
static void
files_in_a_place_outside_are_watched(void **state UNUSED)
{
	static const char *const paths[] = {"early", NULL};
	AUTO_FREE char *root = in_scratch("project");
	AUTO_FREE char *own = in_scratch("other/own");
	AUTO_BUF text = BUF_INIT;
	AUTO_CLOSE int dir = -1;
	struct err err = ERR_INIT;
	char **outside, **links;

	make_places();
	assert_int_equal(mkdirat(scratch.fd, "other/own", 0700), 0);
	outside = links_find(root, paths);
	links_bound(root, outside, own, NULL);
	strlist_free(outside);
	dir = openat(scratch.fd, "users", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(userfile_create(dir, "file", &text, &err), 0);
	assert_int_equal(symlinkat("file", dir, "to-file"), 0);
	assert_int_equal(symlinkat("../other/x", dir, "to-other"), 0);
	assert_int_equal(symlinkat("../other/own/x", dir, "to-own"), 0);
	assert_int_equal(fs_replace(scratch.fd, "x", "", 0, FS_NOSYNC, &err), 0);
	assert_int_equal(linkat(scratch.fd, "x", scratch.fd, "other/x", 0), 0);
	assert_int_equal(linkat(scratch.fd, "x", scratch.fd, "other/own/x", 0), 0);
	assert_int_equal(userfile_replace(dir, "to-file", NULL, &text, &err), 0);
	assert_int_equal(userfile_replace(dir, "to-own", NULL, &text, &err), 0);
	assert_int_equal(userfile_replace(dir, "to-other", NULL, &text, &err), -1);
	assert_int_equal(err.code, ELOOP);
	links_bound(NULL, NULL, NULL, NULL);
	assert_int_equal(userfile_replace(dir, "to-other", NULL, &text, &err), 0);
	links = links_in(root, "../users");
	assert_int_equal(strlist_len(links), 3);
	strlist_free(links);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(links_of_the_beginning_are_followed),
	    scratch_test(nothing_is_made_through_new_links),
	    scratch_test(a_file_counts_by_itself),
	    scratch_test(only_watched_paths_are_refused),
	    scratch_test(files_in_a_place_outside_are_watched),
	};

	return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
