#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "git/ignored.h"
#include "git/sync.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int
ignored_by_size(const void *a, const void *b)
{
	const struct ignored_file *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int
file_keep(const struct site *s, const struct ignored_file *file, struct err *err)
{
	AUTO_FREE char *from = xasprintf("%s/%s", s->path, file->path);
	AUTO_FREE char *to = xasprintf("%s/%s", s->plan->ignored, file->path);
	char *name = strrchr(to, '/');
	AUTO_CLOSE int dir = -1;
	AUTO_BUF bytes = BUF_INIT;

	*name++ = '\0';
	if (fs_read(AT_FDCWD, from, (size_t)IGNORED_BYTES_MAX, &bytes, err) < 0 ||
	    fs_mkdirs(to, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, to, err);
	return dir < 0 ? -1 : fs_replace(dir, name, bytes.data, bytes.len, FS_NOSYNC, err);
}

static bool
access_is_denied(const struct site *s, const struct ignored_file *file)
{
	AUTO_FREE char *path = xasprintf("%s/%s", s->path, file->path);

	return access(path, R_OK) < 0 && errno == EACCES;
}

/* Keeps the smallest files first: the words that an agent wrote, rather than what it built. */
static int
found_keep(
    const struct site *s, struct ignored_list *f, struct ignored_amount *kept, struct err *err)
{
	const char *name = basename(s->plan->ignored);
	AUTO_FREE char *above = fs_parent(s->plan->ignored);
	AUTO_STRLIST paths = NULL;

	if (f->n > 0)
		qsort(f->list, f->n, sizeof(*f->list), ignored_by_size);
	for (size_t i = 0; i < f->n; i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", name, f->list[i].path);
		struct ignored_amount more = {
		    .files = kept->files + 1, .bytes = kept->bytes + f->list[i].size};

		if (ignored_is_too_much(&more))
			break;
		if (access_is_denied(s, &f->list[i]))
			continue; /* we may not read the file: it counts as not kept */
		if (file_keep(s, &f->list[i], err) < 0)
			return -1;
		*kept = more;
		/* More are not synced one by one. */
		if (kept->files <= SYNC_FILES + 1)
			paths = strlist_add(paths, path);
	}
	return paths == NULL ? 0 : sync_files(s->common, above, paths, err);
}

static char *
amounts_tell(
    const struct site *s, const struct ignored_amount *all, const struct ignored_amount *kept)
{
	struct ignored_amount gone = {.files = all->files - kept->files,
	    .bytes = all->bytes - kept->bytes,
	    .others = all->others,
	    .unseen = all->unseen};
	AUTO_BUF out = BUF_INIT;

	if (kept->files > 0) {
		buf_adds(&out, "ignored by git and kept: ");
		ignored_add_files(kept, &out);
		buf_addf(&out, " in %s", s->plan->ignored);
	}
	if (gone.files > 0 || gone.others > 0 || gone.unseen > 0) {
		buf_adds(&out, out.len > 0 ? "; not kept: " : "ignored by git and not kept: ");
		ignored_add_amount(&gone, &out);
	}
	return out.len > 0 ? buf_detach(&out) : NULL;
}

int
ignored_keep(const struct site *s, struct work *w, const struct changes *c, struct err *err)
{
	AUTO(ignored_release) struct ignored_list found = {.list = NULL};
	struct ignored_amount kept = {.files = 0};

	free(take_ptr(w->left));
	if (s->plan->ignored == NULL || c->ignored == NULL)
		return 0;
	/* An earlier copy may have been interrupted: it is made anew. */
	if (fs_remove_tree(AT_FDCWD, s->plan->ignored, err) < 0)
		return -1;
	ignored_find(
	    &(struct ignored_look){
		.dir = s->path, .top = s->plan->top, .copied = s->note.copied},
	    c->ignored, &found);
	if (found_keep(s, &found, &kept, err) < 0)
		return -1;
	w->left = amounts_tell(s, &found.all, &kept);
	return 0;
}
