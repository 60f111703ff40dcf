#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/run.h"
#include "scratch.h"
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#define PLENTY (30 * NSEC_PER_SEC)

static struct run_result result;
static struct err err;

static int
setup(void **state)
{
	result = (struct run_result)RUN_INIT;
	err = (struct err)ERR_INIT;
	return scratch_setup(state);
}

static int
teardown(void **state)
{
	run_result_release(&result);
	return scratch_teardown(state);
}

typedef int run_fn(const struct run_spec *, struct run_result *, struct err *);

static int
run_script(run_fn *run, const char *text, struct run_spec spec)
{
	char **argv = strlist_add(strlist_add(strlist_add(NULL, "sh"), "-c"), text);
	int rc;

	spec.argv = argv;
	spec.timeout = spec.timeout ? spec.timeout : PLENTY;
	rc = run(&spec, &result, &err);
	strlist_free(argv);
	return rc;
}

/* Nothing is left to be reaped. */
static void
assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void
both_outputs_and_the_status_come_back(void **state UNUSED)
{
	const struct run_spec plain = {.argv = NULL};

	assert_int_equal(
	    run_script(run_program, "echo out; echo err >&2; cat; exit 3", plain), 0);
	assert_string_equal(result.out.data, "out\n");
	assert_string_equal(result.err.data, "err\n");
	assert_int_equal(result.status.how, EXIT_CODE);
	assert_int_equal(result.status.value, 3);
	/* A result is used again without being released. */
	assert_int_equal(run_script(run_program, "printf 'a\\0b'; kill -9 $$", plain), 0);
	assert_int_equal(result.out.len, 3);
	assert_memory_equal(result.out.data, "a\0b", 4);
	assert_int_equal(result.err.len, 0);
	assert_int_equal(result.status.how, EXIT_SIGNAL);
	assert_int_equal(result.status.value, SIGKILL);
	assert_no_child();
}

static void
input_environment_and_directory_are_the_given_ones(void **state UNUSED)
{
	char **env = strlist_add(strlist_add(NULL, "PATH=/usr/bin:/bin"), "WHO=me");
	size_t len = 1000000;
	AUTO_FREE char *input = xmalloc(len);

	memset(input, 'i', len);
	assert_int_equal(
	    run_script(run_checked, "cat", (struct run_spec){.input = input, .input_len = len}),
	    0);
	assert_int_equal(result.out.len, len);
	assert_memory_equal(result.out.data, input, len);
	/* The program does not read its input: no signal comes, and nobody waits. */
	assert_int_equal(
	    run_script(run_checked, "exec <&-; echo $WHO; pwd; echo ${HOME-unset}",
		(struct run_spec){.input = input, .input_len = len, .env = env, .cwd = "/usr"}),
	    0);
	assert_string_equal(result.out.data, "me\n/usr\nunset\n");
	strlist_free(env);
}

static void
much_output_on_both_does_not_block(void **state UNUSED)
{
	assert_int_equal(
	    run_script(run_checked,
		"i=0; while [ $i -lt 200 ]; do printf %4000d $i; printf %4000d $i >&2; "
		"i=$((i+1)); done",
		(struct run_spec){.argv = NULL}),
	    0);
	assert_int_equal(result.out.len, 800000);
	assert_int_equal(result.err.len, 800000);
}

static void
too_much_output_is_an_error(void **state UNUSED)
{
	struct run_spec spec = {.what = "chatter", .max = 1000};

	assert_int_equal(run_script(run_program, "printf %1000d 7", spec), 0);
	assert_int_equal(run_script(run_program, "exec yes", spec), -1);
	assert_string_equal(err.text, "chatter printed more than 1000 bytes");
	assert_int_equal(err.code, EFBIG);
	assert_int_equal(run_script(run_program, "exec yes >&2", spec), -1);
	assert_no_child();
}

/* The whole group is killed: also a child that keeps our pipe, and one that ignores TERM. */
static void
too_long_is_an_error_and_leaves_nobody(void **state UNUSED)
{
	AUTO_FREE char *fifo = xasprintf("%s/alive", scratch.path);
	AUTO_FREE char *script =
	    xasprintf("trap '' TERM HUP; sleep 1000 >'%s' & echo begun; wait", fifo);
	struct pollfd closed;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	closed = (struct pollfd){.fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
	assert_true(closed.fd >= 0);
	assert_int_equal(
	    run_script(run_program, script, (struct run_spec){.timeout = NSEC_PER_SEC}), -1);
	assert_string_equal(err.text, "sh took longer than 1s");
	assert_int_equal(err.code, ETIMEDOUT);
	assert_string_equal(result.out.data, "begun\n");
	/* The pipe hangs up when the last writer is gone. */
	assert_int_equal(poll(&closed, 1, 10000), 1);
	assert_true(closed.revents & POLLHUP);
	close(closed.fd);
	assert_no_child();
}

/* The program leaves a process behind, as one that starts a server does. */
static void
what_it_leaves_behind_is_not_waited_for(void **state UNUSED)
{
	int64_t begin = clock_boot();
	pid_t left;

	assert_int_equal(
	    run_script(run_checked, "sleep 1000 & echo $!", (struct run_spec){.argv = NULL}),
	    0);
	assert_true(clock_boot() - begin < PLENTY);
	left = (pid_t)strtol(result.out.data, NULL, 10);
	assert_true(left > 1);
	assert_int_equal(kill(left, SIGKILL), 0);
}

static void
a_failure_is_told_in_one_line(void **state UNUSED)
{
	static const struct {
		const char *script, *text;
	} cases[] = {
	    {"echo 'fatal: no such thing' >&2; echo more >&2; exit 128",
		"git x: fatal: no such thing"},
	    {"echo 'warning: old' >&2; echo >&2; echo 'fatal: new' >&2; exit 1",
		"git x: fatal: new"},
	    {"echo 'warning: old' >&2; exit 1", "git x: warning: old"},
	    {"printf 'a\\033[31mb' >&2; exit 1", "git x: a\\x1b[31mb"},
	    {"exit 7", "git x ended with status 7"},
	    {"kill -15 $$", "git x was killed by signal 15"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(run_script(run_checked, cases[i].script,
				     (struct run_spec){.what = "git x"}),
		    -1);
		assert_string_equal(err.text, cases[i].text);
	}
	assert_int_equal(
	    run_script(run_checked, "echo noise >&2", (struct run_spec){.what = "git x"}), 0);
}

static void
what_cannot_be_run_is_an_error(void **state UNUSED)
{
	char **argv = strlist_add(NULL, "no-such-git");
	struct run_spec spec = {.argv = argv};
	int before = dup(scratch.fd), after;

	close(before);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(run_program(&spec, &result, &err), -1);
		assert_string_equal(err.text, "no-such-git: command not found");
		assert_int_equal(run_script(run_checked, ":",
				     (struct run_spec){.input = "x", .input_len = 1}),
		    0);
	}
	after = dup(scratch.fd);
	close(after);
	assert_int_equal(after, before);
	spec.cwd = "/no/such/directory";
	assert_int_equal(run_program(&spec, &result, &err), -1);
	assert_int_equal(err.code, ENOENT);
	strlist_free(argv);
	assert_no_child();
}

static int
note_pause(void *ctx, struct err *why)
{
	int *calls = ctx;

	return ++*calls > 1 ? err_set(why, "called again") : 0;
}

static int
refuse_pause(void *ctx UNUSED, struct err *why)
{
	return err_set(why, "not now");
}

static void
a_pause_comes_before_the_rest_of_the_input(void **state UNUSED)
{
	int calls = 0;
	struct run_pause pause = {
	    .at = "first: ok\n", .then = note_pause, .ctx = &calls, .rest = "two\n"};
	struct run_spec spec = {.input = "one\n", .input_len = 4, .pause = &pause};
	const char *script =
	    "read a; echo \"$a\"; echo first: ok; while read b; do echo \"$b\"; done; echo end";

	assert_int_equal(run_script(run_checked, script, spec), 0);
	assert_string_equal(result.out.data, "one\nfirst: ok\ntwo\nend\n");
	assert_int_equal(calls, 1);
	pause.then = refuse_pause;
	assert_int_equal(run_script(run_checked, script, spec), -1);
	assert_string_equal(err.text, "not now");
	assert_string_equal(result.out.data, "one\nfirst: ok\nend\n");
	/* The program never comes to the pause. */
	assert_int_equal(run_script(run_checked, "exit 3", spec), -1);
	assert_no_child();
}

#define result_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    result_test(both_outputs_and_the_status_come_back),
	    result_test(input_environment_and_directory_are_the_given_ones),
	    result_test(much_output_on_both_does_not_block),
	    result_test(too_much_output_is_an_error),
	    result_test(too_long_is_an_error_and_leaves_nobody),
	    result_test(what_it_leaves_behind_is_not_waited_for),
	    result_test(a_failure_is_told_in_one_line),
	    result_test(what_cannot_be_run_is_an_error),
	    result_test(a_pause_comes_before_the_rest_of_the_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
