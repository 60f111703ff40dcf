#include "base/process/sock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int
sock_open(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int
sock_address(int dirfd, const char *name, struct sockaddr_un *addr)
{
	int n;

	*addr = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (dirfd == AT_FDCWD)
		n = snprintf(addr->sun_path, sizeof(addr->sun_path), "%s", name);
	else
		n = snprintf(
		    addr->sun_path, sizeof(addr->sun_path), "/proc/self/fd/%d/%s", dirfd, name);
	/* An empty path would ask the kernel for a name of its own choice. */
	if (n > 0 && (size_t)n < sizeof(addr->sun_path) && *name != '\0')
		return 0;
	errno = *name == '\0' ? EINVAL : ENAMETOOLONG;
	return -1;
}

static struct ucred
sock_credentials(int fd)
{
	struct ucred peer = {.uid = (uid_t)-1};
	socklen_t len = sizeof(peer);

	(void)getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len);
	return peer;
}

static bool
sock_peer_is_us(int fd)
{
	return sock_credentials(fd).uid == geteuid();
}

pid_t
sock_peer(int fd)
{
	return sock_credentials(fd).pid;
}

/* Only a socket is taken away: any other file there is not ours to remove. */
static int
sock_remove_stale(int dirfd, const char *name)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -1;
	if (!S_ISSOCK(st.st_mode)) {
		errno = EEXIST;
		return -1;
	}
	return unlinkat(dirfd, name, 0) < 0 && errno != ENOENT ? -1 : 0;
}

int
sock_listen(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = sock_open();
	struct sockaddr_un addr;
	mode_t mask;
	int rc;

	if (fd < 0 || sock_address(dirfd, name, &addr) < 0 ||
	    sock_remove_stale(dirfd, name) < 0)
		return err_errno(err, "cannot listen at %s", name);
	/* 0600 from the first moment: no chmod that comes too late. */
	mask = umask(0177);
	rc = bind(fd, (const struct sockaddr *)&addr, sizeof(addr));
	umask(mask);
	if (rc < 0 || listen(fd, SOMAXCONN) < 0)
		return err_errno(err, "cannot listen at %s", name);
	return take_fd(&fd);
}

int
sock_connect(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = sock_open();
	struct sockaddr_un addr;
	int rc;

	if (fd < 0 || sock_address(dirfd, name, &addr) < 0)
		return err_errno(err, "cannot connect to %s", name);
	do
		rc = connect(fd, (const struct sockaddr *)&addr, sizeof(addr));
	while (rc < 0 && errno == EINTR);
	if (rc == 0 && !sock_peer_is_us(fd)) {
		errno = EPERM;
		rc = -1;
	}
	if (rc < 0)
		return err_errno(err, "cannot connect to %s", name);
	return take_fd(&fd);
}

int
sock_accept(int listen_fd)
{
	for (;;) {
		AUTO_CLOSE int fd =
		    accept4(listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			return -1;
		if (sock_peer_is_us(fd))
			return take_fd(&fd);
	}
}

int
sock_pair(int sv[2], struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sv) < 0)
		return err_errno(err, "cannot make a pair of sockets");
	return 0;
}
