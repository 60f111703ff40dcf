/*
 * fs_parts.h - shared by the files of fs.h, and by nobody else.
 */
#ifndef BASE_FS_PARTS_H
#define BASE_FS_PARTS_H

#include "base/err.h"
#include <dirent.h>
#include <sys/stat.h>

DIR *fs_dir_open(int dirfd, const char *name, struct err *err) NODISCARD;
/* Only a regular file will do: neither a device nor a pipe may stand in for state. */
int fs_check_regular(int fd, const char *name, struct stat *st, struct err *err) NODISCARD;
/* unlinkat, past the fault point "unlink"; ENOENT is success. */
int fs_remove_at(int dirfd, const char *name, int flags, struct err *err) NODISCARD;

#endif
