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

static bool
project_has(const char *dir, const char *name, bool directory)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	struct stat st;

	return stat(path, &st) == 0 && (!directory || S_ISDIR(st.st_mode));
}

/* "/a/b" becomes "/a", and at last "" (for "/"); false when there is nothing above. */
static bool
go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

static char *
project_start(const char *from, struct err *err)
{
	char *path = realpath(from == NULL ? "." : from, NULL);

	if (path == NULL)
		(void)err_errno(err, "cannot find %s", from == NULL ? "the directory" : from);
	else if (strcmp(path, "/") == 0)
		path[0] = '\0';
	return path;
}

static char *
named(const char *path)
{
	return xstrdup(path[0] == '\0' ? "/" : path);
}

/* The nearest directory that has `name` in it; NULL when none has. */
static char *
nearest(const char *from, const char *name)
{
	AUTO_FREE char *path = xstrdup(from);

	do {
		if (project_has(path, name, true))
			return named(path);
	} while (go_up(path));
	return NULL;
}

char *
project_find(const char *from, struct err *err)
{
	AUTO_FREE char *path = project_start(from, err);
	char *root;

	if (path == NULL)
		return NULL;
	root = nearest(path, PROJECT_DIR);
	if (root == NULL)
		root = nearest(path, ".tf");
	if (root == NULL) {
		err_set(err, "no " PROJECT_DIR " here or above");
		if (err != NULL)
			err->code = ENOENT;
	}
	return root;
}

char *
project_place(const char *from, struct err *err)
{
	AUTO_FREE char *first = project_start(from, err);
	AUTO_FREE char *path = NULL;

	if (first == NULL)
		return NULL;
	path = xstrdup(first);
	do {
		if (project_has(path, ".tf", true) || project_has(path, ".tickets", true) ||
		    project_has(path, ".git", false))
			return named(path);
	} while (go_up(path));
	return named(first);
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
