/*
 * proc.h - processes that may not be our children.
 *
 * A pid alone names nobody for long: an identity is (boot id, pid, start time).
 * The tree functions work from a child subreaper: every descendant, whatever
 * it did with sessions and groups, is found again below us.
 */
#ifndef BASE_PROCESS_PROC_H
#define BASE_PROCESS_PROC_H

#include "base/compiler.h"
#include <sys/stat.h>

struct proc_id {
	char boot_id[40];
	pid_t pid;
	uint64_t start_time; /* clock ticks since boot, /proc/PID/stat field 22 */
};

int proc_id_self(struct proc_id *id);
int proc_id_of(pid_t pid, struct proc_id *id) NODISCARD; /* -1: no such process */
/* When it was started, on the wall clock as it goes now; 0: no such process. */
int64_t proc_started(pid_t pid);
bool proc_id_alive(const struct proc_id *id); /* a zombie is not alive */

int proc_become_subreaper(void) NODISCARD;
/* Sends sig to every descendant of ours, deepest last; returns how many there were. */
int proc_signal_descendants(int sig);
/* Like proc_signal_descendants, for the descendants of another process. */
int proc_signal_below(pid_t root, int sig);
/* Calls fn for every child of ours, zombies too. */
void proc_each_child(void (*fn)(pid_t pid, void *ctx), void *ctx);
/* Calls fn for every process above us that we can see, the nearest first. */
void proc_each_ancestor(void (*fn)(pid_t pid, void *ctx), void *ctx);
/* Is the process a descendant of root?  Root itself and a process that is gone are not. */
bool proc_is_below(pid_t pid, pid_t root);
/* How many descendants are alive (zombies of ours are reaped on the way,
 * except `keep`, whose status the caller still wants; 0 for none). */
int proc_count_descendants(pid_t keep);
/* CPU time in ns used by all descendants other than `except`. */
int64_t proc_descendants_cpu(pid_t except);

/* Calls fn for every process (of any parent) whose environment has the exact
 * entry "K=V"; returns how many. */
int proc_each_with_env(const char *entry, void (*fn)(pid_t pid, void *ctx), void *ctx);
bool proc_has_env(pid_t pid, const char *entry);
/* Like proc_each_with_env, for every process that has the file open. */
int proc_each_with_file(const struct stat *file, void (*fn)(pid_t pid, void *ctx), void *ctx);

#endif
