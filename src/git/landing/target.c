#include "git/landing/landing.h"

#include "base/alloc.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/merged.h"
#include "git/repo.h"
#include "git/worktree.h"
#include <errno.h>

static int
top_find(const char *dir, char **top, struct err *err)
{
	AUTO_FREE char *repo = NULL;

	*top = NULL;
	if (repo_search(dir, err) < 0)
		return -1;
	*top = repo_top(dir, NULL);
	if (*top != NULL)
		return 0;
	/* Says what is wrong with the place in the words that are used elsewhere. */
	if (worktree_repo(dir, &repo, err) < 0)
		return -1;
	*top = repo_top(dir, err);
	return *top != NULL ? 0 : -1;
}

/* *born: the branch has a commit. */
static char *
branch_current(const char *top, bool *born, struct err *err)
{
	static const char prefix[] = "refs/heads/";
	AUTO_FREE char *ref = git_line(top, "git rev-parse",
	    ARGS("rev-parse", "-q", "--verify", "--symbolic-full-name", "HEAD"), NULL);

	*born = ref != NULL;
	if (ref == NULL)
		ref =
		    git_line(top, "git symbolic-ref", ARGS("symbolic-ref", "-q", "HEAD"), NULL);
	if (ref != NULL && strncmp(ref, prefix, strlen(prefix)) == 0)
		return xstrdup(ref + strlen(prefix));
	err_set(err,
	    "no branch is checked out in %s: `git switch BRANCH`, or say --base BRANCH", top);
	return NULL;
}

static int
branch_check(const char *top, const char *branch, bool asked, struct err *err)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", branch);

	if (*branch != '-' && git_yes(top, ARGS("show-ref", "--verify", "--quiet", ref)))
		return 0;
	if (asked)
		return err_set(err, "there is no local branch %s: `git branch %s` makes one",
		    branch, branch);
	return err_set(err,
	    "the branch %s has no commit yet: `git commit --allow-empty -m start` makes one",
	    branch);
}

/* Refuses a git that is too old now instead of after hours of work.  The check is by version
 * number: a trial merge would write a tree. */
static int
git_check(const char *top, struct err *err)
{
	AUTO_FREE char *line = git_line(top, "git version", ARGS("version"), NULL);
	static const char prefix[] = "git version ";
	char *end;
	long major, minor;

	if (line == NULL || strncmp(line, prefix, strlen(prefix)) != 0)
		return merged_unsupported(err);
	major = strtol(line + strlen(prefix), &end, 10);
	minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	return major > 2 || (major == 2 && minor >= 38) ? 0 : merged_unsupported(err);
}

int
land_target(const char *dir, const char *base, char **top, char **branch, struct err *err)
{
	AUTO_FREE char *found = NULL;
	AUTO_FREE char *name = NULL;
	bool known = false;

	*top = *branch = NULL;
	if (top_find(dir, &found, err) < 0)
		return -1;
	name = base != NULL ? xstrdup(base) : branch_current(found, &known, err);
	if (name == NULL || (!known && branch_check(found, name, base != NULL, err) < 0) ||
	    git_check(found, err) < 0)
		return -1;
	*top = take_ptr(found);
	*branch = take_ptr(name);
	return 0;
}
