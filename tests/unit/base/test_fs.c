#include "base/alloc.h"
#include "base/fs.h"
#include "scratch.h"
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void
put(const char *name, const char *text)
{
	struct err err = ERR_INIT;

	assert_int_equal(fs_replace(scratch.fd, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
assert_content(const char *name, const char *text)
{
	AUTO_BUF got = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(fs_read(scratch.fd, name, 1 << 20, &got, &err), 0);
	assert_string_equal(got.data, text);
}

/* Counts all names in the directory, hidden ones too. */
static int
count_entries(void)
{
	DIR *dir = opendir(scratch.path);
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n - 2;
}

static void
replace_writes_private_files(void **state UNUSED)
{
	struct err err = ERR_INIT;
	struct stat st;

	assert_int_equal(fs_replace(scratch.fd, "a.json", "one", 3, FS_SYNC, &err), 0);
	assert_content("a.json", "one");
	assert_int_equal(fs_replace(scratch.fd, "a.json", "", 0, FS_SYNC, &err), 0);
	assert_content("a.json", "");
	assert_int_equal(fstatat(scratch.fd, "a.json", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(count_entries(), 1);
}

static void
replace_takes_the_place_of_a_link(void **state UNUSED)
{
	struct stat st;

	put("victim", "keep me");
	assert_int_equal(symlinkat("victim", scratch.fd, "state.json"), 0);
	put("state.json", "new");
	assert_content("victim", "keep me");
	assert_int_equal(fstatat(scratch.fd, "state.json", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void
replace_refuses_what_is_no_plain_name(void **state UNUSED)
{
	static const char *const bad[] = {"", ".", "..", "../x", "a/b", "/etc/x"};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(fs_replace(scratch.fd, bad[i], "x", 1, FS_NOSYNC, &err), -1);
		assert_int_equal(err.code, EINVAL);
	}
}

static void
replace_copes_with_long_names_and_directories(void **state UNUSED)
{
	char name[256];
	struct err err = ERR_INIT;

	memset(name, 'n', 255);
	name[255] = '\0';
	put(name, "long");
	assert_content(name, "long");
	assert_int_equal(fs_mkdir(scratch.fd, "dir", &err), 0);
	assert_int_equal(fs_replace(scratch.fd, "dir", "x", 1, FS_NOSYNC, &err), -1);
	assert_int_equal(count_entries(), 2);
}

static void
replace_survives_the_file_size_limit(void **state UNUSED)
{
	struct rlimit limit = {4096, 4096};
	char data[8192] = "";
	int status;
	pid_t pid;

	put("state", "old");
	pid = fork();
	if (pid == 0) {
		struct err err = ERR_INIT;

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(
		    fs_replace(scratch.fd, "state", data, sizeof(data), FS_SYNC, &err) == -1 &&
			    err.code == EFBIG
			? 0
			: 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_content("state", "old");
	assert_int_equal(count_entries(), 1);
}

static void
sweep_takes_only_what_is_left_behind(void **state UNUSED)
{
	static const char *const others[] = {"a.tmp.999999999.0", ".x.tmp.999999999",
	    ".x.tmp.0.0", ".x.tmp.-1.0", ".x.tmp.999999999.0.bak", ".x.tmp.1.0", ".tmp.",
	    ".x.tmp.99999999999.0"};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		put(others[i], "mine");
	put(".state.json.tmp.999999999.12", "half");
	put("..tmp.1.0.tmp.999999998.0", "half");
	assert_int_equal(fs_sweep(scratch.fd, &err), 0);
	assert_int_equal(count_entries(), ARRAY_LEN(others));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_content(others[i], "mine");
}

static void
draft_is_placed_or_not(void **state UNUSED)
{
	struct stat like = {.st_mode = 0751, .st_uid = geteuid(), .st_gid = getegid()}, st;
	struct err err = ERR_INIT;
	char draft[NAME_MAX + 1];

	assert_int_equal(fs_draft(scratch.fd, "f", &like, "one", 3, draft, &err), 0);
	assert_int_equal(fs_place(scratch.fd, draft, "f", true, &err), 0);
	assert_content("f", "one");
	assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
	assert_int_equal(fs_draft(scratch.fd, "f", NULL, "two", 3, draft, &err), 0);
	assert_int_equal(fs_place(scratch.fd, draft, "f", true, &err), -1);
	assert_int_equal(err.code, EEXIST);
	assert_content("f", "one");
	assert_int_equal(fs_draft(scratch.fd, "f", NULL, "two", 3, draft, &err), 0);
	assert_int_equal(fs_place(scratch.fd, draft, "f", false, &err), 0);
	assert_content("f", "two");
	assert_int_equal(count_entries(), 1);
}

static void
files_are_cut_and_punched(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = fs_open_append(scratch.fd, "f", &err);
	struct stat st;

	assert_int_equal(fs_append(fd, "f", "0123456789", 10, FS_NOSYNC, &err), 0);
	assert_int_equal(fs_cut(fd, "f", 4, FS_SYNC, &err), 0);
	assert_content("f", "0123");
	fs_reserve(fd, 4, 1 << 16);
	assert_content("f", "0123");
	if (fs_punch(fd, "f", 0, 2, &err) == 0) {
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_size, 4);
		assert_content("f", "");
	}
	close(fd);
}

static void
shared_directories_are_the_umasks(void **state UNUSED)
{
	AUTO_FREE char *path = xasprintf("%s/a/b", scratch.path);
	mode_t mask = umask(027);
	struct err err = ERR_INIT;
	struct stat st;

	assert_int_equal(fs_mkdirs_shared(path, &err), 0);
	assert_int_equal(fs_mkdirs_shared(path, &err), 0);
	assert_int_equal(fs_mkdir_shared(scratch.fd, "a/c", &err), 0);
	(void)umask(mask);
	for (size_t i = 0; i < 3; i++) {
		const char *name = (const char *[]){"a", "a/b", "a/c"}[i];

		assert_int_equal(fstatat(scratch.fd, name, &st, 0), 0);
		assert_int_equal(st.st_mode & 07777, 0750);
	}
	assert_int_equal(fs_sync_dir(scratch.fd, "a", &err), 0);
	put("f", "");
	assert_int_equal(fs_mkdir_shared(scratch.fd, "f", &err), -1);
	assert_int_equal(err.code, ENOTDIR);
}

static void
append_adds_to_what_is_there(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd;

	put("journal", "one\n");
	fd = fs_open_append(scratch.fd, "journal", &err);
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fs_append(fd, "journal", "two\n", 4, FS_SYNC, &err), 0);
	assert_int_equal(fs_append(fd, "journal", "three\n", 6, FS_NOSYNC, &err), 0);
	close(fd);
	assert_content("journal", "one\ntwo\nthree\n");
}

static void
append_refuses_everything_but_files(void **state UNUSED)
{
	static const char *const names[] = {"link", "dangling", "dir", "pipe"};
	struct err err = ERR_INIT;

	put("file", "x");
	assert_int_equal(symlinkat("file", scratch.fd, "link"), 0);
	assert_int_equal(symlinkat("nowhere", scratch.fd, "dangling"), 0);
	assert_int_equal(fs_mkdir(scratch.fd, "dir", &err), 0);
	assert_int_equal(mkfifoat(scratch.fd, "pipe", 0600), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(fs_open_append(scratch.fd, names[i], &err), -1);
	assert_int_equal(fs_open_append(scratch.fd, "link", &err), -1);
	assert_string_equal(err.text, "link is a symbolic link");
	assert_int_equal(err.code, ELOOP);
}

static void
read_has_a_limit(void **state UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct err err = ERR_INIT;

	put("ten", "0123456789");
	assert_int_equal(fs_read(scratch.fd, "ten", 10, &got, &err), 0);
	assert_int_equal(got.len, 10);
	assert_int_equal(fs_read(scratch.fd, "ten", 9, &got, &err), -1);
	assert_int_equal(err.code, EFBIG);
	assert_string_equal(err.text, "ten is larger than 9 bytes");
	/* A file that claims to be empty and is not. */
	assert_int_equal(fs_read(AT_FDCWD, "/proc/self/status", 10, &got, &err), -1);
	assert_int_equal(err.code, EFBIG);
	assert_int_equal(fs_read(AT_FDCWD, "/proc/self/status", 1 << 20, &got, &err), 0);
	assert_non_null(strstr(got.data, "Name:"));
}

static void
read_does_not_wait_on_a_pipe(void **state UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(mkfifoat(scratch.fd, "pipe", 0600), 0);
	assert_int_equal(fs_read(scratch.fd, "pipe", 10, &got, &err), -1);
	assert_int_equal(err.code, EINVAL);
	assert_int_equal(fs_read(scratch.fd, ".", 10, &got, &err), -1);
	assert_int_equal(err.code, EISDIR);
	assert_int_equal(fs_read(AT_FDCWD, "/dev/zero", 10, &got, &err), -1);
	assert_int_equal(err.code, EINVAL);
	assert_int_equal(fs_read(scratch.fd, "none", 10, &got, &err), -1);
	assert_int_equal(err.code, ENOENT);
}

static void
mkdirs_makes_parents(void **state UNUSED)
{
	AUTO_FREE char *path = xasprintf("%s/a//b/c/", scratch.path);
	AUTO_FREE char *below = xasprintf("%s/file/x", scratch.path);
	struct err err = ERR_INIT;
	struct stat st;

	assert_int_equal(fs_mkdirs(path, &err), 0);
	assert_int_equal(fs_mkdirs(path, &err), 0);
	assert_int_equal(fstatat(scratch.fd, "a/b/c", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	put("file", "");
	assert_int_equal(fs_mkdirs(below, &err), -1);
	assert_int_equal(err.code, ENOTDIR);
	assert_int_equal(fs_mkdir(scratch.fd, "file", &err), -1);
	assert_int_equal(err.code, ENOTDIR);
}

static void
rename_and_unlink(void **state UNUSED)
{
	struct err err = ERR_INIT;

	put("a", "x");
	assert_int_equal(fs_rename(scratch.fd, "a", "b", FS_SYNC, &err), 0);
	assert_content("b", "x");
	assert_int_equal(fs_rename(scratch.fd, "a", "c", FS_NOSYNC, &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(fs_unlink(scratch.fd, "b", &err), 0);
	assert_int_equal(fs_unlink(scratch.fd, "b", &err), 0);
	assert_int_equal(count_entries(), 0);
}

static void
remove_tree_leaves_what_links_point_at(void **state UNUSED)
{
	struct err err = ERR_INIT;

	put("victim", "keep me");
	assert_int_equal(fs_mkdir(scratch.fd, "outside", &err), 0);
	assert_int_equal(symlinkat("../x", scratch.fd, "outside/inner"), 0);
	assert_int_equal(fs_mkdir(scratch.fd, "tree", &err), 0);
	assert_int_equal(fs_mkdir(scratch.fd, "tree/readonly", &err), 0);
	assert_int_equal(symlinkat("../victim", scratch.fd, "tree/link"), 0);
	assert_int_equal(symlinkat("../../outside", scratch.fd, "tree/readonly/dirlink"), 0);
	assert_int_equal(mkfifoat(scratch.fd, "tree/pipe", 0600), 0);
	assert_int_equal(fchmodat(scratch.fd, "tree/readonly", 0500, 0), 0);
	assert_int_equal(fs_remove_tree(scratch.fd, "tree", &err), 0);
	assert_int_equal(fs_remove_tree(scratch.fd, "tree", &err), 0);
	assert_int_equal(count_entries(), 2);
	assert_content("victim", "keep me");
	assert_int_equal(symlinkat("outside", scratch.fd, "link"), 0);
	assert_int_equal(fs_remove_tree(scratch.fd, "link", &err), 0);
	assert_int_equal(count_entries(), 2);
}

/* Deeper than there are descriptors, and than a path may be long. */
static void
remove_tree_of_any_depth(void **state UNUSED)
{
	int at = dup(scratch.fd);
	struct err err = ERR_INIT;

	for (int i = 0; i < 3000; i++) {
		int next;

		assert_int_equal(mkdirat(at, "deep", 0700), 0);
		next = openat(at, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		close(openat(next, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
		close(at);
		at = next;
	}
	close(at);
	assert_int_equal(fs_remove_tree(scratch.fd, "deep", &err), 0);
	assert_int_equal(count_entries(), 0);
}

static void
move_aside_keeps_every_copy(void **state UNUSED)
{
	AUTO_BUF first = BUF_INIT;
	AUTO_BUF second = BUF_INIT;
	struct err err = ERR_INIT;
	char **names = NULL;

	/* All of this happens within a second, as a rule; the names must differ. */
	for (int i = 0; i < 3; i++) {
		put("state.json", "bad");
		assert_int_equal(fs_move_aside(scratch.fd, "state.json", &first, &err), 0);
		assert_content(first.data, "bad");
	}
	assert_memory_equal(first.data, "state.corrupt.2", 15);
	assert_string_equal(first.data + first.len - 5, ".json");
	put("plain", "bad");
	assert_int_equal(fs_move_aside(scratch.fd, "plain", &second, &err), 0);
	assert_memory_equal(second.data, "plain.corrupt.2", 15);
	assert_int_equal(fs_list(scratch.fd, ".", &names, &err), 0);
	assert_int_equal(strlist_len(names), 4);
	strlist_free(names);
	assert_int_equal(fs_move_aside(scratch.fd, "none", NULL, &err), -1);
	assert_int_equal(err.code, ENOENT);
}

static void
list_is_sorted(void **state UNUSED)
{
	struct err err = ERR_INIT;
	char **names = NULL;

	put("b", "");
	put("a", "");
	put(".hidden", "");
	put("C", "");
	for (int i = 0; i < 40; i++) {
		AUTO_FREE char *name = xasprintf("n%02d", 39 - i);

		put(name, "");
	}
	assert_int_equal(fs_list(scratch.fd, ".", &names, &err), 0);
	assert_int_equal(strlist_len(names), 43);
	assert_string_equal(names[0], "C");
	assert_string_equal(names[1], "a");
	assert_string_equal(names[42], "n39");
	strlist_free(names);
	assert_int_equal(fs_list(scratch.fd, "none", &names, &err), 0);
	assert_non_null(names);
	assert_null(names[0]);
	strlist_free(names);
	assert_int_equal(fs_list(scratch.fd, "a", &names, &err), -1);
	assert_int_equal(err.code, ENOTDIR);
}

static void
below_goes_by_whole_names(void **state UNUSED)
{
	assert_string_equal(fs_below("/a", "/a/b/c"), "b/c");
	assert_string_equal(fs_below("/", "/a/b"), "a/b");
	assert_null(fs_below("/a", "/ab/c"));
	assert_null(fs_below("/a", "/a"));
	assert_null(fs_below("/a", "/a/"));
	assert_null(fs_below("/a/b", "/a"));
	assert_null(fs_below("", "/a"));
	assert_null(fs_below(NULL, "/a"));
}

static void
a_parent_goes_by_the_last_slash(void **state UNUSED)
{
	static const char *const rows[][2] = {
	    {"/a/b/c", "/a/b"}, {"a/b", "a"}, {"/a", "/"}, {"a", "."}, {"a/", "a"}, {"", "."}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO_FREE char *parent = fs_parent(rows[i][0]);

		assert_string_equal(parent, rows[i][1]);
	}
}

static void
assert_absolute(const char *path, const char *expected)
{
	AUTO_FREE char *got = fs_absolute(path);

	assert_string_equal(got, expected);
}

static void
absolute_keeps_dot_dot(void **state UNUSED)
{
	int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(chdir("/proc/self"), 0);
	assert_absolute("/a//b/./c/", "/a/b/c");
	assert_absolute("/../x", "/../x");
	assert_absolute("/", "/");
	assert_int_equal(chdir("/"), 0);
	assert_absolute("x", "/x");
	assert_absolute(".", "/");
	assert_int_equal(chdir("/usr"), 0);
	assert_absolute("./bin/../lib", "/usr/bin/../lib");
	assert_absolute("", "/usr");
	assert_int_equal(fchdir(home), 0);
	close(home);
}

#ifdef RALPH_FAULTS

static void
plan(const char *text)
{
	setenv("RALPH_FAULT", text, 1);
	fs_fault_init();
}

static void
no_plan(void)
{
	unsetenv("RALPH_FAULT");
	fs_fault_init();
}

/* Every point of a replacement fails once; what is there is old or new. */
static void
faults_leave_the_old_file(void **state UNUSED)
{
	static const char *const codes[] = {"ENOSPC", "EIO"};
	static const int points = 5;

	for (size_t c = 0; c < ARRAY_LEN(codes); c++) {
		for (int at = 1; at <= points + 1; at++) {
			AUTO_FREE char *text = xasprintf("%s@%d", codes[c], at);
			struct err err = ERR_INIT;
			int rc;

			put("state", "old");
			plan(text);
			assert_null(getenv("RALPH_FAULT"));
			rc = fs_replace(scratch.fd, "state", "new", 3, FS_SYNC, &err);
			no_plan();
			assert_int_equal(rc, at <= points ? -1 : 0);
			if (rc < 0)
				assert_int_equal(err.code, c == 0 ? ENOSPC : EIO);
			assert_content("state", at < points ? "old" : "new");
			assert_int_equal(count_entries(), 1);
		}
	}
}

static void
faults_onward_hit_every_later_point(void **state UNUSED)
{
	struct err err = ERR_INIT;

	plan("ENOSPC@2+");
	assert_int_equal(fs_mkdir(scratch.fd, "a", &err), 0);
	assert_int_equal(fs_mkdir(scratch.fd, "b", &err), -1);
	assert_int_equal(fs_mkdir(scratch.fd, "c", &err), -1);
	no_plan();
	assert_int_equal(fs_mkdir(scratch.fd, "b", &err), 0);
}

static void
faults_short_writes_are_continued(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = fs_open_append(scratch.fd, "journal", &err);

	plan("SHORT@1+");
	assert_int_equal(fs_append(fd, "journal", "0123456789", 10, FS_SYNC, &err), 0);
	plan("EINTR@1");
	assert_int_equal(fs_append(fd, "journal", "x", 1, FS_NOSYNC, &err), 0);
	no_plan();
	close(fd);
	assert_content("journal", "0123456789x");
}

static void
faults_kill_at_every_point(void **state UNUSED)
{
	for (int at = 1; at <= 5; at++) {
		AUTO_FREE char *text = xasprintf("KILL@%d", at);
		int status;
		pid_t pid;

		put("state", "old");
		pid = fork();
		if (pid == 0) {
			plan(text);
			_exit(fs_replace(scratch.fd, "state", "new", 3, FS_SYNC, NULL) == 0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		assert_content("state", at < 5 ? "old" : "new");
		assert_int_equal(fs_sweep(scratch.fd, NULL), 0);
		assert_int_equal(count_entries(), 1);
	}
}

static void
faults_count_for_one_role_and_are_logged(void **state UNUSED)
{
	AUTO_FREE char *log = xasprintf("%s/log", scratch.path);
	struct err err = ERR_INIT;
	char **env = strlist_add(NULL, "A=1");

	setenv("RALPH_FAULT_ROLE", "keeper", 1);
	setenv("RALPH_FAULT_LOG", log, 1);
	plan("EIO@1+");
	assert_null(getenv("RALPH_FAULT_ROLE"));
	assert_null(getenv("RALPH_FAULT_LOG"));
	env = fs_fault_env(env);
	assert_int_equal(strlist_len(env), 4);
	assert_string_equal(env[1], "RALPH_FAULT=EIO@1+");
	assert_string_equal(env[2], "RALPH_FAULT_ROLE=keeper");
	assert_int_equal(fs_mkdir(scratch.fd, "a", &err), 0);
	fs_fault_role(FS_KEEPER);
	assert_int_equal(fs_mkdir(scratch.fd, "b", &err), -1);
	assert_int_equal(fs_unlink(scratch.fd, "b", &err), -1);
	fs_fault_role(FS_SUPERVISOR);
	no_plan();
	assert_content("log", "1 mkdir b\n2 unlink b\n");
	strlist_free(env);
}

#else

static void
faults_are_not_in_a_release(void **state UNUSED)
{
	struct err err = ERR_INIT;

	setenv("RALPH_FAULT", "EIO@1+", 1);
	fs_fault_init();
	assert_int_equal(fs_mkdir(scratch.fd, "a", &err), 0);
	assert_null(fs_fault_env(NULL));
}

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(replace_writes_private_files),
	    scratch_test(replace_takes_the_place_of_a_link),
	    scratch_test(replace_refuses_what_is_no_plain_name),
	    scratch_test(replace_copes_with_long_names_and_directories),
	    scratch_test(replace_survives_the_file_size_limit),
	    scratch_test(sweep_takes_only_what_is_left_behind),
	    scratch_test(draft_is_placed_or_not),
	    scratch_test(files_are_cut_and_punched),
	    scratch_test(shared_directories_are_the_umasks),
	    scratch_test(append_adds_to_what_is_there),
	    scratch_test(append_refuses_everything_but_files),
	    scratch_test(read_has_a_limit),
	    scratch_test(read_does_not_wait_on_a_pipe),
	    scratch_test(mkdirs_makes_parents),
	    scratch_test(rename_and_unlink),
	    scratch_test(remove_tree_leaves_what_links_point_at),
	    scratch_test(remove_tree_of_any_depth),
	    scratch_test(move_aside_keeps_every_copy),
	    scratch_test(list_is_sorted),
	    scratch_test(absolute_keeps_dot_dot),
	    scratch_test(below_goes_by_whole_names),
	    scratch_test(a_parent_goes_by_the_last_slash),
#ifdef RALPH_FAULTS
	    scratch_test(faults_leave_the_old_file),
	    scratch_test(faults_onward_hit_every_later_point),
	    scratch_test(faults_short_writes_are_continued),
	    scratch_test(faults_kill_at_every_point),
	    scratch_test(faults_count_for_one_role_and_are_logged),
#else
	    scratch_test(faults_are_not_in_a_release),
#endif
	};

	return cmocka_run_group_tests_name("fs", tests, NULL, NULL);
}
