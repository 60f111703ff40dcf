/*
 * sock.h - Unix stream sockets inside a state directory.
 *
 * Bound and reached through /proc/self/fd/<dirfd>/<name>, since the path of a
 * state directory may be longer than a socket address.  0600, and the peer
 * must have our uid.  All are non-blocking and O_CLOEXEC.
 */
#ifndef BASE_PROCESS_SOCK_H
#define BASE_PROCESS_SOCK_H

#include "base/err.h"
#include <sys/types.h>

/* Replaces a socket that a dead process left. */
int sock_listen(int dirfd, const char *name, struct err *err) NODISCARD;
int sock_connect(int dirfd, const char *name, struct err *err) NODISCARD;
/* -1 with errno EAGAIN when nobody waits; drops connections of foreign uids. */
int sock_accept(int listen_fd) NODISCARD;
/* The process that connected, which may be gone; 0: it is in a pid namespace out of sight. */
pid_t sock_peer(int fd);
int sock_pair(int sv[2], struct err *err) NODISCARD;

#endif
