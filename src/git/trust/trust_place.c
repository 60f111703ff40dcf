/*
 * trust_place.c - the repository around a directory, found without git.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "git/repo.h"
#include <string.h>
#include <unistd.h>

static char *
resolve(const char *dir, const char *path)
{
	AUTO_FREE char *whole = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", dir, path);

	return realpath(whole, NULL);
}

bool
trust_is_git_dir(const char *dir)
{
	AUTO_FREE char *head = xasprintf("%s/HEAD", dir);
	AUTO_FREE char *objects = xasprintf("%s/objects", dir);
	AUTO_FREE char *common = xasprintf("%s/commondir", dir);

	return path_is_there(head) && (path_is_there(objects) || path_is_there(common));
}

/* The git directory that dir has: a directory, or where its file points to. */
static char *
git_dir_of(const char *dir)
{
	AUTO_FREE char *inner = xasprintf("%s/.git", dir);
	AUTO_FREE char *line = repo_file_line(dir, ".git");

	if (line != NULL && strncmp(line, "gitdir: ", 8) == 0)
		return resolve(dir, line + 8);
	if (trust_is_git_dir(inner))
		return realpath(inner, NULL);
	return trust_is_git_dir(dir) ? realpath(dir, NULL) : NULL;
}

/* Cuts the path back to the work tree that it is in. */
static char *
git_dir_around(char *at)
{
	char *found = NULL;

	while (*at != '\0' && (found = git_dir_of(at)) == NULL)
		*strrchr(at, '/') = '\0';
	return found;
}

char *
trust_git_dir(const char *dir)
{
	AUTO_FREE char *at = realpath(dir, NULL);

	return at != NULL ? git_dir_around(at) : NULL;
}

char *
trust_tree(const char *dir)
{
	AUTO_FREE char *at = realpath(dir, NULL);
	AUTO_FREE char *git = at != NULL ? git_dir_around(at) : NULL;

	return git != NULL ? take_ptr(at) : NULL;
}

char *
trust_place(const char *dir, bool *git)
{
	AUTO_FREE char *found = trust_git_dir(dir);
	AUTO_FREE char *common = NULL;

	if (git != NULL)
		*git = found != NULL;
	if (found == NULL)
		return realpath(dir, NULL);
	common = repo_file_line(found, "commondir");
	return common != NULL ? resolve(found, common) : take_ptr(found);
}
