/*
 * audit.h - ai/logs/pc-automation.log: one line for everything that was done to the desktop.
 *
 *	[2024-01-15T10:30:00.123Z] [click] {"x":10,"y":20,"button":"left"} -> success
 *	[2024-01-15T10:30:01.456Z] [focus] {"title":"Editor"} -> error: no window ...
 *
 * The log is opened before anything is done: what cannot be logged is not done.
 */
#ifndef DESKTOP_AUDIT_H
#define DESKTOP_AUDIT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* The nearest directory, this one or above, with `ai` or `.git` in it; else this one. */
char *audit_project(void) NODISCARD;
/* Opens the log below the project; made when it is not there. */
int audit_open(const char *project, struct err *err) NODISCARD;
/* error NULL: success.  A line that a crash cut off before is ended first. */
int audit_append(int fd, const char *action, const json_t *args, const char *error,
    struct err *err) NODISCARD;
/* Appends the line, without its newline. */
void audit_line(
    struct buf *out, int64_t wall, const char *action, const json_t *args, const char *error);

/* How typed text is told: its length in characters; with `text`, its first 50, too. */
void audit_typed(json_t *args, const char *typed, size_t len, bool text);

#endif
