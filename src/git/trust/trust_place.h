/*
 * trust_place.h - where the repository around a directory is, without a process of git's.
 */
#ifndef GIT_TRUST_TRUST_PLACE_H
#define GIT_TRUST_TRUST_PLACE_H

#include "base/err.h"

/* The common directory of the repository around dir; dir itself where there is none. *git (may
 * be NULL): there is a repository. */
char *trust_place(const char *dir, bool *git) NODISCARD;
/* The git directory of the work tree around dir, and that tree; NULL: none. */
char *trust_git_dir(const char *dir) NODISCARD;
char *trust_tree(const char *dir) NODISCARD;
bool trust_is_git_dir(const char *dir);

#endif
