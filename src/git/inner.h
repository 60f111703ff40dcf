/*
 * inner.h - repositories within a work tree: submodules, and others that its index names by the
 * number of a commit.
 *
 * Git that looks at a work tree starts itself in each of them, and then runs what is configured
 * there: a filter in .git/modules/LIB/config, or in a repository that an agent made.  Our git
 * is never let into one on its own.  Whoever needs to know what is in there asks here, where
 * git is started in it as anywhere else, with what is trusted (git/trust/trust.h).
 */
#ifndef GIT_INNER_H
#define GIT_INNER_H

#include "base/buf.h"
#include "base/err.h"

/* The paths below dir, the top of a work tree, of those that are there.  *list: NULL when there
 * is none; free with strlist_free.  Without a process as a rule. */
int inner_list(const char *dir, char ***list, struct err *err) NODISCARD;
/* The same as whole paths, and those within them. */
int inner_all(const char *dir, char ***list, struct err *err) NODISCARD;

/* `git status --porcelain=v2 --branch -z` with more options (they end with NULL), as if git had
 * looked into them: one with changes of its own has a line "1 .M S.MU ..." there.  `index`:
 * instead of dir's own; NULL. */
int inner_status(const char *dir, const char *index, const char *const *options,
    struct buf *out, struct err *err) NODISCARD;

#endif
