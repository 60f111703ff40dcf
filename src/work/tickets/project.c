/*
 * project.c - where the project is.
 */
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

char *
project_nearest(const char *from, const char *const *names)
{
	AUTO_FREE char *at = xstrdup(from);
	char *slash;

	do {
		for (size_t i = 0; names[i] != NULL; i++) {
			AUTO_FREE char *path = xasprintf("%s/%s", at, names[i]);

			if (access(path, F_OK) == 0)
				return xstrdup(*at == '\0' ? "/" : at);
		}
		slash = strrchr(at, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
	return NULL;
}

static char *
project_start(const char *from, struct err *err)
{
	char *path = realpath(from == NULL ? "." : from, NULL);

	if (path == NULL)
		(void)err_errno(err, "cannot find %s", from == NULL ? "the directory" : from);
	return path;
}

char *
project_find(const char *from, struct err *err)
{
	AUTO_FREE char *path = project_start(from, err);
	char *root;

	if (path == NULL)
		return NULL;
	root = project_nearest(path, (const char *const[]){PROJECT_DIR "/", NULL});
	if (root == NULL)
		root = project_nearest(path, (const char *const[]){".tf/", NULL});
	if (root == NULL)
		(void)err_code(err, ENOENT, "no " PROJECT_DIR " here or above");
	return root;
}

char *
project_place(const char *from, struct err *err)
{
	static const char *const marks[] = {".tf/", ".tickets/", ".git", NULL};
	AUTO_FREE char *path = project_start(from, err);
	char *root = path == NULL ? NULL : project_nearest(path, marks);

	return root != NULL ? root : take_ptr(path);
}

int
project_open(const char *root, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/" PROJECT_DIR, root);

	return fs_open_dir(AT_FDCWD, path, err);
}

char *
project_need(int *dir)
{
	struct err err = ERR_INIT;
	char *root = project_find(NULL, &err);

	*dir = root == NULL ? -1 : project_open(root, &err);
	if (*dir >= 0)
		return root;
	free(root);
	if (err.code == ENOENT)
		(void)fprintf(stderr, "%s\n%s\n", PROJECT_MISSING, PROJECT_MISSING_HINT);
	else
		error("%s", err.text);
	return NULL;
}
