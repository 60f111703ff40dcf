/* Files of the user's: neither other writers nor a kill cost a byte, and they stay his. */
#include "base/alloc.h"
#include "base/userfile.h"
#include "scratch.h"
#include <sys/wait.h>

static struct err err;

/* Adds "!"; somebody else writes in the first `*ctx` turns. */
static int
shout(struct userfile *f, void *ctx, struct buf *out, struct err *e UNUSED)
{
	int *others = ctx;

	buf_add(out, f->text.data, f->text.len);
	buf_addc(out, '!');
	if (*others > 0) {
		AUTO_FREE char *text = xasprintf("%s+%d", f->text.data, *others);

		scratch_put("f", text);
		*others -= 1;
	}
	return 0;
}

static int
leave(struct userfile *f, void *ctx, struct buf *out UNUSED, struct err *e UNUSED)
{
	*(bool *)ctx = f->exists;
	return 1;
}

static int
refuse(struct userfile *f UNUSED, void *ctx UNUSED, struct buf *out UNUSED, struct err *e)
{
	return err_set(e, "no");
}

static char *
path_of(const char *name)
{
	return xasprintf("%s/%s", scratch.path, name);
}

static void
test_others_are_merged(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	int others = 3;

	scratch_put("f", "a");
	assert_int_equal(userfile_change(AT_FDCWD, path, 1 << 20, shout, &others, &err), 0);
	scratch_assert("f", "a+3+2+1!");
	others = 1000;
	assert_int_equal(userfile_change(AT_FDCWD, path, 1 << 20, shout, &others, &err), -1);
	assert_int_equal(err.code, EBUSY);
	assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
	/* Nothing else is left. */
	assert_int_equal(rmdir(scratch.path), 0);
	assert_int_equal(mkdir(scratch.path, 0700), 0);
}

static void
test_new_files(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	AUTO_FREE char *dangling = path_of("link");
	int others = 0;
	bool exists = true;
	struct stat st;

	assert_int_equal(userfile_change(AT_FDCWD, path, 1 << 20, leave, &exists, &err), 1);
	assert_false(exists);
	assert_int_equal(userfile_change(AT_FDCWD, path, 1 << 20, shout, &others, &err), 0);
	scratch_assert("f", "!");
	assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	others = 1; /* the file appears while it is being made */
	assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
	assert_int_equal(userfile_change(AT_FDCWD, path, 1 << 20, shout, &others, &err), 0);
	scratch_assert("f", "+1!");
	assert_int_equal(symlinkat("nowhere/x", scratch.fd, "link"), 0);
	assert_int_equal(userfile_change(AT_FDCWD, dangling, 1 << 20, refuse, NULL, &err), -1);
	assert_string_equal(err.text, "no");
}

static void
test_refused(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	bool exists;

	scratch_put("f", "12345");
	assert_int_equal(userfile_change(AT_FDCWD, path, 4, leave, &exists, &err), -1);
	assert_int_equal(err.code, EFBIG);
	assert_int_equal(userfile_change(AT_FDCWD, path, 5, refuse, NULL, &err), -1);
	assert_int_equal(userfile_change(AT_FDCWD, scratch.path, 5, leave, &exists, &err), -1);
	scratch_assert("f", "12345");
}

static int
aside(struct userfile *f, void *ctx, struct buf *out, struct err *e)
{
	if (f->exists && userfile_aside(f, ctx, e) < 0)
		return -1;
	buf_adds(out, "new");
	return 0;
}

static void
test_aside(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f.json");
	AUTO_BUF moved = BUF_INIT;

	scratch_put("f.json", "old");
	assert_int_equal(userfile_change(AT_FDCWD, path, 100, aside, &moved, &err), 0);
	scratch_assert("f.json", "new");
	scratch_assert(moved.data, "old");
}

static void
test_link_and_mode_are_kept(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("link");
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	int others = 0;
	struct stat st;

	assert_int_equal(mkdirat(scratch.fd, "away", 0700), 0);
	scratch_put("away/f", "a");
	assert_int_equal(fchmodat(scratch.fd, "away/f", 02751, 0), 0);
	assert_int_equal(symlinkat("away/f", scratch.fd, "link"), 0);
	assert_int_equal(userfile_change(AT_FDCWD, path, 100, shout, &others, &err), 0);
	scratch_assert("away/f", "a!");
	buf_adds(&old, "a!");
	buf_adds(&text, "b");
	assert_int_equal(userfile_replace(scratch.fd, "link", &old, &text, &err), 0);
	scratch_assert("away/f", "b");
	assert_int_equal(userfile_replace(scratch.fd, "link", NULL, &old, &err), 0);
	scratch_assert("away/f", "a!");
	assert_int_equal(fstatat(scratch.fd, "link", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(fstatat(scratch.fd, "away/f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 02751);
}

/* Only root can give files away. */
static void
test_owner_is_kept(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct stat st;

	if (geteuid() != 0)
		skip();
	scratch_put("f", "a");
	assert_int_equal(fchownat(scratch.fd, "f", 12, 34, 0), 0);
	assert_int_equal(fchmodat(scratch.fd, "f", 04644, 0), 0);
	buf_adds(&text, "b");
	assert_int_equal(userfile_replace(scratch.fd, "f", NULL, &text, &err), 0);
	scratch_assert("f", "b");
	assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
	assert_int_equal(st.st_uid, 12);
	assert_int_equal(st.st_gid, 34);
	assert_int_equal(st.st_mode & 07777, 04644);
}

static void
test_replace_notices_others(void **state UNUSED)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	static const char *const theirs[] = {"B", "longer", ""};

	buf_adds(&old, "a");
	buf_adds(&text, "ours");
	for (size_t i = 0; i < ARRAY_LEN(theirs); i++) {
		scratch_put("f", theirs[i]);
		assert_int_equal(userfile_replace(scratch.fd, "f", &old, &text, &err), -1);
		assert_int_equal(err.code, EBUSY);
		scratch_assert("f", theirs[i]);
	}
	assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
	assert_int_equal(userfile_replace(scratch.fd, "f", &old, &text, &err), -1);
	assert_int_equal(err.code, EBUSY);
	/* Neither file nor draft is there. */
	assert_int_equal(rmdir(scratch.path), 0);
	assert_int_equal(mkdir(scratch.path, 0700), 0);
}

static void
test_create(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct stat st;
	mode_t mask = umask(027);

	buf_adds(&text, "new");
	assert_int_equal(userfile_create(scratch.fd, "f", &text, &err), 0);
	(void)umask(mask);
	scratch_assert("f", "new");
	assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	buf_adds(&text, "er");
	assert_int_equal(userfile_create(scratch.fd, "f", &text, &err), -1);
	assert_int_equal(err.code, EEXIST);
	scratch_assert("f", "new");
	assert_int_equal(symlinkat("nowhere", scratch.fd, "link"), 0);
	assert_int_equal(userfile_create(scratch.fd, "link", &text, &err), -1);
	assert_int_equal(err.code, EEXIST);
	assert_int_equal(userfile_create(scratch.fd, "none/f", &text, &err), -1);
	assert_string_equal(err.text, "cannot create none/f: No such file or directory");
}

#ifdef RALPH_FAULTS

static void
plan(const char *text)
{
	setenv("RALPH_FAULT", text, 1);
	fs_fault_init();
}

static bool
has_file(const char *text)
{
	AUTO_BUF now = BUF_INIT;

	return fs_read(scratch.fd, "f", 100, &now, NULL) == 0 && strcmp(now.data, text) == 0;
}

/* Kills or fails at one point after the other until nothing happens any more. */
static void
at_every_point(const char *fault)
{
	AUTO_BUF new = BUF_INIT;
	int status = -1;

	buf_adds(&new, "new");
	for (int at = 1; status != 0; at++) {
		AUTO_FREE char *text = xasprintf("%s@%d", fault, at);
		struct stat st;
		pid_t pid;

		assert_true(at < 20);
		scratch_put("f", "old");
		assert_int_equal(fchmodat(scratch.fd, "f", 0640, 0), 0);
		pid = fork();
		if (pid == 0) {
			plan(text);
			_exit(userfile_replace(scratch.fd, "f", NULL, &new, NULL) < 0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(has_file("old") || has_file("new"));
		assert_true(status != 0 || has_file("new"));
		assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
		assert_int_equal(st.st_mode & 07777, 0640);
		/* The next writer takes away what is left. */
		assert_int_equal(userfile_replace(scratch.fd, "f", NULL, &new, &err), 0);
		assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
		assert_int_equal(rmdir(scratch.path), 0);
		assert_int_equal(mkdir(scratch.path, 0700), 0);
		close(scratch.fd);
		scratch.fd = open(scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
}

static void
test_faults_are_harmless(void **state UNUSED)
{
	at_every_point("KILL");
	at_every_point("ENOSPC");
}

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(test_others_are_merged),
	    scratch_test(test_new_files),
	    scratch_test(test_refused),
	    scratch_test(test_aside),
	    scratch_test(test_link_and_mode_are_kept),
	    scratch_test(test_owner_is_kept),
	    scratch_test(test_replace_notices_others),
	    scratch_test(test_create),
#ifdef RALPH_FAULTS
	    scratch_test(test_faults_are_harmless),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
