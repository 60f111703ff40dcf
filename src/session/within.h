/*
 * within.h - the session that this process runs in, told by descent.
 *
 * A process that an agent starts may have lost the environment that the agent was given (a tool
 * with a clean shell, env -i), or have another environment that lies.  But the agent's
 * processes stay below their keeper, which is a child subreaper, whatever they do with sessions
 * and groups.  So a command that asks whether an agent calls it looks for keepers above itself.
 * A session within a session is below both keepers.
 *
 * Two kinds of processes are not seen: those that another program starts on an agent's word
 * (systemd-run, cron, a tmux server that was there before), and those in a pid namespace that
 * the keeper is not in.  For both there is only the environment.
 */
#ifndef SESSION_WITHIN_H
#define SESSION_WITHIN_H

#include "base/compiler.h"

/* Is a keeper above this process, of whatever loop? */
bool session_within(void);
/*
 * The value of the variable as the nearest session around us that has the variable gave it to
 * its agent; where no keeper tells of one, the value in our own environment.  NULL: there is
 * none.  The caller frees the value.
 */
char *session_variable(const char *name) NODISCARD;
/*
 * Calls `fn` for the directories of the sessions around us, the nearest first, until `fn`
 * returns true; where there is no keeper, for the directory that our environment names, if any.
 * The descriptor is valid only during the call.
 */
void session_each_directory(bool (*fn)(int dirfd, void *ctx), void *ctx);

#endif
