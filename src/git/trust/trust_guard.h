/*
 * trust_guard.h - one run of git that minds the record of what is trusted (trust.h).
 *
 * For the rest of src/git: git.c guards every run; landings and turns ask about the files and
 * hooks that git would handle in a way nobody agreed to.
 */
#ifndef GIT_TRUST_TRUST_GUARD_H
#define GIT_TRUST_TRUST_GUARD_H

#include "base/err.h"

/* Variables that make one run of git mind the record, and the filters that must not run. */
struct guard {
	char **env;	/* "K=V" */
	char **filters; /* filters that must not run: git refuses their files */
};

#define GUARD_INIT         \
	{                  \
		NULL, NULL \
	}

void guard_release(struct guard *g);
/* Prepares a run of git in dir. within: dir is the top of a repository within another's work
 * tree.  -1: git must not be run there at all. */
int guard_open(const char *dir, bool within, struct guard *g, struct err *err) NODISCARD;
/* When the error comes from a filter that must not run, makes the sentence say what to do. */
void guard_explain(const struct guard *g, struct err *err);
/* Do two commits differ in a file for which the attributes in a work tree name a filter that
 * must not run?  The content of that file went through another filter, or none.  -1 + err:
 * yes. */
int guard_commits(const char *dir, const char *from, const char *to, struct err *err) NODISCARD;
/* Finds the directory of hooks to run in a work tree; NULL: git finds it. *others: the hooks in
 * place are not those that were agreed to.  -1 with code EPERM: the agreed hooks cannot be had
 * any more. */
int guard_hooks(const char *top, char **dir, bool *others, struct err *err) NODISCARD;

#endif
