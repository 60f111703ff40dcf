/*
 * job.h - a function in a process of its own.
 *
 * For work that waits (git, a user's command) while the event loop must not.  The function runs
 * in a fork of this process below a small process that watches over it: when the function has
 * returned, when the job is ended, or when we are gone, whatever it started is killed, to the
 * last grandchild.  Only a program that must not be stopped half-way (base/process/run.h) is
 * waited for, for a while.  Its answer, a text of at most 64 MiB, comes back through a pipe.
 *
 * The function must not touch what it shares with us (journals, locks, sockets): it gets its
 * argument by the fork, works, and appends its answer to `out`.
 */
#ifndef BASE_PROCESS_JOB_H
#define BASE_PROCESS_JOB_H

#include "base/buf.h"
#include "base/err.h"
#include "base/ev.h"

struct job;

/* 0, or -1 with a sentence in err. */
typedef int job_fn(const void *arg, struct buf *out, struct err *err);
/* Called once, from the event loop, unless the job was freed before.  rc and err are as the
 * function left them; -1 and "was ended" or "died" when the function did not return.  The job
 * is freed after the call. */
typedef void job_done_fn(void *ctx, int rc, const struct buf *out, const struct err *err);

/* NULL + err when no process can be made; the function is not called then. */
struct job *job_start(struct ev *ev, job_fn *fn, const void *arg, job_done_fn *done, void *ctx,
    struct err *err) NODISCARD;
/* Sends TERM to everything in the job, and KILL after `grace` ns or at a second call.  `done`
 * follows. */
void job_end(struct job *job, int64_t grace);
/* Kills the job at once; `done` is not called. */
void job_free(struct job *job);

#endif
