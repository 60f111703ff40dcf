/*
 * index.h - what git's index says of the files in a work tree, without a process of git's.
 *
 * Reads versions 2 to 4, with hashes of either length.  An index that is not understood is no
 * error, nor is a split index, most of which is in another file: the caller asks git then.
 */
#ifndef GIT_INDEX_H
#define GIT_INDEX_H

#include "base/compiler.h"

struct index_entry {
	const char *path; /* valid during the call */
	bool link;	  /* a repository within: the entry has the number of a commit */
	bool assumed;	  /* marked as unchanged */
	bool skipped;	  /* marked as not to be in the tree */
};

/* Calls `each` for the entries of a git directory's index in turn until `each` returns true.
 * False: these may not be all entries; `each` may have been called for none.  An index that is
 * missing has none. */
bool index_read(
    const char *git_dir, bool (*each)(const struct index_entry *, void *), void *arg) NODISCARD;

#endif
