/*
 * heartbeat_record.c - the files of heartbeats.
 */
#include "cmd/swarm/heartbeat.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#define CHANGE_LOCK "heartbeat.lock"
#define RECORD_MAX ((size_t)1 << 20)

static char *
file_name(const char *name, const char *kind)
{
	return xasprintf(HEARTBEATS "/%s.%s", name, kind);
}

static int
not_there(struct err *err, const char *name)
{
	(void)err_set(err, "no heartbeat found for '%s'", name);
	if (err != NULL)
		err->code = ENOENT;
	return -1;
}

json_t *
heartbeat_load(int home, const char *name, struct err *err)
{
	AUTO_FREE char *file = file_name(name, "json");
	AUTO_BUF data = BUF_INIT;
	struct err why = ERR_INIT;
	json_t *record;

	if (!name_is_valid(name) || fs_read(home, file, RECORD_MAX, &data, &why) < 0) {
		if (why.code == ENOENT || why.code == 0)
			(void)not_there(err, name);
		else if (err != NULL)
			*err = why;
		return NULL;
	}
	record = json_parse(data.data, data.len, file, err);
	if (record != NULL && !json_is_object(record)) {
		json_decref(take_ptr(record));
		(void)err_set(err, "%s is not a heartbeat", file);
	}
	return record;
}

static int
change_lock(int home, struct err *err)
{
	int fd = openat(home, CHANGE_LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	/* Held for a millisecond by each; waiting is right. */
	if (fd >= 0 && flock(fd, LOCK_EX) == 0)
		return fd;
	(void)err_errno(err, "cannot lock " CHANGE_LOCK);
	if (fd >= 0)
		close(fd);
	return -1;
}

static int
write_record(int home, const char *name, const json_t *record, struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s.json", name);
	AUTO_CLOSE int dir = -1;
	AUTO_BUF text = BUF_INIT;

	if (fs_mkdir(home, HEARTBEATS, err) < 0 ||
	    (dir = fs_open_dir(home, HEARTBEATS, err)) < 0)
		return -1;
	json_print(record, false, &text);
	buf_addc(&text, '\n');
	return fs_replace(dir, file, text.data, text.len, FS_NOSYNC, err);
}

int
heartbeat_save(int home, const char *name, const json_t *record, struct err *err)
{
	AUTO_CLOSE int held = change_lock(home, err);

	return held < 0 ? -1 : write_record(home, name, record, err);
}

int
heartbeat_change(int home, const char *name, json_t *changes, struct err *err)
{
	AUTO_CLOSE int held = change_lock(home, err);
	AUTO_JSON *record = held < 0 ? NULL : heartbeat_load(home, name, err);

	if (record == NULL)
		return -1;
	(void)json_object_update(record, changes);
	return write_record(home, name, record, err);
}

const char *
heartbeat_status(int home, const char *name, const json_t *record)
{
	static const char *const words[] = {"active", "paused", "expired"};
	AUTO_FREE char *lock = file_name(name, "lock");
	const char *status = json_str(record, "status", "");

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(status, words[i]) == 0 &&
		    (i == 2 || lock_is_held(home, lock, NULL) == 1))
			return words[i];
	return "stopped";
}

bool
heartbeat_is_on(int home, const char *name, const json_t *record)
{
	const char *status = heartbeat_status(home, name, record);

	return strcmp(status, "active") == 0 || strcmp(status, "paused") == 0;
}

void
heartbeat_end(int home, const char *name)
{
	AUTO_JSON *record = heartbeat_load(home, name, NULL);
	AUTO_JSON *stopped = json_pack("{s:s}", "status", "stopped");
	struct err err = ERR_INIT;

	if (record != NULL && heartbeat_is_on(home, name, record) &&
	    heartbeat_change(home, name, stopped, &err) < 0)
		warning("heartbeat of '%s': %s", name, err.text);
}

void
heartbeat_forget(int home, const char *name)
{
	AUTO_CLOSE int dir = openat(home, HEARTBEATS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_FREE char *file = xasprintf("%s.json", name);
	struct err err = ERR_INIT;

	heartbeat_end(home, name);
	/* Not the lock: its monitor may still hold it. */
	if (dir >= 0 && name_is_valid(name) && fs_unlink(dir, file, &err) < 0)
		warning("heartbeat of '%s': %s", name, err.text);
}
