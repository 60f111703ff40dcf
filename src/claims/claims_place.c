/*
 * claims_place.c - where a repository is, found as git finds it, without git.
 */
#include "claims/claims.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>

#define POINTER_MAX ((size_t)8192)

/* The path that a file of one line names, seen from its directory; NULL. */
static char *
pointer_read(const char *dir, const char *file, const char *prefix)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, file);
	AUTO_BUF text = BUF_INIT;
	const char *target;

	if (fs_read(AT_FDCWD, path, POINTER_MAX, &text, NULL) < 0)
		return NULL;
	buf_truncate(&text, strcspn(text.data, "\r\n"));
	if (strncmp(text.data, prefix, strlen(prefix)) != 0)
		return NULL;
	target = text.data + strlen(prefix);
	if (*target == '\0')
		return NULL;
	return *target == '/' ? xstrdup(target) : xasprintf("%s/%s", dir, target);
}

/* The common directory of the work tree whose top that is; NULL when it is none. */
static char *
common_of(const char *top)
{
	AUTO_FREE char *git = xasprintf("%s/.git", top);
	AUTO_FREE char *common = NULL;
	AUTO_FREE char *head = NULL;
	struct stat st;

	if (stat(git, &st) < 0)
		return NULL;
	if (S_ISREG(st.st_mode)) { /* a linked worktree, or a submodule */
		free(git);
		git = pointer_read(top, ".git", "gitdir: ");
	}
	head = git == NULL ? NULL : xasprintf("%s/HEAD", git);
	if (head == NULL || access(head, F_OK) < 0)
		return NULL;
	common = pointer_read(git, "commondir", "");
	return realpath(common != NULL ? common : git, NULL);
}

int
claims_place(const char *dir, char **top, char **common, struct err *err)
{
	AUTO_FREE char *at = realpath(dir, NULL);

	if (at == NULL)
		return err_errno(err, "cannot find %s", dir);
	for (;;) {
		char *slash;

		*common = common_of(*at != '\0' ? at : "/");
		if (*common != NULL) {
			*top = xstrdup(*at != '\0' ? at : "/");
			return 0;
		}
		slash = strrchr(at, '/');
		if (slash == NULL || *at == '\0')
			break;
		*slash = '\0';
	}
	return err_code(err, ENOENT, "%s is not in a git repository", dir);
}
