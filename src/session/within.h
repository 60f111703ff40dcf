/*
 * within.h - the session that this process runs in, told by descent.
 *
 * What an agent starts may have lost the environment that the agent was given (env -i, a tool
 * with a clean shell), or have another one that lies.  But whatever its processes do with
 * sessions and groups, they stay below their keeper, which is a child subreaper.  So who asks
 * whether an agent calls looks for keepers above it.  A session within a session is below both.
 *
 * Not seen is what somebody else starts on an agent's word (systemd-run, cron, a tmux server
 * that was there before), and who is in a pid namespace that the keeper is not in.  For those
 * there is only the environment.
 */
#ifndef SESSION_WITHIN_H
#define SESSION_WITHIN_H

#include "base/compiler.h"

/* Is a keeper above this process, of whatever loop? */
bool session_within(void);
/*
 * What the agent of the nearest session around us that has such a variable was given; where no
 * keeper tells of one, what our own environment says.  NULL: nothing; the caller frees it.
 */
char *session_variable(const char *name) NODISCARD;
/*
 * The directories of the sessions around us, the nearest first, until `fn` returns true; where
 * there is no keeper, the one that our environment names, if any.  The descriptor is fn's only
 * during the call.
 */
void session_each_directory(bool (*fn)(int dirfd, void *ctx), void *ctx);

#endif
