/*
 * detach.h - going on in the background.
 *
 * The command forks; the child becomes the supervisor and keeps the user's terminal until
 * running_detach, so that whatever goes wrong before is said there.  The parent waits for that
 * moment and returns, or repeats the child's exit code when it never comes.
 */
#ifndef SUPERVISOR_DETACH_H
#define SUPERVISOR_DETACH_H

/* -1 in the child, with *ready; in the parent the exit code. */
int detach_begin(int *ready);

#endif
