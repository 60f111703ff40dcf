/*
 * astray.h - commits that were on a branch, and that somebody has taken off it again.
 *
 * A branch that is moved back (`git reset`) loses commits, and nobody notices before git
 * removes them for good.  Such a commit is astray when no branch that counts has the commit,
 * nor its change as another commit: a later one with the same trailer (amended, rebased), with
 * the same patches (picked, merged anew), or with all that it would bring (made one with
 * others).  Each commit that is astray gets a reference, refs/ralph/gone/ID/COMMIT, so that git
 * keeps it; a person decides what becomes of it.
 *
 * Two processes of git are enough to find that no commit is astray, however many there are.
 * The search belongs into a job (base/process/job.h), and can be done again after a kill at any
 * point.
 */
#ifndef GIT_LANDING_ASTRAY_H
#define GIT_LANDING_ASTRAY_H

#include "base/err.h"
#include "base/json.h"

struct astray_commit {
	const char *id;	     /* the task or ticket: one part of a reference's name */
	const char *commit;  /* its name, or the beginning of its name */
	const char *trailer; /* a line of its message that no other task's has */
	bool seen;	     /* not made by us: HEAD was there when the task ended */
};

struct astray_look {
	const char *dir;    /* absolute: in the work tree */
	const char *branch; /* the branch that had the commits; merges waiting for it count as
			       on it.  NULL: HEAD, or any local branch */
	const struct astray_commit *commits;
	size_t n;
};

/* Adds the commits that are astray, in their order, to the array `out`: "id", "commit" (at most
 * 12 digits) and "ref"; without "ref" the commit is not in the repository any more.  -1 + err:
 * git cannot tell, or a reference cannot be made; look again. */
int astray_find(const struct astray_look *look, json_t *out, struct err *err) NODISCARD;
/* Adds the merges with such a reference that the branch has in no form to the array `out`:
 * "ticket", "commit" and "ref".  Changes nothing; when git cannot tell, there are none.  When
 * *branch is NULL, the branch that is checked out at dir is used, and *branch becomes its name,
 * which the caller frees; *branch may stay NULL. */
void astray_list(const char *dir, char **branch, json_t *out);

#endif
