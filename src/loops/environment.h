/*
 * environment.h - --env and --env-file: the variables that a loop's agents get.
 *
 * A value on a command line can be read by every user while the command runs, so there are two
 * ways without: --env K takes the value that K has here, --env-file F reads lines K=V.  (What
 * --env K=V says is blanked in our own argv, see OPT_SECRET; until then it could be seen.)
 *
 * A file has one K=V a line, K of letters, digits and '_', V as it stands, quotes included;
 * blank lines and lines that begin with '#' are left out.  Anything else is an error that names
 * file and line, never what stands there: it may be a secret.
 *
 * For every command that makes a loop of agents, save swarm's, whose --env is K=V alone.
 */
#ifndef LOOPS_ENVIRONMENT_H
#define LOOPS_ENVIRONMENT_H

#include "base/err.h"

/* Makes *env whole: first what the files say, then what --env says, each with a value.  On
 * an error *env is as it was. */
int environment_take(char ***env, char *const *files, struct err *err) NODISCARD;

#endif
