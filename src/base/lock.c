#include "base/lock.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/process/proc.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#define LOCK_QUOTE 400
#define LOCK_TRIES 200
#define CONTENT_MAX ((size_t)4096)
#define WITHIN_STEP_US 2000
#define DIRECTORY_PATIENCE (10 * NSEC_PER_SEC)
#define HEIRS_TRIES 200 /* 2 s */
#define HEIRS_PAUSE_US 10000

static int
lock_open(int dirfd, const char *name, int flags, struct err *err)
{
	AUTO_CLOSE int fd =
	    openat(dirfd, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "cannot open the lock %s", name);
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return err_errno(err, "the lock %s is not a regular file", name);
	}
	return take_fd(&fd);
}

/*
 * flock has no way to ask, so lock_is_held holds a shared lock for a moment.  A shared lock
 * must not look like an owner: while we can have a shared lock, too, nobody owns the lock, and
 * we try again.
 */
static int
lock_own(int fd, bool wait)
{
	int rc;

	if (wait) {
		while ((rc = flock(fd, LOCK_EX)) < 0 && errno == EINTR)
			;
		return rc;
	}
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK || flock(fd, LOCK_SH | LOCK_NB) < 0)
			return -1;
		flock(fd, LOCK_UN);
		/* Processes wait for different spans, so that no two of them keep step. */
		usleep(100 + (useconds_t)(getpid() % 16) * 50);
	}
	errno = EWOULDBLOCK;
	return -1;
}

/* Says why the lock was not got, from errno. */
static int
lock_refuse(int fd, const char *name, struct err *err)
{
	char content[LOCK_QUOTE];
	AUTO_BUF shown = BUF_INIT;
	ssize_t n;

	if (errno != EWOULDBLOCK)
		return err_errno(err, "cannot lock %s", name);
	n = pread(fd, content, sizeof(content), 0);
	while (n > 0 && content[n - 1] == '\n')
		n--;
	if (n > 0)
		text_show(&shown, content, (size_t)n, false);
	return err_code(err, EWOULDBLOCK, "%s is already held%s%s", name,
	    shown.len > 0 ? " by " : "", shown.data);
}

/* For people only: a full disk does not keep anybody from owning the lock. */
static void
lock_write(int fd, const char *content)
{
	if (ftruncate(fd, 0) == 0 && pwrite(fd, content, strlen(content), 0) < 0)
		(void)!ftruncate(fd, 0);
}

int
lock_take(int dirfd, const char *name, unsigned flags, const char *content, struct err *err)
{
	const int cloexec = flags & LOCK_INHERIT ? 0 : O_CLOEXEC;
	AUTO_CLOSE int fd = lock_open(dirfd, name, O_RDWR | O_CREAT | cloexec, err);

	if (fd < 0)
		return -1;
	if (lock_own(fd, flags & LOCK_WAIT) < 0)
		return lock_refuse(fd, name, err);
	lock_write(fd, content);
	return take_fd(&fd);
}

static int
lock_within(int fd, int64_t patience)
{
	int64_t until = clock_boot() + patience;

	while (lock_own(fd, false) < 0) {
		if (errno != EWOULDBLOCK || clock_boot() >= until)
			return -1;
		usleep(WITHIN_STEP_US);
	}
	return 0;
}

int
lock_take_within(
    int dirfd, const char *name, int64_t patience, const char *content, struct err *err)
{
	AUTO_CLOSE int fd = lock_open(dirfd, name, O_RDWR | O_CREAT | O_CLOEXEC, err);

	if (fd < 0)
		return -1;
	if (lock_within(fd, patience) < 0)
		return lock_refuse(fd, name, err);
	if (content != NULL)
		lock_write(fd, content);
	return take_fd(&fd);
}

int
lock_directory(int dirfd, const char *of, struct err *err)
{
	AUTO_CLOSE int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (lock_within(fd, DIRECTORY_PATIENCE) < 0 && errno != EBADF &&
			  errno != ENOLCK && errno != EOPNOTSUPP && errno != EINVAL))
		return err_errno(err, "cannot lock the directory of %s", of);
	return take_fd(&fd);
}

void
lock_release(int *fd)
{
	if (*fd < 0)
		return;
	(void)!ftruncate(*fd, 0);
	lock_leave(fd);
}

void
lock_leave(int *fd)
{
	if (*fd < 0)
		return;
	/* LOCK_UN would take the lock from the processes that inherited it, too. */
	if (fcntl(*fd, F_GETFD) & FD_CLOEXEC)
		flock(*fd, LOCK_UN);
	close(*fd);
	*fd = -1;
}

int
lock_is_held(int dirfd, const char *name, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int fd = lock_open(dirfd, name, O_RDONLY | O_CLOEXEC, &why);

	if (fd < 0 && why.code == ENOENT)
		return 0;
	if (fd < 0)
		return err_pass(err, &why);
	if (flock(fd, LOCK_SH | LOCK_NB) == 0)
		return 0;
	return errno == EWOULDBLOCK ? 1 : err_errno(err, "cannot look at the lock %s", name);
}

static bool
owner_is_gone(int dirfd, const char *name)
{
	AUTO_JSON *v = json_read(dirfd, name, CONTENT_MAX, NULL);
	int64_t pid = json_int(v, "pid", 0);
	struct proc_id id;

	return pid > 0 && pid <= INT32_MAX &&
	       (proc_id_of((pid_t)pid, &id) < 0 || !proc_id_alive(&id));
}

void
lock_await_heirs(int dirfd, const char *name)
{
	for (int i = 0; i < HEIRS_TRIES && lock_is_held(dirfd, name, NULL) > 0 &&
			owner_is_gone(dirfd, name);
	     i++)
		(void)usleep(HEIRS_PAUSE_US);
}

void
lock_describe_self(char *out, size_t size)
{
	AUTO_BUF started = BUF_INIT;
	struct proc_id id = {.pid = getpid()};

	(void)proc_id_self(&id);
	clock_fmt_rfc3339(clock_wall(), &started);
	snprintf(out, size,
	    "{\"pid\":%d,\"started\":\"%s\",\"start_time\":%" PRIu64 ",\"boot_id\":\"%s\"}\n",
	    (int)id.pid, started.data, id.start_time, id.boot_id);
}
