/*
 * owner.h - whose the record is: a command in the record is run with our rights, so nobody else
 * may have written it.
 *
 * The owner of a directory is checked when it is opened (home.h).  The files that decide what
 * is run (spec.json, journal.jsonl, snapshot.json) are checked one by one, too: a directory of
 * ours may hold a file of another user.  Modes are not checked: nobody else gets into the home
 * (0700), and there are file systems where every file has the same mode.
 */
#ifndef RECORD_OWNER_H
#define RECORD_OWNER_H

#include "base/buf.h"
#include "base/err.h"

/* A sentence that names the path, its owner and us, with code EPERM; returns -1. */
int owner_refuse(const char *path, unsigned owner, struct err *err);
/* 0 when the open file is ours; else -1 + err with code EPERM.  `name` is for
 * the sentence where the path cannot be found out. */
int owner_check(int fd, const char *name, struct err *err) NODISCARD;
/* fs_read of a file that is ours. */
int owner_read(
    int dirfd, const char *name, size_t max, struct buf *out, struct err *err) NODISCARD;

#endif
