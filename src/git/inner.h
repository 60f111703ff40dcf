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

#endif
