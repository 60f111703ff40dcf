/* A program is found where a shell would find it, and stays what it is, whatever becomes of its
 * file. */
#include "base/process/program.h"

#include "base/alloc.h"
#include "base/err.h"
#include "base/process/run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Runs the program by the name it has now, and returns how it ended. */
static int
ends_with(struct program *p, const char *arg)
{
	AUTO_FREE char *name = program_name(p);
	AUTO_FREE char *word = xstrdup(arg);
	struct run_result result;
	struct err err = ERR_INIT;
	int code;

	result = (struct run_result)RUN_INIT;
	assert_int_equal(run_program(&(struct run_spec){.argv = (char *[]){name, word, NULL}},
			     &result, &err),
	    0);
	code = exit_number(result.status);
	run_result_release(&result);
	return code;
}

/* Puts a new file at `to`, as an upgrade does. */
static void
copy_to(char *from, const char *to)
{
	char cp[] = "cp", force[] = "--remove-destination";
	AUTO_FREE char *place = xstrdup(to);
	struct run_result result;

	result = (struct run_result)RUN_INIT;
	assert_int_equal(
	    run_checked(&(struct run_spec){.argv = (char *[]){cp, force, from, place, NULL}},
		&result, NULL),
	    0);
	run_result_release(&result);
}

static void
its_path_is_its_name_while_the_file_is_there(void **state UNUSED)
{
	struct program *self = program_self();
	AUTO_FREE char *name = NULL;

	assert_non_null(self);
	name = program_name(self);
	assert_string_equal(name, self->path);
	assert_int_equal(access(name, X_OK), 0);
	assert_ptr_equal(program_self(), self);
}

static void
another_file_in_its_place_is_not_it(void **state UNUSED)
{
	AUTO_FREE char *dir = xstrdup("/tmp/ralph-program.XXXXXX");
	AUTO_FREE char *path = NULL;
	char yes[] = "/bin/true", no[] = "/bin/false";
	struct program p;
	int status = -1;

	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/program", dir);
	copy_to(yes, path);
	assert_int_equal(program_open(&p, path), 0);
	assert_int_equal(ends_with(&p, "x"), 0);
	copy_to(no, path);
	assert_int_equal(ends_with(&p, "x"), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(ends_with(&p, "x"), 0);
	/* A fork without the descriptor has it from us. */
	if (fork() == 0) {
		close(p.fd);
		_exit(ends_with(&p, "x") == 0 ? 0 : 1);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	close(p.fd);
	free(p.path);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(program_open(&p, path), -1);
}

static void
path_is_searched_in_its_order(void **state UNUSED)
{
	AUTO_FREE char *dir = xstrdup("/tmp/ralph-program.XXXXXX");
	AUTO_FREE char *before = xstrdup(getenv("PATH"));
	AUTO_FREE char *file = NULL, *found = NULL, *missing = NULL, *path = NULL;
	char yes[] = "/bin/true";

	assert_non_null(mkdtemp(dir));
	file = xasprintf("%s/true", dir);
	copy_to(yes, file);
	/* A directory is no program, whatever its name. */
	path = xasprintf("/no/such:%s/..:%s:/bin", dir, dir);
	assert_int_equal(setenv("PATH", path, 1), 0);
	found = program_find("true");
	missing = program_find(basename(dir));
	assert_string_equal(found, file);
	assert_null(missing);
	assert_int_equal(setenv("PATH", before, 1), 0);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void
an_empty_directory_of_path_is_this_one(void **state UNUSED)
{
	AUTO_STRLIST dirs = program_dirs("/bin::/usr/bin:");
	AUTO_STRLIST none = program_dirs("");
	AUTO_STRLIST usual = program_dirs(NULL);

	assert_int_equal(strlist_len(dirs), 4);
	assert_string_equal(dirs[0], "/bin");
	assert_string_equal(dirs[1], ".");
	assert_string_equal(dirs[2], "/usr/bin");
	assert_string_equal(dirs[3], ".");
	assert_int_equal(strlist_len(none), 1);
	assert_string_equal(none[0], ".");
	assert_true(strlist_has(usual, "/usr/bin"));
}

static void
a_file_beside_us_has_our_directory(void **state UNUSED)
{
	AUTO_FREE char *beside = program_beside("other");
	size_t len = strlen(beside) - strlen("/other");

	assert_string_equal(beside + len, "/other");
	assert_int_equal(strncmp(program_self()->path, beside, len + 1), 0);
	assert_null(strchr(program_self()->path + len + 1, '/'));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(its_path_is_its_name_while_the_file_is_there),
	    cmocka_unit_test(another_file_in_its_place_is_not_it),
	    cmocka_unit_test(path_is_searched_in_its_order),
	    cmocka_unit_test(an_empty_directory_of_path_is_this_one),
	    cmocka_unit_test(a_file_beside_us_has_our_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
