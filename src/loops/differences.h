/*
 * differences.h - a run goes on as it began: what somebody says now, and has no effect.
 *
 * For every command that goes on with an interrupted run instead of beginning another.
 */
#ifndef LOOPS_DIFFERENCES_H
#define LOOPS_DIFFERENCES_H

#include "base/buf.h"
#include "loop/settings.h"

/* The option or key that gave the setting at `offset` (of struct settings); NULL: none did, or
 * the difference is told elsewhere. */
typedef const char *setting_said_fn(const char *field, size_t offset, const void *ctx);

/* Appends the names of the settings that were said and are not as the run has them: "verify,
 * copy". */
void differences_find(const struct settings *began, const struct settings *now,
    setting_said_fn *said, const void *ctx, struct buf *out);

#endif
