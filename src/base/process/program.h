/*
 * program.h - the files of programs: finding one, and keeping one of ours.
 *
 * A program is searched in PATH, or beside ours.  child_start searches by itself, in the PATH
 * that the child gets; the functions here are for those who ask before they start anything.
 *
 * A package upgrade takes our file away under loops that run for days, and puts another one in
 * its place, after a while.  No file has the name that the kernel then tells for us
 * ("/usr/bin/ralph (deleted)").  A descriptor keeps the file itself, so the programs of ours
 * that a supervisor starts work at every moment of the upgrade, and are of the supervisor's
 * version.
 */
#ifndef BASE_PROCESS_PROGRAM_H
#define BASE_PROCESS_PROGRAM_H

#include "base/compiler.h"
#include <sys/types.h>

struct program {
	int fd;	    /* O_PATH, O_CLOEXEC; -1: there is none */
	char *path; /* where its file was when it was opened */
	dev_t dev;
	ino_t ino;
	pid_t holder; /* the process that had the descriptor when it was last asked for */
};

/* Keeps the file at that path; -1 with errno. */
int program_open(struct program *p, const char *path) NODISCARD;
/*
 * A name by which any process of this user can execute it: its path while its file is there,
 * else one below /proc, as long as the process lives that holds it.  That is this one, or, in a
 * job, which has no descriptors of ours, the last one to have asked.  The caller frees it.
 */
char *program_name(struct program *p) NODISCARD;
/* This program.  NULL when the kernel does not tell. */
struct program *program_self(void);
/* The path of `name` in the directory of this program, also when our own file is not there any
 * more.  There may be no such file.  NULL when the kernel does not tell where we are.  The
 * caller frees it. */
char *program_beside(const char *name) NODISCARD;

/* The directories of a PATH, in its order; an empty one is the current directory, ".".  For
 * NULL, which is no PATH at all, those that shells search then.  The caller frees the list. */
char **program_dirs(const char *path) NODISCARD;
/* The first file of that name in the PATH of our environment that may be executed; NULL when
 * there is none.  The caller frees it. */
char *program_find(const char *name) NODISCARD;
/* Is it a file that may be executed? */
bool program_is(const char *file) NODISCARD;

#endif
