#include "ticket/ticket.h"
#include "base/fs.h"
#include "base/text.h"
#include "ticket/front.h"
#include <errno.h>
#include <limits.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static const char *const status_names[] = {
    [TICKET_OPEN] = "open", [TICKET_IN_PROGRESS] = "in_progress", [TICKET_CLOSED] = "closed"};

const char *
ticket_status_name(enum ticket_status s)
{
	return s < TICKET_UNKNOWN ? status_names[s] : "unknown";
}

enum ticket_status
ticket_status_parse(const char *word)
{
	for (int s = 0; s < TICKET_UNKNOWN; s++)
		if (strcmp(word, status_names[s]) == 0)
			return (enum ticket_status)s;
	return TICKET_UNKNOWN;
}

void
ticket_release(struct ticket *t)
{
	free(t->store);
	free(t->differs);
	*t = (struct ticket){.status = TICKET_UNKNOWN};
}

int
ticket_file(const char *name, struct buf *out, struct err *err)
{
	/* A name from a directory has no slash; one from elsewhere must not lead out of it. */
	if (*name == '\0' || strchr(name, '/') != NULL || strlen(name) > NAME_MAX - 3)
		return err_code(err, ENOENT, "that is no ticket's name");
	buf_addf(out, "%s.md", name);
	return 0;
}

int
ticket_text(int dirfd, const char *name, struct buf *out, struct err *err)
{
	AUTO_BUF file = BUF_INIT;

	if (ticket_file(name, &file, err) < 0)
		return -1;
	return fs_read(dirfd, file.data, TICKET_MAX, out, err);
}

int
ticket_load(int dirfd, const char *name, struct ticket *out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF file = BUF_INIT;
	struct stat st;

	*out = (struct ticket){.status = TICKET_UNKNOWN};
	if (ticket_file(name, &file, err) < 0 ||
	    fs_read(dirfd, file.data, TICKET_MAX, &text, err) < 0)
		return -1;
	if (ticket_parse(name, text.data, text.len, out, err) < 0)
		return err_prefix(err, "%s", file.data);
	if (fstatat(dirfd, file.data, &st, 0) == 0)
		out->mtime = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return 0;
}

void
ticket_components(const struct ticket *t, const char *prefix, struct buf *out)
{
	const char *begin = prefix != NULL ? prefix : "component:";
	size_t len = strlen(begin), start = out->len;

	for (size_t i = 0; t->tags[i] != NULL; i++) {
		if (strncmp(t->tags[i], begin, len) != 0 || t->tags[i][len] == '\0')
			continue;
		if (out->len > start)
			buf_addc(out, ',');
		buf_adds(out, t->tags[i] + len);
	}
}

bool
ticket_id_is_safe(const char *id)
{
	return name_is_valid(id);
}

void
ticket_slug(const char *id, struct buf *out)
{
	if (ticket_id_is_safe(id))
		buf_adds(out, id);
	else
		buf_addf(out, "slug-%08x", (unsigned)(XXH3_64bits(id, strlen(id)) >> 32));
}
