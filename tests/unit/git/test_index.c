#include "base/alloc.h"
#include "git/git.h"
#include "git/index.h"
#include "repo.h"

#define ENTRIES 400
#define DIRS 8

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

/* ---- an index like no other ---------------------------------------------------------- */

static unsigned seed;

static unsigned
any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* Any bytes that a name can have, behind a letter that keeps names of files and of directories
 * apart, and keeps ".git" away. */
static void
name_add(struct buf *path, char letter, unsigned len)
{
	buf_addc(path, letter);
	while (len-- > 0) {
		unsigned char c = (unsigned char)(1 + any(255));

		buf_addc(path, c == '/' ? ' ' : (char)c);
	}
}

static void
object_add(struct buf *lines, unsigned digits)
{
	while (digits-- > 0)
		buf_addc(lines, "0123456789abcdef"[any(16)]);
}

/* Paths share directories, so that version 4 has prefixes to leave out: of 300 bytes and more,
 * whose length takes two bytes.  One path is longer than the flags of an entry can tell. */
static char *
path_make(struct buf dirs[DIRS], unsigned i)
{
	AUTO_BUF path = BUF_INIT;

	for (unsigned depth = i == 0 ? 20 : any(4); depth > 0; depth--) {
		struct buf *dir = &dirs[i == 0 ? 0 : any(DIRS)];

		buf_add(&path, dir->data, dir->len);
		buf_addc(&path, '/');
	}
	name_add(&path, 'f', any(3) == 0 ? any(200) : any(12));
	buf_addf(&path, ".%u", i);
	return buf_detach(&path);
}

/* The entries of one path: one, or some of the three stages of a conflict. */
static void
lines_add(struct buf *lines, const char *path, bool conflict, unsigned digits)
{
	static const char *const modes[] = {"100644", "100755", "120000", "160000"};
	unsigned stages = conflict ? 1 + any(7) : 0;

	for (unsigned stage = 0; stage < 4; stage++) {
		if (conflict ? stage == 0 || (stages >> (stage - 1) & 1) == 0 : stage > 0)
			continue;
		buf_addf(lines, "%s ", modes[any(ARRAY_LEN(modes))]);
		object_add(lines, digits);
		buf_addf(lines, " %u\t%s", stage, path);
		buf_addc(lines, '\0');
	}
}

static void
update_index(const char *option, const char *how, const struct buf *input)
{
	const struct git_call call = {
	    .dir = at("i"),
	    .what = option,
	    .args = ARGS("update-index", "-z", option, how),
	    .input = input->data,
	    .input_len = input->len,
	};

	if (git_call(&call, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

/* Makes an index of that version; the second one has no place for marks that are not to be
 * looked at. */
static void
index_make(unsigned version, unsigned digits)
{
	struct buf dirs[DIRS];
	AUTO_BUF lines = BUF_INIT;
	AUTO_BUF unchanged = BUF_INIT;
	AUTO_BUF hidden = BUF_INIT;

	sh("rm -rf i; git init -q --object-format=%s i", digits == 40 ? "sha1" : "sha256");
	for (size_t i = 0; i < DIRS; i++) {
		dirs[i] = (struct buf)BUF_INIT;
		name_add(&dirs[i], 'd', i == 0 ? 250 : any(60));
	}
	for (unsigned i = 0; i < ENTRIES; i++) {
		AUTO_FREE char *path = path_make(dirs, i);
		bool conflict = any(10) == 0;

		lines_add(&lines, path, conflict, digits);
		if (!conflict && any(8) == 0)
			buf_add(&unchanged, path, strlen(path) + 1);
		if (!conflict && any(8) == 0 && version > 2)
			buf_add(&hidden, path, strlen(path) + 1);
	}
	for (size_t i = 0; i < DIRS; i++)
		buf_release(&dirs[i]);
	update_index("--index-info", NULL, &lines);
	update_index("--assume-unchanged", "--stdin", &unchanged);
	update_index("--skip-worktree", "--stdin", &hidden);
	/* Has flags of the third version, too, but others. */
	if (version > 2)
		sh("cd i; touch intended; git add -N intended");
	sh("cd i; git update-index --index-version %u", version);
}

/* What git says of an index, line by line: "TAG MODE OBJECT STAGE\tPATH".  The tag is a small
 * letter for a file that is assumed to be unchanged, and S for one that is not looked at. */
struct told {
	const struct buf *lines;
	const char *at;
	unsigned entries, links, assumed, skipped;
};

static bool
is_as_told(const struct index_entry *e, void *arg)
{
	struct told *t = arg;

	t->at = buf_next(t->lines, t->at);
	assert_non_null(t->at);
	assert_string_equal(e->path, strchr(t->at, '\t') + 1);
	assert_int_equal(e->link, strncmp(t->at + 2, "160000 ", 7) == 0);
	assert_int_equal(e->assumed, t->at[0] >= 'a' && t->at[0] <= 'z');
	assert_int_equal(e->skipped, t->at[0] == 'S' || t->at[0] == 's');
	t->entries++;
	t->links += e->link;
	t->assumed += e->assumed;
	t->skipped += e->skipped;
	return false;
}

/* "-v" is "-t", with small letters. */
static void
git_tells_the_same(void **state UNUSED)
{
	seed = 4711;
	print_message("# seed %u\n", seed);
	for (unsigned version = 2; version <= 4; version++)
		for (unsigned digits = 40; digits <= 64; digits += 24) {
			AUTO_RUN list = RUN_INIT;
			struct told t = {.lines = &list.out};
			AUTO_FREE char *number = xasprintf("%u", version);

			index_make(version, digits);
			assert_shell(number, "od -An -tu1 -j7 -N1 i/.git/index | tr -d ' '");
			if (git_run(at("i"), "git ls-files", ARGS("ls-files", "-s", "-v", "-z"),
				&list, &err) < 0)
				fail_msg("%s", err.text);
			assert_true(index_read(at("i/.git"), is_as_told, &t));
			assert_null(buf_next(t.lines, t.at));
			/* Else too little was compared. */
			assert_in_range(t.entries, ENTRIES, 2 * ENTRIES);
			assert_in_range(t.links, ENTRIES / 8, ENTRIES);
			assert_in_range(t.assumed, ENTRIES / 20, ENTRIES / 4);
			assert_in_range(t.skipped, version > 2 ? ENTRIES / 20 : 0,
			    version > 2 ? ENTRIES / 4 : 0);
		}
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
	    index_test(git_tells_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
