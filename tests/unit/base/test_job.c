/* job.h: a function in a process of its own, and nothing left of it. */
#include "base/process/job.h"

#include "base/clock.h"
#include "base/process/proc.h"
#include "base/process/run.h"
#include "scratch.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct told {
	struct ev *ev;
	int calls, rc, code;
	char out[64], error[128];
};

static void
done(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct told *t = ctx;

	t->calls++;
	t->rc = rc;
	t->code = err->code;
	snprintf(t->out, sizeof(t->out), "%s", out->data == NULL ? "" : out->data);
	snprintf(t->error, sizeof(t->error), "%.120s", err->text);
	ev_stop(t->ev);
}

static int
says(const void *arg, struct buf *out, struct err *err)
{
	(void)err;
	buf_addf(out, "got %s", (const char *)arg);
	return 0;
}

static int
fails(const void *arg, struct buf *out, struct err *err)
{
	(void)arg;
	(void)out;
	errno = ENOSPC;
	return err_errno(err, "no luck");
}

static int
dies(const void *arg, struct buf *out, struct err *err)
{
	(void)arg;
	(void)out;
	(void)err;
	raise(SIGKILL);
	return 0;
}

/* A grandchild in a session of its own, which ignores TERM; its pid goes to a pipe. */
static int
leaves(const void *arg, struct buf *out, struct err *err)
{
	pid_t pid = fork();

	(void)err;
	if (pid == 0) {
		(void)setsid();
		(void)signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	}
	buf_addf(out, "%d", (int)pid);
	if (arg != NULL) {
		const char *path = arg;
		FILE *f = fopen(path, "w");

		(void)fprintf(f, "%d", (int)pid);
		(void)fclose(f);
		(void)signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	}
	return 0;
}

/* Runs a program that must not be stopped half-way, which writes something when it is allowed
 * to. (dash would forget which signals are blocked.) */
static int
finishes(const void *arg, struct buf *out, struct err *err)
{
	static char bash[] = "bash", c[] = "-c",
		    script[] = "echo $$ >begun; until test -e go; do sleep 0.01; done; "
			       "echo 1 >whole";
	char *argv[] = {bash, c, script, NULL};
	struct run_result result;
	int rc;

	result = (struct run_result)RUN_INIT;
	rc = run_program(
	    &(struct run_spec){.argv = argv, .cwd = arg, .whole = true}, &result, err);
	run_result_release(&result);
	buf_adds(out, "went on");
	return rc;
}

static bool
lives(pid_t pid)
{
	struct proc_id id;

	return proc_id_of(pid, &id) == 0 && proc_id_alive(&id);
}

static struct told
run(job_fn *fn, const void *arg)
{
	struct told t = {.ev = ev_new()};
	struct err err = ERR_INIT;

	assert_non_null(job_start(t.ev, fn, arg, done, &t, &err));
	ev_run(t.ev);
	ev_free(t.ev);
	return t;
}

static void
an_answer_comes_back(void **unused UNUSED)
{
	struct told t = run(says, "it");

	assert_int_equal(t.calls, 1);
	assert_int_equal(t.rc, 0);
	assert_string_equal(t.out, "got it");
}

static void
an_error_comes_back_with_its_code(void **unused UNUSED)
{
	struct told t = run(fails, NULL);

	assert_int_equal(t.rc, -1);
	assert_int_equal(t.code, ENOSPC);
	assert_non_null(strstr(t.error, "no luck"));
}

static void
a_death_is_no_answer(void **unused UNUSED)
{
	struct told t = run(dies, NULL);

	assert_int_equal(t.rc, -1);
	assert_string_equal(t.error, "died");
}

static void
nothing_is_left_when_it_returns(void **unused UNUSED)
{
	struct told t = run(leaves, NULL);

	assert_int_equal(t.rc, 0);
	assert_false(lives((pid_t)strtol(t.out, NULL, 10)));
}

static pid_t
pid_in(const char *path)
{
	char text[32] = "";
	FILE *f = fopen(path, "r");

	if (f != NULL) {
		if (fgets(text, sizeof(text), f) == NULL)
			text[0] = '\0';
		(void)fclose(f);
	}
	return (pid_t)strtol(text, NULL, 10);
}

static void
an_ended_job_takes_its_tree_along(void **unused UNUSED)
{
	struct told t = {.ev = ev_new()};
	struct err err = ERR_INIT;
	AUTO_BUF path = BUF_INIT;
	struct job *job;

	buf_addf(&path, "%s/pid", scratch.path);
	job = job_start(t.ev, leaves, path.data, done, &t, &err);
	assert_non_null(job);
	while (pid_in(path.data) == 0)
		ev_once(t.ev, NSEC_PER_MSEC);
	job_end(job, 10 * NSEC_PER_MSEC);
	ev_run(t.ev);
	assert_int_equal(t.rc, -1);
	assert_int_equal(t.code, ECANCELED);
	assert_false(lives(pid_in(path.data)));
	ev_free(t.ev);
}

static void
a_job_that_is_let_go_is_silent_and_gone(void **unused UNUSED)
{
	struct told t = {.ev = ev_new()};
	struct err err = ERR_INIT;
	AUTO_BUF path = BUF_INIT;
	struct job *job;

	buf_addf(&path, "%s/pid2", scratch.path);
	job = job_start(t.ev, leaves, path.data, done, &t, &err);
	assert_non_null(job);
	while (pid_in(path.data) == 0)
		ev_once(t.ev, NSEC_PER_MSEC);
	job_free(job);
	assert_int_equal(t.calls, 0);
	assert_false(lives(pid_in(path.data)));
	ev_free(t.ev);
}

static pid_t
number_in(const char *name)
{
	AUTO_BUF path = BUF_INIT;

	buf_addf(&path, "%s/%s", scratch.path, name);
	return pid_in(path.data);
}

static void
let_go_on(void)
{
	AUTO_BUF path = BUF_INIT;

	buf_addf(&path, "%s/go", scratch.path);
	assert_int_equal(fclose(fopen(path.data, "w")), 0);
}

/* What a line of /proc/PID/status says. */
static uint64_t
status_of(pid_t pid, const char *name, int base)
{
	char path[64], line[256];
	uint64_t value = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			value = strtoull(line + strlen(name), NULL, base);
	(void)fclose(f);
	return value;
}

static bool
was_told_to_end(pid_t pid)
{
	return (status_of(pid, "ShdPnd:", 16) & 1U << (SIGTERM - 1)) != 0;
}

static void
an_ended_job_lets_finish_what_has_to_be_whole(void **unused UNUSED)
{
	struct told t = {.ev = ev_new()};
	struct err err = ERR_INIT;
	struct job *job = job_start(t.ev, finishes, scratch.path, done, &t, &err);
	pid_t program, function;

	assert_non_null(job);
	while ((program = number_in("begun")) == 0)
		ev_once(t.ev, NSEC_PER_MSEC);
	function = (pid_t)status_of(program, "PPid:", 10);
	job_end(job, 60 * NSEC_PER_SEC);
	while (!was_told_to_end(program) || !was_told_to_end(function))
		ev_once(t.ev, NSEC_PER_MSEC);
	let_go_on();
	ev_run(t.ev);
	assert_int_equal(t.code, ECANCELED);
	assert_string_equal(t.out, "");
	assert_int_equal(number_in("whole"), 1);
	ev_free(t.ev);
}

/* Whoever started the job is killed: its watcher lets git finish all the same. */
static bool
begun(void)
{
	return number_in("begun") != 0;
}

static bool
over(void)
{
	return !lives(number_in("begun"));
}

static void
wait_for(bool (*event)(void))
{
	int64_t deadline = clock_boot() + 60 * NSEC_PER_SEC;

	while (!event()) {
		assert_true(clock_boot() < deadline);
		(void)poll(NULL, 0, 1);
	}
}

static void
an_orphaned_job_lets_finish_what_has_to_be_whole(void **unused UNUSED)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct told t = {.ev = ev_new()};
		struct err err = ERR_INIT;

		if (job_start(t.ev, finishes, scratch.path, done, &t, &err) == NULL)
			_exit(1);
		ev_run(t.ev);
		_exit(1);
	}
	wait_for(begun);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	let_go_on();
	wait_for(over);
	assert_int_equal(number_in("whole"), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_comes_back),
	    cmocka_unit_test(an_error_comes_back_with_its_code),
	    cmocka_unit_test(a_death_is_no_answer),
	    cmocka_unit_test(nothing_is_left_when_it_returns),
	    scratch_test(an_ended_job_takes_its_tree_along),
	    scratch_test(a_job_that_is_let_go_is_silent_and_gone),
	    scratch_test(an_ended_job_lets_finish_what_has_to_be_whole),
	    scratch_test(an_orphaned_job_lets_finish_what_has_to_be_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
