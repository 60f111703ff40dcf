#include "git/ignored.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "git/repo.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64

void
ignored_release(struct ignored_list *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->list[i].path);
	free(f->list);
	*f = (struct ignored_list){.list = NULL};
}

bool
ignored_is_too_much(const struct ignored_amount *a)
{
	return a->files > IGNORED_FILES_MAX || a->bytes > IGNORED_BYTES_MAX;
}

/* Is the file still the copy that the work tree was given?  Such a file is nobody's work. */
static bool
ignored_is_given(const struct ignored_look *look, const char *path)
{
	AUTO_FREE char *given = xasprintf("%s/%s", look->top, path);
	AUTO_FREE char *own = xasprintf("%s/%s", look->dir, path);
	AUTO_BUF a = BUF_INIT;
	AUTO_BUF b = BUF_INIT;

	return paths_hold(look->copied, path) &&
	       fs_read(AT_FDCWD, given, (size_t)IGNORED_BYTES_MAX, &a, NULL) == 0 &&
	       fs_read(AT_FDCWD, own, (size_t)IGNORED_BYTES_MAX, &b, NULL) == 0 &&
	       a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

static void
file_found(
    const struct ignored_look *look, const char *path, int64_t size, struct ignored_list *f)
{
	if (ignored_is_given(look, path))
		return;
	f->all.files++;
	f->all.bytes += size;
	if (size > IGNORED_BYTES_MAX)
		return; /* counts the file alone: the files beside it can be listed */
	f->held.files++;
	f->held.bytes += size;
	if (ignored_is_too_much(&f->held))
		return;
	f->list = xreallocarray(f->list, f->n + 1, sizeof(*f->list));
	f->list[f->n++] = (struct ignored_file){.path = xstrdup(path), .size = size};
}

/* Adds the content of a directory, or of a path that git names, as a whole or not at all: when
 * `one` holds too much, it counts in `all` alone, and none of its files is listed. */
static void
list_add(struct ignored_list *into, struct ignored_list *one)
{
	into->all.files += one->all.files;
	into->all.bytes += one->all.bytes;
	into->all.others += one->all.others;
	into->all.unseen += one->all.unseen;
	if (!ignored_is_too_much(&one->held)) {
		into->held.files += one->held.files;
		into->held.bytes += one->held.bytes;
		if (into->chosen || !ignored_is_too_much(&into->held)) {
			into->list = xreallocarray(
			    into->list, into->n + one->n + 1, sizeof(*into->list));
			for (size_t i = 0; i < one->n; i++)
				into->list[into->n++] = one->list[i];
			one->n = 0;
		}
	}
	ignored_release(one);
}

static void entry_found(const struct ignored_look *look, int at, const char *name,
    const char *path, int depth, struct ignored_list *f);

static void
dir_found(const struct ignored_look *look, int at, const char *name, const char *path,
    int depth, struct ignored_list *f)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct ignored_list own = {.list = NULL};
	struct dirent *e;

	if (dir == NULL)
		own.all.unseen++;
	if (dir == NULL && fd >= 0)
		close(fd);
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		AUTO_FREE char *below = xasprintf("%s/%s", path, e->d_name);

		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			entry_found(look, dirfd(dir), e->d_name, below, depth + 1, &own);
	}
	if (dir != NULL)
		(void)closedir(dir);
	list_add(f, &own);
}

/* Is the link still the copy that the work tree was given? */
static bool
is_given_link(const struct ignored_look *look, const char *path)
{
	AUTO_FREE char *given = xasprintf("%s/%s", look->top, path);
	AUTO_FREE char *own = xasprintf("%s/%s", look->dir, path);
	char a[PATH_MAX], b[PATH_MAX];
	ssize_t n = readlink(given, a, sizeof(a)), m = readlink(own, b, sizeof(b));

	return paths_hold(look->copied, path) && n > 0 && n == m &&
	       memcmp(a, b, (size_t)n) == 0;
}

static void
entry_found(const struct ignored_look *look, int at, const char *name, const char *path,
    int depth, struct ignored_list *f)
{
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISDIR(st.st_mode) && depth >= DEPTH_MAX)
		f->all.unseen++;
	else if (S_ISDIR(st.st_mode))
		dir_found(look, at, name, path, depth, f);
	else if (S_ISREG(st.st_mode))
		file_found(look, path, st.st_size, f);
	else
		f->all.others += !is_given_link(look, path);
}

static void
path_found(const struct ignored_look *look, const char *path, struct ignored_list *into)
{
	AUTO_FREE char *plain = xstrndup(path, strlen(path) - (path[strlen(path) - 1] == '/'));
	struct ignored_list one = {.list = NULL};

	AUTO_CLOSE int top = fs_open_dir(AT_FDCWD, look->dir, NULL);
	if (top >= 0)
		entry_found(look, top, plain, plain, 0, &one);
	list_add(into, &one);
}

void
ignored_find(const struct ignored_look *look, char *const *paths, struct ignored_list *f)
{
	*f = (struct ignored_list){.chosen = true};
	for (; paths != NULL && *paths != NULL; paths++)
		path_found(look, *paths, f);
}

void
ignored_add_files(const struct ignored_amount *a, struct buf *out)
{
	buf_addf(out, "%" PRId64 " file%s (%" PRId64 " bytes)", a->files,
	    a->files == 1 ? "" : "s", a->bytes);
}

void
ignored_add_amount(const struct ignored_amount *gone, struct buf *out)
{
	const char *more = "";

	if (gone->files > 0) {
		ignored_add_files(gone, out);
		more = gone->others > 0 && gone->unseen > 0 ? ", " : " and ";
	}
	if (gone->others > 0) {
		buf_addf(out, "%s%" PRId64 " %s", more, gone->others,
		    gone->others == 1 ? "link, pipe or socket" : "links, pipes or sockets");
		more = " and ";
	}
	if (gone->unseen > 0)
		buf_addf(out, "%s%" PRId64 " director%s that nobody looked into", more,
		    gone->unseen, gone->unseen == 1 ? "y" : "ies");
}

char *
ignored_count(const struct ignored_look *look, char *const *paths)
{
	AUTO(ignored_release) struct ignored_list found = {.list = NULL};
	AUTO_BUF out = BUF_INIT;

	ignored_find(look, paths, &found);
	ignored_add_amount(&found.all, &out);
	return out.len > 0 ? buf_detach(&out) : NULL;
}
