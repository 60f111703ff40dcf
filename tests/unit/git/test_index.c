#include "base/alloc.h"
#include "git/index.h"
#include "repo.h"

static char **links;
static size_t entries, assumed, skipped;

static bool
take(const struct index_entry *e, void *most)
{
	if (e->link)
		links = strlist_add(links, e->path);
	assumed += e->assumed;
	skipped += e->skipped;
	return ++entries == *(size_t *)most;
}

static bool
read_some(const char *git_dir, size_t most)
{
	strlist_free(links);
	links = NULL;
	entries = assumed = skipped = 0;
	return index_read(at(git_dir), take, &most);
}

static void
assert_read(const char *git_dir)
{
	assert_true(read_some(git_dir, 0));
	assert_int_equal(entries, 305);
	assert_int_equal(strlist_len(links), 2);
	assert_string_equal(links[0], "dir/a.link");
	assert_string_equal(links[1], "dir/f12.link");
}

static void
fill(const char *options, const char *repo)
{
	sh("rm -rf %s; git init -q %s %s; cd %s; mkdir dir; for i in $(seq 300); do echo "
	   ">dir/f$i; "
	   "done; echo 1 >z; echo 2 >dir/long-$(printf %%0200d 1); echo >zz; git add .; "
	   "id=$(git "
	   "hash-object z | tr 0-9 a); for l in a f12; do git update-index --add --cacheinfo "
	   "160000,$id,dir/$l.link; done",
	    repo, options, repo, repo);
}

static void
every_version_is_read(void **state UNUSED)
{
	for (int version = 2; version <= 4; version++) {
		fill("", "i");
		sh("cd i; git update-index --index-version %d", version);
		assert_read("i/.git");
		assert_int_equal(assumed + skipped, 0);
		sh("cd i; git update-index --assume-unchanged z; git update-index "
		   "--skip-worktree "
		   "dir/f3 zz");
		assert_read("i/.git");
		assert_int_equal(assumed, 1);
		assert_int_equal(skipped, 2);
	}
}

static void
long_hashes_are_known(void **state UNUSED)
{
	fill("--object-format=sha256", "i");
	assert_read("i/.git");
}

static void
it_ends_when_it_is_told_to(void **state UNUSED)
{
	fill("", "i");
	assert_true(read_some("i/.git", 3));
	assert_int_equal(entries, 3);
}

static void
what_is_not_whole_is_not_told(void **state UNUSED)
{
	fill("", "i");
	sh("mkdir cut short empty; cp i/.git/index cut; truncate -s -30 cut/index\n"
	   "printf DIRC >short/index; : >empty/index");
	assert_false(read_some("cut", 0));
	assert_false(read_some("short", 0));
	assert_false(read_some("empty", 0));
	assert_int_equal(entries, 0);
	sh("cd i; git update-index --split-index; echo >new; git add new");
	assert_false(read_some("i/.git", 0));
}

static int
teardown(void **state)
{
	strlist_free(links);
	links = NULL;
	return repo_teardown(state);
}

#define index_test(f) cmocka_unit_test_setup_teardown(f, repo_setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    index_test(every_version_is_read),
	    index_test(long_hashes_are_known),
	    index_test(it_ends_when_it_is_told_to),
	    index_test(what_is_not_whole_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
