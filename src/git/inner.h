/*
 * inner.h - repositories within a work tree: submodules, and others that its index names by the
 * number of a commit.
 *
 * A git that looks at a work tree starts another git in each of these repositories, which runs
 * the commands configured there: a filter in .git/modules/LIB/config, or in a repository that
 * an agent made. Our git never enters such a repository on its own.  A caller that needs the
 * state of one asks here: this module starts git in that repository as anywhere else, with the
 * settings that are trusted (git/trust/trust.h).
 */
#ifndef GIT_INNER_H
#define GIT_INNER_H

#include "base/buf.h"
#include "base/err.h"

/* Lists the repositories within dir, the top of a work tree, that exist; paths are below dir.
 * *list: NULL when there is none; free with strlist_free.  Needs no process as a rule. */
int inner_list(const char *dir, char ***list, struct err *err) NODISCARD;
/* As inner_list, but with whole paths, and with the repositories within the listed ones. */
int inner_all(const char *dir, char ***list, struct err *err) NODISCARD;

/* `git status --porcelain=v2 --branch -z` with more options (they end with NULL), as if git had
 * looked into the repositories within: a repository with changes of its own has a line "1 .M
 * S.MU ...".  `index`: instead of dir's own; NULL. */
int inner_status(const char *dir, const char *index, const char *const *options,
    struct buf *out, struct err *err) NODISCARD;

/* The work in a work tree, as commits of the repository that the tree is of. */
struct inner_work {
	const char *top;    /* a work tree of that repository */
	const char *dir;    /* the top of the work tree that has the work */
	const char *start;  /* the commit that the work began from; NULL: not known */
	const char *commit; /* the commit that has all of the work */
};

/* Finds a repository within that the work names by a commit which nobody else has, or with such
 * commits on its branches or in its stash: they would be gone with the work tree.  NULL: none.
 * The path is below dir; the caller frees it. */
char *inner_unpushed(const struct inner_work *w) NODISCARD;
/* As inner_unpushed: is there one?  Then err says which. */
bool inner_has_unpushed(const struct inner_work *w, struct err *err);

#endif
