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
	OBJECT_BY_USER,	  /* whom git finds; git may make somebody up */
	OBJECT_BY_ANYONE, /* whom the settings name; "ralph" where they name nobody */
	OBJECT_BY_RALPH,  /* "ralph": for commits that no branch gets */
};

struct object_commit {
	const char *dir, *tree;
	const char *const *parents; /* ends with NULL */
	const char *message;	    /* by ralph: one line; else it ends with a newline */
	enum object_author by;
	bool sign;
	bool later; /* as in stage.h: the caller syncs a reference to it */
};

/* Is the text the full name of an object? */
bool object_is_name(const char *text);
char *object_commit(const struct object_commit *c, struct err *err) NODISCARD;
/* The tree of a commit; NULL + err. */
char *object_tree(const char *dir, const char *commit, struct err *err) NODISCARD;
/* The tree that a commit is compared with: that of its first parent, or the empty tree. */
char *object_tree_before(const char *dir, const char *commit, struct err *err) NODISCARD;
/* Writes the empty tree to the repository, and returns its name. */
char *object_tree_empty(const char *dir, struct err *err) NODISCARD;

#endif
