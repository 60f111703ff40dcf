/*
 * spare.c - the directory and keeper of the next session, made while there is time.
 */
#include "session/spare.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/process/sock.h"
#include "session/wire.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static void
spare_keeper_ended(struct ev_child *w)
{
	struct session_spare *spare = w->ctx;

	(void)child_discard(&spare->keeper, false);
}

/* All keepers of a loop write their warnings to one file: a file for each would cost the time
 * to make it. */
static int
keeper_spawn(struct session_spare *spare, int sock, int lock_fd, struct err *err)
{
	AUTO_CLOSE int log = fs_open_append(spare->sessions_dirfd, ".keepers.log", err);
	char dir_arg[16], sock_arg[16], lock_arg[16], name[] = "ralph", mark[] = KEEPER_ARG;
	char *argv[] = {name, mark, dir_arg, sock_arg, lock_arg, NULL};
	const int keep[] = {spare->dirfd, sock, lock_fd, -1};
	struct child_spec spec = {
	    .file = "/proc/self/exe",
	    .argv = argv,
	    .in = -1,
	    .out = -1,
	    .err = log,
	    .keep = keep,
	    .new_session = true,
	};
	AUTO_STRLIST env = NULL;

	if (log < 0)
		return -1;
	snprintf(dir_arg, sizeof(dir_arg), "%d", spare->dirfd);
	snprintf(sock_arg, sizeof(sock_arg), "%d", sock);
	snprintf(lock_arg, sizeof(lock_arg), "%d", lock_fd);
	env = fs_fault_env(strlist_dup(environ));
	spec.env = env;
	return child_start(&spec, &spare->keeper, err);
}

static int
spare_launch(struct session_spare *spare, struct err *err)
{
	struct wire_hello hello = {.version = WIRE_VERSION, .role = ROLE_SUPERVISOR};
	char packed[WIRE_HELLO_SIZE], who[256];
	AUTO_CLOSE int lock_fd = -1;
	AUTO_CLOSE int theirs = -1;
	int pair[2];

	lock_describe_self(who, sizeof(who));
	lock_fd = lock_take(spare->dirfd, SESSION_LOCK, LOCK_INHERIT, who, err);
	if (lock_fd < 0 || sock_pair(pair, err) < 0)
		return -1;
	spare->fd = pair[0];
	theirs = pair[1];
	wire_hello_pack(&hello, packed);
	if (wire_write_frame(spare->fd, WIRE_HELLO, packed, sizeof(packed), err) < 0 ||
	    keeper_spawn(spare, theirs, lock_fd, err) < 0)
		return -1;
	ev_child_start(spare->ev, &spare->exit, spare->keeper.pidfd, spare_keeper_ended, spare);
	return 0;
}

/* The spare's keeper has gone, or is about to: nobody has told it what to run. */
int
session_spare_sweep(int sessions_dirfd, struct err *err)
{
	return fs_remove_tree(sessions_dirfd, SPARE_DIR, err);
}

struct session_spare *
session_spare_new(struct ev *ev, int sessions_dirfd, struct err *err)
{
	struct session_spare *spare;
	int dirfd;

	if (session_spare_sweep(sessions_dirfd, err) < 0 ||
	    fs_mkdir(sessions_dirfd, SPARE_DIR, err) < 0)
		return NULL;
	dirfd = fs_open_dir(sessions_dirfd, SPARE_DIR, err);
	if (dirfd < 0)
		return NULL;
	spare = xcalloc(1, sizeof(*spare));
	*spare = (struct session_spare){
	    .ev = ev,
	    .sessions_dirfd = sessions_dirfd,
	    .dirfd = dirfd,
	    .fd = -1,
	    .keeper = {.pid = -1, .pidfd = -1},
	};
	if (spare_launch(spare, err) == 0)
		return spare;
	(void)session_spare_free(spare, NULL);
	return NULL;
}

/* Removes what is left of a start that never got to an agent.  Fails when the session is
 * alive. */
static int
room_make(int sessions_dirfd, const char *id, struct err *err)
{
	AUTO_CLOSE int dirfd = fs_open_dir(sessions_dirfd, id, err);
	int held = dirfd < 0 ? -1 : lock_is_held(dirfd, SESSION_LOCK, err);

	if (held < 0)
		return -1;
	if (held > 0) {
		errno = EWOULDBLOCK;
		return err_errno(err, "it is running already");
	}
	return fs_remove_tree(sessions_dirfd, id, err);
}

int
session_spare_name(struct session_spare *spare, const char *id, struct err *err)
{
	struct err why = ERR_INIT;
	int rc = fs_rename(spare->sessions_dirfd, SPARE_DIR, id, FS_NOSYNC, &why);

	if (rc == 0)
		return 0;
	if (why.code != ENOTEMPTY && why.code != EEXIST)
		return err_pass(err, &why);
	if (room_make(spare->sessions_dirfd, id, err) < 0)
		return -1;
	return fs_rename(spare->sessions_dirfd, SPARE_DIR, id, FS_NOSYNC, err);
}

int
session_spare_free(struct session_spare *spare, struct err *err)
{
	int dirfd;

	if (spare == NULL)
		return 0;
	/* KILL is enough: a spare keeper has nothing to lose and no client to tell. */
	if (spare->keeper.pid > 0) {
		ev_child_stop(&spare->exit);
		(void)kill(spare->keeper.pid, SIGKILL);
		(void)child_discard(&spare->keeper, true);
	}
	auto_close_fn(&spare->fd);
	auto_close_fn(&spare->dirfd);
	dirfd = spare->sessions_dirfd;
	free(spare);
	return session_spare_sweep(dirfd, err);
}
