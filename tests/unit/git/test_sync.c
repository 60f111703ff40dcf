/* What is synced, by the log of fault points: in a large repository what a step relies on, and
 * never the file system, but for the first time and in doubt. */
#include "git/sync.h"
#include "landing.h"

#define FILES 1400

/* A repository whose index is large, of files that cost little. */
static int
large_setup(void **state)
{
	if (landing_setup(state) < 0)
		return -1;
	sh("cd repo; mkdir many; long=$(printf '%%0190d' 0)\n"
	   "for i in $(seq %d); do : >many/$long-$i; done\n"
	   "git add .; git commit -qm many",
	    FILES);
	return 0;
}

#define large_test(fn) cmocka_unit_test_setup_teardown(fn, large_setup, landing_teardown)

/* Begins a new log; also with a fault: "EIO@1". NULL: none. */
static void
log_begin(const char *fault)
{
	sh(": >points");
	setenv("RALPH_FAULT_LOG", at("points"), 1);
	if (fault != NULL)
		setenv("RALPH_FAULT", fault, 1);
	fs_fault_init();
}

static void
log_end(void)
{
	unsetenv("RALPH_FAULT_LOG");
	fs_fault_init();
}

/* The lines of the log that are about syncs, sorted, without their numbers. */
#define assert_synced(expected)                                                                \
	do {                                                                                   \
		log_end();                                                                     \
		assert_shell(expected, "sed -n 's/^[0-9]* //; /^[a-z]*sync[a-z]* /p' points |" \
				       " sort | uniq");                                        \
	} while (0)

static void
sync_head(void)
{
	AUTO_FREE char *head = shell("git -C repo rev-parse HEAD");

	if (sync_commit(at("repo/.git"), head, &err) < 0)
		fail_msg("%s", err.text);
}

/* Syncs HEAD, and forgets what that took. */
static void
sync_first(void)
{
	sync_head();
	log_begin(NULL);
}

static void
a_small_repository_is_synced_with_all_else(void **state UNUSED)
{
	AUTO_FREE char *all = xasprintf("syncfs %s", at("repo/.git"));

	log_begin(NULL);
	sync_head();
	sync_head();
	assert_synced(all);
	assert_false(is_there("repo/.git/ralph-synced"));
}

static void
of_a_large_one_only_what_is_new_is(void **state UNUSED)
{
	AUTO_FREE char *all = xasprintf("syncfs %s", at("repo/.git"));
	AUTO_FREE char *expected = NULL;

	log_begin(NULL);
	sync_head();
	assert_synced(all);
	log_begin(NULL);
	sync_head();
	assert_synced("");
	sh("cd repo; echo new >sub/new; git add .; git commit -qm new\n"
	   "echo newer >sub/new; git commit -qam newer");
	expected = shell(
	    "cd repo; git rev-list --objects --no-object-names HEAD~2..HEAD | sort |\n"
	    "awk '{ dir = substr($0, 1, 2); name = substr($0, 3); print \"fsync \" name }\n"
	    "dir != last { print \"dirsync \" dir \"/\" name; last = dir }' | sort -u");
	log_begin(NULL);
	sync_head();
	log_end();
	assert_shell(expected, "sed -n 's/^[0-9]* //; /^[a-z]*sync[a-z]* /p' points | sort -u");
}

/* An agent may pack what it made, and what everybody else did. */
static void
packs_are_synced_once(void **state UNUSED)
{
	AUTO_FREE char *expected = NULL;

	sync_first();
	sh("cd repo; echo new >sub/new; git add .; git commit -qm new; git gc -q");
	expected = shell("cd repo/.git/objects; find info pack -type f | sort |\n"
			 "awk -F/ '{ print \"fsync \" $NF }\n"
			 "$1 != last { print \"dirsync \" $0; last = $1 }' | sort");
	sync_head();
	log_end();
	assert_shell(expected, "sed -n 's/^[0-9]* //; /^[a-z]*sync[a-z]* /p' points | sort -u");
	log_begin(NULL);
	sync_head();
	assert_synced("");
}

static void
many_files_are_synced_with_all_else(void **state UNUSED)
{
	AUTO_FREE char *all = xasprintf("syncfs %s", at("repo/.git"));

	sync_first();
	sh("cd repo; for i in $(seq %d); do echo $i >sub/$i; done; git add .; git commit -qm "
	   "more",
	    SYNC_FILES + 1);
	sync_head();
	assert_synced(all);
	log_begin(NULL);
	sync_head();
	assert_synced("");
}

/* A record that is not right is none, and no word of it is told to git. */
static void
doubtful_records_do_not_count(void **state UNUSED)
{
	static const char *const spoil[] = {
	    ": >ralph-synced",
	    "sed -i 's/objects\":[0-9]*/objects\":1/' ralph-synced",
	    "sed -i 's/commits\":\\[\"[^\"]*/commits\":[\"--output=told/' ralph-synced",
	    "sed -i \"s/[0-9a-f]\\{40\\}/$(printf %040d 7)/\" ralph-synced",
	};
	AUTO_FREE char *all = xasprintf("syncfs %s", at("repo/.git"));

	for (size_t i = 0; i < ARRAY_LEN(spoil); i++) {
		AUTO_BUF script = BUF_INIT;

		sync_head();
		buf_addf(&script, "cd repo/.git; cp ralph-synced ../../was; ");
		buf_adds(&script, spoil[i]);
		buf_adds(&script, "; ! cmp -s ralph-synced ../../was");
		free(shell("%s", script.data));
		log_begin(NULL);
		sync_head();
		assert_synced(all);
		assert_false(is_there("repo/.git/told"));
	}
}

/* A sync that fails must not be followed by another one that does not know of it. */
static void
what_fails_is_said(void **state UNUSED)
{
	AUTO_FREE char *fault = NULL;
	AUTO_FREE char *head = NULL;

	sync_first();
	sh("cd repo; echo new >sub/new; git add .; git commit -qm new");
	sync_head();
	log_end();
	fault = shell("sed -n 's/^\\([0-9]*\\) fsync .*/EIO@\\1/p' points | head -n 1");
	sh("cd repo; echo newer >sub/new; git commit -qam newer");
	head = shell("git -C repo rev-parse HEAD");
	log_begin(fault);
	assert_int_equal(sync_commit(at("repo/.git"), head, &err), -1);
	log_end();
	assert_shell("fsync", "tail -n 1 points | cut -d' ' -f2");
	sync_head();
}

/* Syncs HEAD in a process that is killed at its k-th point; false: it had fewer. */
static bool
is_killed_at(int k)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		AUTO_FREE char *fault = xasprintf("KILL@%d", k);

		setenv("RALPH_FAULT", fault, 1);
		fs_fault_init();
		sync_head();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSIGNALED(status))
		assert_int_equal(status, 0);
	return WIFSIGNALED(status);
}

/* No commit is known to be on the disk before it is; and nothing is left of who was killed. */
static void
a_sync_that_is_killed_is_done_again(void **state UNUSED)
{
	bool killed = true;
	int k = 0;

	sync_head();
	while (killed) {
		AUTO_FREE char *known = NULL;

		sh("cd repo; echo %d >sub/new; git add .; git commit -qm new", k);
		killed = is_killed_at(++k);
		known = shell("cd repo; grep -c $(git rev-parse HEAD) .git/ralph-synced || :");
		log_begin(NULL);
		sync_head();
		log_end();
		assert_shell(known, "grep -q ' fsync ' points && echo 0 || echo 1");
	}
	assert_true(k > 10);
	assert_shell("", "find repo/.git -name '*.tmp*'");
}

static void
checkouts_are_synced_by_what_differs(void **state UNUSED)
{
	AUTO_FREE char *from = shell("git -C repo rev-parse HEAD");
	AUTO_FREE char *to = NULL;

	sh("cd repo; mkdir -p a/b; echo 1 >a/b/new; echo 3 >sub/two; git rm -q file; "
	   "ln -s nowhere link; git add .; git commit -qm changes\n"
	   "git update-ref ORIG_HEAD HEAD~");
	to = shell("git -C repo rev-parse HEAD");
	sync_first();
	assert_int_equal(
	    sync_checkout(&(struct sync_checkout){.common = at("repo/.git"),
			      .top = at("repo"),
			      .from = from,
			      .to = to,
			      .refs = (const char *const[]){"refs/heads/main", NULL}},
		&err),
	    0);
	assert_synced(
	    "dirsync HEAD\ndirsync a/b/new\ndirsync logs/HEAD\n"
	    "dirsync logs/refs/heads/main\ndirsync refs/heads/main\ndirsync sub/two\n"
	    "fsync HEAD\nfsync ORIG_HEAD\nfsync index\nfsync main\nfsync new\nfsync two");
}

/* The second ticket finds everything known.  Objects come first, then what stands on them. */
static void
a_ticket_syncs_objects_then_references(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; git add one; git commit -qm one");
	merge("t-1");
	log_begin(NULL);
	prepare("t-2");
	agent("echo 2 >two; git add two; git commit -qm two; git gc -q");
	merge("t-2");
	log_end();
	assert_shell("2", "cat repo/two");
	assert_shell("", "grep syncfs points || :");
	assert_shell("1", "grep -c 'fsync two' points");
	assert_shell("yes", "o=$(grep -n 'dirsync ../' points | tail -n 1 | cut -d: -f1)\n"
			    "p=$(grep -n 'fsync pack-' points | head -n 1 | cut -d: -f1)\n"
			    "r=$(grep -n 'fsync index' points | head -n 1 | cut -d: -f1)\n"
			    "[ $p -lt $o ] && [ $o -lt $r ] && echo yes");
	assert_tidy();
}

/* Not even for what an agent left that git ignores. */
static void
copies_of_ignored_files_are_synced_alone(void **state UNUSED)
{
	char kept[600];

	snprintf(kept, sizeof(kept), "%s/session/kept", scratch.path);
	plan.ignored = kept;
	sync_first();
	prepare("t-1");
	agent("echo object >x.o; mkdir d; echo y >d/y.o; echo 1 >one");
	merge("t-1");
	log_end();
	assert_shell("object\ny", "cat session/kept/x.o session/kept/d/y.o");
	assert_shell("", "grep syncfs points || :");
	assert_shell("dirsync kept/d/y.o\nfsync x.o\nfsync y.o",
	    "sed -n 's/^[0-9]* //; /sync .*\\.o$/p' points | sort -u");
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(a_small_repository_is_synced_with_all_else),
	    large_test(of_a_large_one_only_what_is_new_is),
	    large_test(packs_are_synced_once),
	    large_test(many_files_are_synced_with_all_else),
	    large_test(doubtful_records_do_not_count),
	    large_test(what_fails_is_said),
	    large_test(a_sync_that_is_killed_is_done_again),
	    large_test(checkouts_are_synced_by_what_differs),
	    large_test(a_ticket_syncs_objects_then_references),
	    large_test(copies_of_ignored_files_are_synced_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
