#include "git/index.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fs.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define INDEX_MAX ((size_t)256 << 20)
#define HEADER 12 /* "DIRC", version, number of entries */
#define STATS 40  /* bytes of an entry before its hash */
#define MODE 24	  /* where an entry has its mode */
#define LINK 0160000
#define ASSUMED 0x8000
#define EXTENDED 0x4000
#define SKIPPED 0x4000 /* in the extended flags */

struct reader {
	const char *at, *end;
	uint32_t version;
	size_t hash;
	struct buf path;
};

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

/* Version 4 compresses prefixes: reads how many bytes of the previous path to drop, and drops
 * them.  A byte has seven bits of that number; all bytes but the last have the high bit set,
 * and stand for one more than their seven bits say. */
static bool
path_cut(struct reader *r)
{
	size_t n = 0;

	while (r->at < r->end && (*r->at & 0x80) != 0) {
		n = (n + ((unsigned char)*r->at++ & 0x7f) + 1) << 7;
		if (n > r->path.len)
			return false;
	}
	if (r->at >= r->end)
		return false;
	n += (unsigned char)*r->at++;
	if (n > r->path.len)
		return false;
	buf_truncate(&r->path, r->path.len - n);
	return true;
}

static bool
path_read(struct reader *r, const char *entry)
{
	const char *nul;
	size_t len;

	if (r->version != 4)
		buf_clear(&r->path);
	else if (!path_cut(r))
		return false;
	nul = r->at < r->end ? memchr(r->at, '\0', (size_t)(r->end - r->at)) : NULL;
	if (nul == NULL)
		return false;
	buf_add(&r->path, r->at, (size_t)(nul - r->at));
	r->at = nul + 1;
	if (r->version == 4)
		return true;
	len = ((size_t)(nul - entry) + 8) & ~(size_t)7;
	if (len > (size_t)(r->end - entry))
		return false;
	r->at = entry + len;
	return true;
}

static bool
index_entry_read(struct reader *r, struct index_entry *e)
{
	const char *entry = r->at;
	unsigned flags;
	bool more;

	if ((size_t)(r->end - entry) < STATS + r->hash + 4)
		return false;
	r->at += STATS + r->hash + 2;
	flags = half(r->at - 2);
	more = (flags & EXTENDED) != 0;
	e->link = number(entry + MODE) == LINK;
	e->assumed = (flags & ASSUMED) != 0;
	e->skipped = more && (half(r->at) & SKIPPED) != 0;
	r->at += more ? 2 : 0;
	if (!path_read(r, entry))
		return false;
	e->path = r->path.data;
	return true;
}

/* Checks what is behind the entries: extensions ("NAME", length, bytes), then a hash of the
 * whole file.  Their lengths add up only when the entries were read with the right length of
 * hashes.  The extension "link" belongs to a split index. */
static bool
rest_is_right(const struct reader *r)
{
	const char *at = r->at;

	while ((size_t)(r->end - at) >= r->hash + 8) {
		size_t len = number(at + 4);

		if (memcmp(at, "link", 4) == 0 || len > (size_t)(r->end - at) - 8)
			return false;
		at += 8 + len;
	}
	return (size_t)(r->end - at) == r->hash;
}

static bool
index_walk(const struct buf *index, size_t hash,
    bool (*each)(const struct index_entry *, void *), void *arg)
{
	struct reader r = {
	    .at = index->data + HEADER,
	    .end = index->data + index->len,
	    .version = number(index->data + 4),
	    .hash = hash,
	    .path = BUF_INIT,
	};
	struct index_entry e;
	bool whole = true, enough = false;

	for (uint32_t n = number(index->data + 8); n > 0 && whole && !enough; n--) {
		whole = index_entry_read(&r, &e);
		enough = whole && each != NULL && each(&e, arg);
	}
	whole = enough || (whole && rest_is_right(&r));
	buf_release(&r.path);
	return whole;
}

static bool
index_each(const struct buf *index, bool (*each)(const struct index_entry *, void *), void *arg)
{
	static const size_t hashes[] = {20, 32};

	if (index->len < HEADER || memcmp(index->data, "DIRC", 4) != 0 ||
	    number(index->data + 4) < 2 || number(index->data + 4) > 4)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(hashes); i++)
		if (index_walk(index, hashes[i], NULL, NULL))
			return index_walk(index, hashes[i], each, arg);
	return false;
}

bool
index_read(const char *git_dir, bool (*each)(const struct index_entry *, void *), void *arg)
{
	AUTO_FREE char *path = xasprintf("%s/index", git_dir);
	AUTO_BUF index = BUF_INIT;
	struct err why = ERR_INIT;

	if (fs_read(AT_FDCWD, path, INDEX_MAX, &index, &why) < 0)
		return why.code == ENOENT;
	return index_each(&index, each, arg);
}
