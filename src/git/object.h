/*
 * object.h - commits and trees by name, and how commits are made.
 *
 * dir is a directory of the repository.  Names are full; the caller frees what is returned.
 */
#ifndef GIT_OBJECT_H
#define GIT_OBJECT_H

#include "base/err.h"

/* The author of a commit. */
enum object_author {
	OBJECT_BY_USER,	  /* as git finds out; it may make somebody up */
	OBJECT_BY_ANYONE, /* as configured; "ralph" for what is not */
	OBJECT_BY_RALPH,  /* a commit that no branch gets */
};

struct object_commit {
	const char *dir, *tree;
	const char *const *parents; /* ends with NULL */
	const char *message;	    /* by ralph: one line; else it ends with a newline */
	enum object_author by;
	bool sign;
};

char *object_commit(const struct object_commit *c, struct err *err) NODISCARD;
/* The tree of a commit; NULL + err. */
char *object_tree(const char *dir, const char *commit, struct err *err) NODISCARD;
/* The tree that a commit without parents is compared with: that of the first parent, or the
 * empty one. */
char *object_tree_before(const char *dir, const char *commit, struct err *err) NODISCARD;
/* The tree without anything; it exists from now on. */
char *object_tree_empty(const char *dir, struct err *err) NODISCARD;

#endif
