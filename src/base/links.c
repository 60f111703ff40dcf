#include "base/links.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	char *root;	/* the project, as paths name it; NULL: nothing is refused */
	char *real;	/* the project without links in its path */
	char **outside; /* places out of the project to which its links may lead */
	char *own;	/* the place of our own files, allowed as well; NULL */
	char **watched; /* the paths that are looked at, below root or absolute; NULL: all */
} bound;

/* Is the path the directory, or below it?  Compares letters only. */
static bool
lies_in(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len) != 0)
		return false;
	return path[len] == '\0' || path[len] == '/' || (len > 0 && dir[len - 1] == '/');
}

char **
links_find(const char *root, const char *const *paths)
{
	AUTO_FREE char *base = realpath(root, NULL);
	char **out = xcalloc(1, sizeof(*out));

	for (; base != NULL && *paths != NULL; paths++) {
		AUTO_FREE char *path =
		    **paths == '/' ? xstrdup(*paths) : xasprintf("%s/%s", root, *paths);
		AUTO_FREE char *real = realpath(path, NULL);

		if (real != NULL && !lies_in(real, base))
			out = strlist_add(out, real);
	}
	return out;
}

char **
links_in(const char *root, const char *dir)
{
	AUTO_FREE char *path = *dir == '/' ? xstrdup(dir) : xasprintf("%s/%s", root, dir);
	char **out = xcalloc(1, sizeof(*out));
	DIR *d = opendir(path);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		AUTO_FREE char *link = xasprintf("%s/%s", path, e->d_name);
		struct stat st;

		if (e->d_type == DT_LNK ||
		    (e->d_type == DT_UNKNOWN && lstat(link, &st) == 0 && S_ISLNK(st.st_mode)))
			out = strlist_add(out, link);
	}
	if (d != NULL)
		closedir(d);
	return out;
}

void
links_bound(const char *root, char *const *outside, const char *own, const char *const *watched)
{
	free(bound.own);
	free(bound.root);
	free(bound.real);
	strlist_free(bound.outside);
	strlist_free(bound.watched);
	bound.watched = NULL;
	for (; root != NULL && watched != NULL && *watched != NULL; watched++)
		bound.watched = strlist_add(bound.watched, *watched);
	bound.root = root == NULL ? NULL : xstrdup(root);
	bound.real = root == NULL ? NULL : realpath(root, NULL);
	bound.own = root == NULL || own == NULL ? NULL : xstrdup(own);
	bound.outside = root == NULL || outside == NULL ? NULL : strlist_dup(outside);
}

/* The path of a descriptor; NULL when the kernel does not tell. */
static char *
links_place_of(int fd)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", fd);

	return realpath(link, NULL);
}

/* The path as it was named, absolute; NULL: nobody can tell. */
static char *
links_name_of(int dirfd, const char *path)
{
	AUTO_FREE char *at = NULL;

	if (*path == '/')
		return xstrdup(path);
	at = dirfd == AT_FDCWD ? realpath(".", NULL) : links_place_of(dirfd);
	return at == NULL ? NULL : xasprintf("%s/%s", at, path);
}

static bool
is_outside(const char *path)
{
	for (char **o = bound.outside; o != NULL && *o != NULL; o++)
		if (lies_in(path, *o))
			return true;
	return false;
}

static bool
may_be(const char *place)
{
	return bound.real == NULL || lies_in(place, bound.real) ||
	       (bound.own != NULL && lies_in(place, bound.own)) || is_outside(place);
}

static int
links_refuse(const char *path, const char *place, struct err *err)
{
	AUTO_BUF from = BUF_INIT;
	AUTO_BUF to = BUF_INIT;

	text_show(&from, path, strlen(path), false);
	text_show(&to, place, strlen(place), false);
	return err_code(err, ELOOP,
	    "%s leads out of the project, to %s, by a link that was not there when the loop "
	    "began: nothing is read or written there",
	    from.data, to.data);
}

/* Is the named path at or below a path that was looked at?  `root` is one of the root's two
 * names. */
static bool
is_watched(const char *named, const char *root)
{
	if (bound.watched == NULL || !lies_in(named, root))
		return lies_in(named, root);
	for (char **w = bound.watched; *w != NULL; w++) {
		AUTO_FREE char *path = **w == '/' ? xstrdup(*w) : xasprintf("%s/%s", root, *w);

		if (lies_in(named, path))
			return true;
	}
	return false;
}

/* Refuses a place that a path of that name may not lead to. */
static int
links_judge(const char *named, const char *place, bool is_file, struct err *err)
{
	if (named == NULL || place == NULL || may_be(place) ||
	    (!is_watched(named, bound.root) && !is_watched(named, bound.real) &&
		!(is_file && is_outside(named))))
		return 0;
	return links_refuse(named, place, err);
}

int
links_check(int fd, const char *name, int dirfd, const char *path, struct err *err)
{
	AUTO_FREE char *named = NULL;
	AUTO_FREE char *dir = NULL;
	AUTO_FREE char *place = NULL;

	if (bound.root == NULL)
		return 0;
	named = links_name_of(dirfd, path);
	dir = links_place_of(fd);
	if (dir != NULL)
		place = name == NULL ? xstrdup(dir) : xasprintf("%s/%s", dir, name);
	return links_judge(named, place, name != NULL, err);
}

int
links_parent(int dirfd, const char *path, int *parent, const char **name, struct err *err)
{
	const char *slash = strrchr(path, '/');
	AUTO_FREE char *dir = NULL;
	AUTO_CLOSE int fd = -1;

	*parent = -1;
	if (bound.root == NULL || slash == NULL || slash[1] == '\0')
		return 0;
	dir = fs_parent(path);
	fd = openat(dirfd, dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (links_check(fd, NULL, dirfd, dir, err) < 0)
		return -1;
	*parent = take_fd(&fd);
	*name = slash + 1;
	return 0;
}

int
links_check_path(int dirfd, const char *path, struct err *err)
{
	AUTO_FREE char *named = NULL;
	AUTO_FREE char *place = NULL;

	if (bound.root == NULL)
		return 0;
	named = links_name_of(dirfd, path);
	place = named == NULL ? NULL : realpath(named, NULL);
	return links_judge(named, place, false, err);
}
