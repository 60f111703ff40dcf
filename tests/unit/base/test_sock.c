#include "base/alloc.h"
#include "base/process/sock.h"
#include "scratch.h"
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

static void
a_connection_carries_bytes_both_ways(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int server = sock_listen(scratch.fd, "sock", &err);
	int client, peer;
	struct stat st;
	char c = 0;

	assert_true(server >= 0);
	assert_int_equal(fstatat(scratch.fd, "sock", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(sock_accept(server), -1);
	assert_int_equal(errno, EAGAIN);
	client = sock_connect(scratch.fd, "sock", &err);
	assert_true(client >= 0);
	peer = sock_accept(server);
	assert_true(peer >= 0);
	assert_true(fcntl(peer, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(peer, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(client, F_GETFL) & O_NONBLOCK);
	assert_int_equal(write(client, "a", 1), 1);
	assert_int_equal(read(peer, &c, 1), 1);
	assert_int_equal(c, 'a');
	assert_int_equal(write(peer, "b", 1), 1);
	assert_int_equal(read(client, &c, 1), 1);
	assert_int_equal(c, 'b');
	close(peer);
	close(client);
	close(server);
}

static void
a_stale_socket_is_replaced(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int server = sock_listen(scratch.fd, "sock", &err);
	int client;

	close(server);
	assert_int_equal(sock_connect(scratch.fd, "sock", &err), -1);
	assert_int_equal(err.code, ECONNREFUSED);
	server = sock_listen(scratch.fd, "sock", &err);
	assert_true(server >= 0);
	client = sock_connect(scratch.fd, "sock", &err);
	assert_true(client >= 0);
	close(client);
	close(server);
}

static void
nothing_but_a_socket_is_replaced(void **state UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(fs_replace(scratch.fd, "file", "keep me", 7, FS_NOSYNC, &err), 0);
	assert_int_equal(symlinkat("file", scratch.fd, "link"), 0);
	assert_int_equal(sock_listen(scratch.fd, "file", &err), -1);
	assert_int_equal(err.code, EEXIST);
	assert_int_equal(sock_listen(scratch.fd, "link", &err), -1);
	assert_int_equal(fs_read(scratch.fd, "file", 100, &got, &err), 0);
	assert_string_equal(got.data, "keep me");
	assert_int_equal(sock_connect(scratch.fd, "none", &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(sock_listen(scratch.fd, "", &err), -1);
	assert_int_equal(err.code, EINVAL);
}

/* The directory's path is longer than a socket address; a name may not be. */
static void
the_path_of_the_directory_may_be_long(void **state UNUSED)
{
	char name[201];
	struct err err = ERR_INIT;
	int dirfd, server, client;

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(fs_mkdir(scratch.fd, name, &err), 0);
	dirfd = fs_open_dir(scratch.fd, name, &err);
	server = sock_listen(dirfd, "sock", &err);
	assert_true(server >= 0);
	client = sock_connect(dirfd, "sock", &err);
	assert_true(client >= 0);
	close(client);
	close(server);
	assert_int_equal(sock_listen(dirfd, name, &err), -1);
	assert_int_equal(err.code, ENAMETOOLONG);
	close(dirfd);
}

/* Connects as nobody, and stays until told. */
static void
stranger(const char *path, int ready, int go)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char c = 'y';

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	if (setresuid(65534, 65534, 65534) < 0 ||
	    connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0)
		c = 'n';
	if (write(ready, &c, 1) != 1)
		_exit(1);
	/* The end of the connection, or of the test. */
	_exit(read(c == 'y' ? fd : go, &c, 1) == 0 ? 0 : 1);
}

static void
other_users_are_not_let_in(void **state UNUSED)
{
	AUTO_FREE char *path = xasprintf("%s/sock", scratch.path);
	struct err err = ERR_INIT;
	int server, client, peer, status;
	int ready[2], go[2];
	char c = 0;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	server = sock_listen(scratch.fd, "sock", &err);
	/* Foreign uids are refused even where the modes would let them in. */
	assert_int_equal(chmod(scratch.path, 0755), 0);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC) + pipe2(go, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		stranger(path, ready[1], go[0]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(c, 'y');
	client = sock_connect(scratch.fd, "sock", &err);
	assert_true(client >= 0);
	peer = sock_accept(server);
	assert_true(peer >= 0);
	assert_int_equal(write(client, "us", 2), 2);
	assert_int_equal(read(peer, &c, 1), 1);
	assert_int_equal(c, 'u');
	assert_int_equal(sock_accept(server), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(peer);
	close(client);
	close(server);
	for (int i = 0; i < 2; i++) {
		close(ready[i]);
		close(go[i]);
	}
}

static void
a_pair_is_connected(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int sv[2];
	char c = 0;

	assert_int_equal(sock_pair(sv, &err), 0);
	assert_int_equal(write(sv[0], "x", 1), 1);
	assert_int_equal(read(sv[1], &c, 1), 1);
	assert_int_equal(read(sv[1], &c, 1), -1);
	assert_int_equal(errno, EAGAIN);
	close(sv[0]);
	close(sv[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(a_connection_carries_bytes_both_ways),
	    scratch_test(a_stale_socket_is_replaced),
	    scratch_test(nothing_but_a_socket_is_replaced),
	    scratch_test(the_path_of_the_directory_may_be_long),
	    scratch_test(other_users_are_not_let_in),
	    scratch_test(a_pair_is_connected),
	};

	return cmocka_run_group_tests_name("sock", tests, NULL, NULL);
}
