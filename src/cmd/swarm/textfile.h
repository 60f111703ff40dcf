/*
 * textfile.h - files of the user's project: written whole or not at all.
 *
 * Unlike state (fs.h) they belong to others: the mode stays, a link leads to the file that is
 * changed, and a new file has the mode the user's umask gives it.
 */
#ifndef CMD_SWARM_TEXTFILE_H
#define CMD_SWARM_TEXTFILE_H

#include "base/buf.h"
#include "base/err.h"

/* Makes the file; code EEXIST when there is one. */
int textfile_create(const char *path, const struct buf *text, struct err *err) NODISCARD;
/* Replaces the file that is there. */
int textfile_replace(const char *path, const struct buf *text, struct err *err) NODISCARD;

#endif
