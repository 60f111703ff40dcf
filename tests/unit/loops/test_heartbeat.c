/* The record of a heartbeat when its writer is killed, or the disk is full, at any point. */
#include "../record/scratch.h"
#include "loops/heartbeat.h"
#include <dirent.h>
#include <sys/wait.h>

#define POINTS_MAX 50

static void
put(const struct scratch *tmp, const char *message)
{
	AUTO_JSON *record = json_pack("{s:s}", "message", message);
	struct err err = ERR_INIT;

	assert_int_equal(heartbeat_save(tmp->dir, "w", record, "active", 0, &err), 0);
}

/* Saves the message in a process that meets the fault at its k-th point; returns how that
 * process ended, as waitpid tells. */
static int
put_with_fault(const struct scratch *tmp, const char *fault, int k, const char *message)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		AUTO_FREE char *plan = xasprintf("%s@%d", fault, k);
		AUTO_JSON *record = json_pack("{s:s}", "message", message);

		setenv("RALPH_FAULT", plan, 1);
		fs_fault_init();
		_exit(heartbeat_save(tmp->dir, "w", record, "active", 0, NULL) < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* How many files there are, hidden ones too. */
static int
files(const struct scratch *tmp)
{
	AUTO_FREE char *path = xasprintf("%s/" HEARTBEATS, tmp->path);
	DIR *dir = opendir(path);
	struct dirent *e;
	int n = 0;

	assert_non_null(dir);
	while ((e = readdir(dir)) != NULL)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(dir);
	return n;
}

/* Returns at how many points the writer failed or was killed before the message was there. */
static int
sweep(const char *fault)
{
	int met = 0, old = 0;

	for (int k = 1; k == 1 || met == k - 1; k++) {
		struct scratch tmp;
		struct err err = ERR_INIT;
		AUTO_JSON *record = NULL;
		const char *message;
		int status;

		assert_true(k < POINTS_MAX);
		scratch_open(&tmp);
		put(&tmp, "old");
		status = put_with_fault(&tmp, fault, k, "new");
		record = heartbeat_load(tmp.dir, "w", &err);
		assert_non_null(record);
		message = json_str(record, "message", "");
		assert_true(strcmp(message, "old") == 0 || strcmp(message, "new") == 0);
		if (status == 0)
			assert_string_equal(message, "new");
		else
			met++;
		old += strcmp(message, "old") == 0;
		put(&tmp, "again");
		assert_int_equal(files(&tmp), 1);
		scratch_close(&tmp);
	}
	return old;
}

static void
the_record_is_the_old_or_the_new_one_at_every_point(void **unused UNUSED)
{
#ifndef RALPH_FAULTS
	skip();
#endif
	assert_true(sweep("KILL") >= 3);
	assert_true(sweep("ENOSPC") >= 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_record_is_the_old_or_the_new_one_at_every_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
