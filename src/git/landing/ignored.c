#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "git/repo.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 1000
#define BYTES_MAX ((int64_t)64 << 20)
#define DEPTH_MAX 64

struct found {
	char *path; /* below the worktree */
	int64_t size;
};

struct amount {
	int64_t files, bytes;
	int64_t others; /* links, pipes, sockets: there is nothing in them */
	int64_t unseen; /* directories that are too deep or cannot be read */
};

struct finding {
	struct found *list;
	size_t n;
	struct amount all;  /* whatever there is */
	struct amount held; /* the same without directories that hold too much */
	bool chosen;	    /* from, later: the list may be of more than is kept */
};

static void
finding_release(struct finding *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->list[i].path);
	free(f->list);
	*f = (struct finding){.list = NULL};
}

static bool
ignored_is_too_much(const struct amount *a)
{
	return a->files > FILES_MAX || a->bytes > BYTES_MAX;
}

/* ---- finding ------------------------------------------------------------------------- */

/* The very file that the worktree was given: nobody's work. */
static bool
ignored_is_given(const struct site *s, const char *path)
{
	AUTO_FREE char *given = xasprintf("%s/%s", s->plan->top, path);
	AUTO_FREE char *own = xasprintf("%s/%s", s->path, path);
	AUTO_BUF a = BUF_INIT;
	AUTO_BUF b = BUF_INIT;

	return paths_hold(s->note.copied, path) &&
	       fs_read(AT_FDCWD, given, (size_t)BYTES_MAX, &a, NULL) == 0 &&
	       fs_read(AT_FDCWD, own, (size_t)BYTES_MAX, &b, NULL) == 0 && a.len == b.len &&
	       memcmp(a.data, b.data, a.len) == 0;
}

static void
file_found(const struct site *s, const char *path, int64_t size, struct finding *f)
{
	if (ignored_is_given(s, path))
		return;
	f->all.files++;
	f->all.bytes += size;
	if (size > BYTES_MAX)
		return; /* what lies beside it is not lost for it */
	f->held.files++;
	f->held.bytes += size;
	if (ignored_is_too_much(&f->held))
		return;
	f->list = xreallocarray(f->list, f->n + 1, sizeof(*f->list));
	f->list[f->n++] = (struct found){.path = xstrdup(path), .size = size};
}

/* Adds the content of a directory, or of a path that git names, as a whole or not at all: when
 * `one` holds too much, it counts in `all` alone, and none of its files is listed. */
static void
finding_add(struct finding *into, struct finding *one)
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
	finding_release(one);
}

static void entry_found(const struct site *s, int at, const char *name, const char *path,
    int depth, struct finding *f);

static void
dir_found(const struct site *s, int at, const char *name, const char *path, int depth,
    struct finding *f)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct finding own = {.list = NULL};
	struct dirent *e;

	if (dir == NULL)
		own.all.unseen++;
	if (dir == NULL && fd >= 0)
		close(fd);
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		AUTO_FREE char *below = xasprintf("%s/%s", path, e->d_name);

		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			entry_found(s, dirfd(dir), e->d_name, below, depth + 1, &own);
	}
	if (dir != NULL)
		(void)closedir(dir);
	finding_add(f, &own);
}

/* The very link that the worktree was given. */
static bool
is_given_link(const struct site *s, const char *path)
{
	AUTO_FREE char *given = xasprintf("%s/%s", s->plan->top, path);
	AUTO_FREE char *own = xasprintf("%s/%s", s->path, path);
	char a[PATH_MAX], b[PATH_MAX];
	ssize_t n = readlink(given, a, sizeof(a)), m = readlink(own, b, sizeof(b));

	return paths_hold(s->note.copied, path) && n > 0 && n == m &&
	       memcmp(a, b, (size_t)n) == 0;
}

static void
entry_found(const struct site *s, int at, const char *name, const char *path, int depth,
    struct finding *f)
{
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISDIR(st.st_mode) && depth >= DEPTH_MAX)
		f->all.unseen++;
	else if (S_ISDIR(st.st_mode))
		dir_found(s, at, name, path, depth, f);
	else if (S_ISREG(st.st_mode))
		file_found(s, path, st.st_size, f);
	else
		f->all.others += !is_given_link(s, path);
}

static void
path_found(const struct site *s, const char *path, struct finding *into)
{
	AUTO_FREE char *plain = xstrndup(path, strlen(path) - (path[strlen(path) - 1] == '/'));
	struct finding one = {.list = NULL};

	AUTO_CLOSE int top = fs_open_dir(AT_FDCWD, s->path, NULL);
	if (top >= 0)
		entry_found(s, top, plain, plain, 0, &one);
	finding_add(into, &one);
}

/* ---- keeping ------------------------------------------------------------------------- */

static int
ignored_by_size(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int
file_keep(const struct site *s, const struct found *file, struct err *err)
{
	AUTO_FREE char *from = xasprintf("%s/%s", s->path, file->path);
	AUTO_FREE char *to = xasprintf("%s/%s", s->plan->ignored, file->path);
	char *name = strrchr(to, '/');
	AUTO_CLOSE int dir = -1;
	AUTO_BUF bytes = BUF_INIT;

	*name++ = '\0';
	if (fs_read(AT_FDCWD, from, (size_t)BYTES_MAX, &bytes, err) < 0 ||
	    fs_mkdirs(to, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, to, err);
	return dir < 0 ? -1 : fs_replace(dir, name, bytes.data, bytes.len, FS_NOSYNC, err);
}

/* The smallest first: of a few words and a build, the words. */
static bool
access_is_denied(const struct site *s, const struct found *file)
{
	AUTO_FREE char *path = xasprintf("%s/%s", s->path, file->path);

	return access(path, R_OK) < 0 && errno == EACCES;
}

static int
found_keep(const struct site *s, struct finding *f, struct amount *kept, struct err *err)
{
	if (f->n > 0)
		qsort(f->list, f->n, sizeof(*f->list), ignored_by_size);
	for (size_t i = 0; i < f->n; i++) {
		struct amount more = {
		    .files = kept->files + 1, .bytes = kept->bytes + f->list[i].size};

		if (ignored_is_too_much(&more))
			break;
		if (access_is_denied(s, &f->list[i]))
			continue; /* not even we may read it: it counts as not kept */
		if (file_keep(s, &f->list[i], err) < 0)
			return -1;
		*kept = more;
	}
	return kept->files == 0 ? 0 : fs_sync_all(s->plan->ignored, err);
}

static void
amount_add(const struct amount *a, struct buf *out)
{
	buf_addf(out, "%" PRId64 " file%s (%" PRId64 " bytes)", a->files,
	    a->files == 1 ? "" : "s", a->bytes);
}

static void
gone_add(const struct amount *gone, struct buf *out)
{
	const char *more = "";

	if (gone->files > 0) {
		amount_add(gone, out);
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

static char *
amounts_tell(const struct site *s, const struct amount *all, const struct amount *kept)
{
	struct amount gone = {.files = all->files - kept->files,
	    .bytes = all->bytes - kept->bytes,
	    .others = all->others,
	    .unseen = all->unseen};
	AUTO_BUF out = BUF_INIT;

	if (kept->files > 0) {
		buf_adds(&out, "ignored by git and kept: ");
		amount_add(kept, &out);
		buf_addf(&out, " in %s", s->plan->ignored);
	}
	if (gone.files > 0 || gone.others > 0 || gone.unseen > 0) {
		buf_adds(&out, out.len > 0 ? "; not kept: " : "ignored by git and not kept: ");
		gone_add(&gone, &out);
	}
	return out.len > 0 ? buf_detach(&out) : NULL;
}

int
ignored_keep(const struct site *s, struct work *w, const struct changes *c, struct err *err)
{
	AUTO(finding_release) struct finding found = {.chosen = true};
	struct amount kept = {.files = 0};

	free(take_ptr(w->left));
	if (s->plan->ignored == NULL || c->ignored == NULL)
		return 0;
	/* A copy that was begun is begun anew. */
	if (fs_remove_tree(AT_FDCWD, s->plan->ignored, err) < 0)
		return -1;
	for (char **path = c->ignored; *path != NULL; path++)
		path_found(s, *path, &found);
	if (found_keep(s, &found, &kept, err) < 0)
		return -1;
	w->left = amounts_tell(s, &found.all, &kept);
	return 0;
}

char *
ignored_count(const struct site *s, const struct changes *c)
{
	AUTO(finding_release) struct finding found = {.chosen = true};
	AUTO_BUF out = BUF_INIT;

	for (char **path = c->ignored; path != NULL && *path != NULL; path++)
		path_found(s, *path, &found);
	gone_add(&found.all, &out);
	return out.len > 0 ? buf_detach(&out) : NULL;
}
