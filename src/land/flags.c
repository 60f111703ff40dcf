#include "land/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "land/git.h"
#include "land/repo.h"
#include <arpa/inet.h>
#include <fcntl.h>

#define INDEX_MAX ((size_t)256 << 20)
#define HEADER 12 /* "DIRC", version, number of entries */
#define STATS 40  /* of an entry, before the hash */
#define ASSUMED 0x8000
#define EXTENDED 0x4000
#define SKIPPED 0x4000 /* in the extended flags */

static uint32_t
number(const char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return ntohl(n);
}

static unsigned
half(const char *p)
{
	return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

/* Behind the name that begins at p; NULL when the file does not go on. */
static const char *
name_skip(const char *entry, const char *p, const char *end, uint32_t version)
{
	const char *nul;
	size_t len;

	/* Version 4: how much of the last name goes, in bytes with a high bit but the last. */
	if (version == 4) {
		while (p < end && (*p & 0x80) != 0)
			p++;
		p++;
	}
	nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
	if (!nul || version == 4)
		return nul ? nul + 1 : NULL;
	len = (size_t)(nul - entry);
	len = (len + 8) & ~(size_t)7;
	return len <= (size_t)(end - entry) ? entry + len : NULL;
}

/* May a file have a mark?  Without asking git; what is not understood may. */
static bool
index_may_have(const struct buf *index, size_t hash)
{
	const char *p = index->data, *end = p + index->len;
	uint32_t version, n;

	if (index->len < HEADER || memcmp(p, "DIRC", 4) != 0)
		return index->len > 0;
	version = number(p + 4);
	n = number(p + 8);
	if (version < 2 || version > 4)
		return true;
	for (p += HEADER; n > 0; n--) {
		const char *entry = p;
		unsigned flags;

		p += STATS + hash + 2;
		if (p + 2 > end)
			return true;
		flags = half(p - 2);
		if ((flags & ASSUMED) != 0 ||
		    ((flags & EXTENDED) != 0 && (half(p) & SKIPPED) != 0))
			return true;
		p = name_skip(entry, (flags & EXTENDED) != 0 ? p + 2 : p, end, version);
		if (!p)
			return true;
	}
	/* Most of a split index is elsewhere. */
	return p + 4 <= end && memcmp(p, "link", 4) == 0;
}

static int
marks_remove(const struct step *s, const char *option, const struct buf *paths, struct err *err)
{
	const struct git_call call = {
	    .dir = s->path,
	    .what = "git update-index",
	    .args = ARGS("update-index", option, "-z", "--stdin"),
	    .input = paths->data,
	    .input_len = paths->len,
	    .unsynced = true,
	};
	struct run_result result;
	int rc;

	if (paths->len == 0)
		return 0;
	run_result_init(&result);
	rc = git_call(&call, &result, err);
	run_result_release(&result);
	return rc;
}

/* Lines "h path": small letters are assumed to be unchanged, S is not to be in the tree.  In a
 * sparse checkout those that are not there are just that. */
static void
marks_list(
    const struct step *s, const struct buf *lines, struct buf *assumed, struct buf *skipped)
{
	bool sparse = git_yes(s->path, ARGS("config", "--get", "core.sparseCheckout", "true"));
	const char *end = lines->data + lines->len;

	for (const char *line = lines->data; line + 2 < end; line += strlen(line) + 1) {
		AUTO_FREE char *path = NULL;

		if (line[0] >= 'a' && line[0] <= 'z')
			buf_add(assumed, line + 2, strlen(line + 2) + 1);
		if (line[0] != 'S' && line[0] != 's')
			continue;
		path = xasprintf("%s/%s", s->path, line + 2);
		if (!sparse || path_is_there(path))
			buf_add(skipped, line + 2, strlen(line + 2) + 1);
	}
}

int
flags_clear(const struct step *s, const struct work *w, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/index", w->git_dir);
	size_t hash = s->note.start && strlen(s->note.start) == 64 ? 32 : 20;
	AUTO_BUF index = BUF_INIT;
	AUTO_BUF assumed = BUF_INIT;
	AUTO_BUF skipped = BUF_INIT;
	struct run_result files;
	int rc;

	if (fs_read(AT_FDCWD, path, INDEX_MAX, &index, NULL) == 0 &&
	    !index_may_have(&index, hash))
		return 0;
	run_result_init(&files);
	rc = git_run(s->path, "git ls-files", ARGS("ls-files", "-v", "-z"), &files, err);
	if (rc == 0)
		marks_list(s, &files.out, &assumed, &skipped);
	run_result_release(&files);
	if (rc == 0)
		rc = marks_remove(s, "--no-assume-unchanged", &assumed, err);
	return rc == 0 ? marks_remove(s, "--no-skip-worktree", &skipped, err) : rc;
}
