#include "land/parts.h"

#include "base/alloc.h"
#include "land/git.h"

#define FIELDS 5

/* ":100644 100644 <id> <id> M": what git says of a file that differs. */
struct change {
	const char *mode, *before, *after;
	char kind;
	const char *path;
};

/* Cuts the next one off the text, which it changes; false at its end. */
static bool
change_next(char **at, const char *end, struct change *c)
{
	char *fields[FIELDS], *rest = *at;

	if (*at >= end || **at != ':')
		return false;
	*at += strlen(*at) + 1;
	c->path = *at;
	*at += strlen(*at) + 1;
	for (size_t i = 0; i < FIELDS; i++)
		if (!(fields[i] = strsep(&rest, " ")))
			return false;
	c->mode = fields[0] + 1;
	c->before = fields[2];
	c->after = fields[3];
	c->kind = *fields[4];
	return *at <= end;
}

static int
blob_read(const struct step *s, const char *id, struct buf *out, struct err *err)
{
	struct run_result blob;
	int rc;

	run_result_init(&blob);
	rc = git_run(s->plan->top, "git cat-file", ARGS("cat-file", "blob", id), &blob, err);
	if (rc == 0)
		buf_add(out, blob.out.data, blob.out.len);
	run_result_release(&blob);
	return rc;
}

static char *
blob_write(const struct step *s, const struct buf *text, struct err *err)
{
	const struct git_call call = {
	    .dir = s->plan->top,
	    .what = "git hash-object",
	    .args = ARGS("hash-object", "-w", "--stdin"),
	    .input = text->data,
	    .input_len = text->len,
	};

	return git_call_line(&call, err);
}

/* 1: there is another entry for it now. */
static int
change_guard(const struct step *s, const struct change *c, struct buf *entries, struct err *err)
{
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF after = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *id = NULL;
	bool gone = c->kind != 'M'; /* or it is no file any more */

	if (blob_read(s, c->before, &before, err) < 0 ||
	    (!gone && blob_read(s, c->after, &after, err) < 0))
		return -1;
	if (s->plan->guard(c->path, &before, gone ? NULL : &after, &text) == 0)
		return 0;
	id = blob_write(s, &text, err);
	if (!id)
		return -1;
	buf_addf(entries, "%s %s\t%s", c->mode, id, c->path);
	buf_addc(entries, '\0');
	return 1;
}

static bool
is_own(const struct step *s, const struct change *c)
{
	return s->ticket->file && strcmp(c->path, s->ticket->file) == 0;
}

/* Links and what is a directory to git are nothing that can be compared. */
static bool
is_guarded(const struct step *s, const struct change *c)
{
	size_t len = strlen(s->plan->guarded);

	return strncmp(c->mode, "100", 3) == 0 && strchr("MDT", c->kind) &&
	       strncmp(c->path, s->plan->guarded, len) == 0 && c->path[len] == '/' &&
	       !is_own(s, c);
}

static int
changes_guard(struct step *s, struct buf *raw, struct buf *entries, struct land_result *result,
    struct err *err)
{
	const char *end = raw->data + raw->len;
	char *at = raw->data;
	struct change c;
	int rc = 0;

	result->bare = true;
	while (rc >= 0 && change_next(&at, end, &c)) {
		rc = is_guarded(s, &c) ? change_guard(s, &c, entries, err) : 0;
		if (rc > 0)
			result->held = strlist_add(result->held, c.path);
		else
			result->bare = result->bare && is_own(s, &c);
	}
	return rc < 0 ? -1 : 0;
}

int
merge_guard(struct step *s, char **tree, struct land_result *result, struct err *err)
{
	AUTO_BUF entries = BUF_INIT;
	struct run_result raw;
	char *kept;
	int rc;

	if (!s->plan->guard || !s->plan->guarded)
		return 0;
	run_result_init(&raw);
	rc = git_run(s->plan->top, "git diff-tree",
	    ARGS("diff-tree", "-r", "-z", "--no-renames", s->base, *tree), &raw, err);
	if (rc == 0)
		rc = changes_guard(s, &raw.out, &entries, result, err);
	run_result_release(&raw);
	if (rc < 0 || entries.len == 0)
		return rc;
	kept = tree_change(s, *tree, &entries, err);
	if (!kept)
		return -1;
	free(*tree);
	*tree = kept;
	return 0;
}
