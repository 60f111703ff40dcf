/*
 * heartbeat.c - the files of heartbeats.
 */
#include "loops/heartbeat.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/process/proc.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#define RECORD_MAX ((size_t)1 << 20)
#define LOCK_MAX ((size_t)4096)
#define OUST_PATIENCE_MS 2000

static char *
heartbeat_record_file_name(const char *name, const char *kind)
{
	return xasprintf(HEARTBEATS "/%s.%s", name, kind);
}

json_t *
heartbeat_load(int home, const char *name, struct err *err)
{
	AUTO_FREE char *file = heartbeat_record_file_name(name, "json");
	struct err why = {.code = ENOENT};
	json_t *record = name_is_valid(name) ? json_read(home, file, RECORD_MAX, &why) : NULL;

	if (json_is_object(record))
		return record;
	if (record != NULL)
		(void)err_set(&why, "%s is not a heartbeat", file);
	else if (why.code == ENOENT)
		(void)err_code(&why, ENOENT, "no heartbeat found for '%s'", name);
	json_decref(record);
	(void)err_pass(err, &why);
	return NULL;
}

int
heartbeat_save(int home, const char *name, json_t *record, const char *status, pid_t server,
    struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s.json", name);
	AUTO_CLOSE int dir = -1;

	(void)json_object_set_new(record, "status", json_string(status));
	(void)json_object_set_new(
	    record, "monitor_pid", server > 0 ? json_integer(server) : json_null());
	if (fs_mkdir(home, HEARTBEATS, err) < 0 ||
	    (dir = fs_open_dir(home, HEARTBEATS, err)) < 0)
		return -1;
	/* Removes the temporary files of killed writers; a failure does not matter. */
	(void)!fs_sweep(dir, NULL);
	return json_write(dir, file, record, false, FS_SYNC, err);
}

bool
heartbeat_is_wanted(const json_t *record)
{
	const char *status = json_str(record, "status", "");

	return strcmp(status, "active") == 0 || strcmp(status, "paused") == 0;
}

/* The process that holds a lock, as the lock's content tells; pid 0: the lock is free, or the
 * content is not there yet. */
static struct proc_id
holder(int home, const char *lock)
{
	struct proc_id id = {.pid = 0};
	AUTO_JSON *v =
	    lock_is_held(home, lock, NULL) == 1 ? json_read(home, lock, LOCK_MAX, NULL) : NULL;

	id.pid = (pid_t)json_int(v, "pid", 0);
	id.start_time = (uint64_t)json_int(v, "start_time", 0);
	(void)snprintf(id.boot_id, sizeof(id.boot_id), "%s", json_str(v, "boot_id", ""));
	return id;
}

static bool
is_served(int home, const char *name, const json_t *record)
{
	AUTO_FREE char *monitor = heartbeat_record_file_name(name, "lock");
	AUTO_FREE char *loop = xasprintf("loops/%s/lock", name);
	int64_t pid = json_int(record, "monitor_pid", 0);

	return (pid > 0 && holder(home, loop).pid == pid) ||
	       lock_is_held(home, monitor, NULL) == 1;
}

const char *
heartbeat_status(int home, const char *name, const json_t *record)
{
	if (strcmp(json_str(record, "status", ""), "expired") == 0)
		return "expired";
	if (!heartbeat_is_wanted(record) || !is_served(home, name, record))
		return "stopped";
	return strcmp(json_str(record, "status", ""), "paused") == 0 ? "paused" : "active";
}

/* The content of the lock may be that of an earlier holder; only a process that lives under its
 * whole identity while the lock is held is killed. */
int
heartbeat_oust(int home, const char *name, struct err *err)
{
	AUTO_FREE char *lock = heartbeat_record_file_name(name, "lock");
	struct proc_id id;
	AUTO_CLOSE int fd = -1;

	if (!name_is_valid(name) || lock_is_held(home, lock, NULL) != 1)
		return 0;
	id = holder(home, lock);
	if (id.pid > 0)
		fd = (int)syscall(SYS_pidfd_open, id.pid, 0);
	if (fd >= 0 && proc_id_alive(&id)) {
		struct pollfd end = {.fd = fd, .events = POLLIN};

		(void)syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
		(void)poll(&end, 1, OUST_PATIENCE_MS);
	}
	if (lock_is_held(home, lock, NULL) != 1)
		return 0;
	return err_set(err,
	    "the heartbeat of '%s' is kept by a process of an earlier version (pid %d), "
	    "which does not end",
	    name, (int)id.pid);
}

int
heartbeat_end(int home, const char *name, struct err *err)
{
	int rc = heartbeat_oust(home, name, err);
	AUTO_JSON *record = heartbeat_load(home, name, NULL);

	if (rc == 0 && heartbeat_is_wanted(record))
		rc = heartbeat_save(home, name, record, "stopped", 0, err);
	return rc;
}

void
heartbeat_drop(int home, const char *name)
{
	struct err err = ERR_INIT;

	if (heartbeat_end(home, name, &err) < 0)
		warning("heartbeat of '%s': %s", name, err.text);
}

void
heartbeat_forget(int home, const char *name)
{
	AUTO_CLOSE int dir = openat(home, HEARTBEATS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_FREE char *file = xasprintf("%s.json", name);
	AUTO_FREE char *lock = xasprintf("%s.lock", name);
	struct err err = ERR_INIT;

	if (dir < 0 || !name_is_valid(name))
		return;
	heartbeat_drop(home, name);
	if (fs_unlink(dir, file, &err) < 0 ||
	    (lock_is_held(dir, lock, NULL) == 0 && fs_unlink(dir, lock, &err) < 0))
		warning("heartbeat of '%s': %s", name, err.text);
}
