#include "git/landing/parts.h"

#include "base/alloc.h"
#include "git/delta.h"
#include "git/git.h"

static int
blob_read(const struct step *s, const char *id, struct buf *out, struct err *err)
{
	AUTO_RUN blob = RUN_INIT;
	int rc =
	    git_run(s->plan->top, "git cat-file", ARGS("cat-file", "blob", id), &blob, err);

	if (rc == 0)
		buf_add(out, blob.out.data, blob.out.len);
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

/* Shows a change to the guard.  1: `edits` has another entry for the path now. */
static int
change_guard(const struct step *s, const struct delta *d, struct edits *edits, struct err *err)
{
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF after = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *id = NULL;
	bool gone = d->kind != 'M'; /* or it is no file any more */

	if (blob_read(s, d->from, &before, err) < 0 ||
	    (!gone && blob_read(s, d->to, &after, err) < 0))
		return -1;
	if (s->plan->guard(d->path, &before, gone ? NULL : &after, &text) == 0)
		return 0;
	id = blob_write(s, &text, err);
	if (!id)
		return -1;
	edits_add(edits, d->from_mode, id, d->path);
	return 1;
}

static bool
is_own(const struct step *s, const struct delta *d)
{
	return s->ticket->file && strcmp(d->path, s->ticket->file) == 0;
}

/* Only files can be compared: links and directories are not guarded. */
static bool
is_guarded(const struct step *s, const struct delta *d)
{
	size_t len = strlen(s->plan->guarded);

	return strncmp(d->from_mode, "100", 3) == 0 && strchr("MDT", d->kind) &&
	       strncmp(d->path, s->plan->guarded, len) == 0 && d->path[len] == '/' &&
	       !is_own(s, d);
}

static int
changes_guard(struct step *s, const struct run_result *raw, struct edits *edits,
    struct land_result *result, struct err *err)
{
	const char *at = raw->out.data;
	struct delta d;
	int rc = 0;

	result->bare = true;
	while (rc >= 0 && delta_next(&at, raw, &d)) {
		rc = is_guarded(s, &d) ? change_guard(s, &d, edits, err) : 0;
		if (rc > 0)
			result->held = strlist_add(result->held, d.path);
		else
			result->bare = result->bare && is_own(s, &d);
	}
	return rc < 0 ? -1 : 0;
}

int
merge_guard(struct step *s, char **tree, struct land_result *result, struct err *err)
{
	struct edits edits = EDITS_INIT;
	AUTO_RUN raw = RUN_INIT;
	char *kept = NULL;
	int rc;

	if (!s->plan->guard || !s->plan->guarded)
		return 0;
	rc = delta_read(s->plan->top, s->base, *tree, NULL, &raw, err);
	if (rc == 0)
		rc = changes_guard(s, &raw, &edits, result, err);
	if (rc == 0 && !edits_is_empty(&edits)) {
		kept = tree_change(s, *tree, &edits, err);
		rc = kept ? 0 : -1;
	}
	if (kept) {
		free(*tree);
		*tree = kept;
	}
	edits_release(&edits);
	return rc;
}
