#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "git/delta.h"
#include "git/git.h"

static int
blob_read(const struct site *s, const char *id, struct run_result *blob, struct err *err)
{
	return git_run(s->plan->top, "git cat-file", ARGS("cat-file", "blob", id), blob, err);
}

static char *
blob_write(const struct site *s, const struct buf *text, struct err *err)
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

/* Is the file as it was where the worktree started, and has the branch lost that commit?  Then
 * the ticket's agent changed nothing of the file: the branch was moved back meanwhile, and the
 * merge brings back what landed before. */
static bool
is_of_start(const struct site *s, const struct delta *d)
{
	AUTO_FREE char *name =
	    s->note.start == NULL ? NULL : xasprintf("%s:%s", s->note.start, d->path);
	AUTO_FREE char *id = name == NULL
				 ? NULL
				 : git_line(s->plan->top, "git rev-parse",
				       ARGS("rev-parse", "-q", "--verify", name), NULL);

	return id != NULL && text_same(id, d->to) && !site_has(s, s->base, s->note.start);
}

/* Shows a change to the guard.  1: `edits` has another entry for the path now. */
static int
change_guard(const struct site *s, const struct delta *d, struct edits *edits, struct err *err)
{
	AUTO_RUN before = RUN_INIT;
	AUTO_RUN after = RUN_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *id = NULL;
	bool gone = d->kind != 'M'; /* the file is gone, or it is a link or a directory now */

	if (blob_read(s, d->from, &before, err) < 0 ||
	    (!gone && blob_read(s, d->to, &after, err) < 0))
		return -1;
	if (s->plan->guard(d->path, &before.out, gone ? NULL : &after.out, &text) == 0 ||
	    is_of_start(s, d))
		return 0;
	id = blob_write(s, &text, err);
	if (id == NULL)
		return -1;
	edits_add(edits, d->from_mode, id, d->path);
	return 1;
}

static bool
is_own(const struct site *s, const struct delta *d)
{
	return text_same(d->path, s->ticket->file);
}

/* Only files can be compared: links and directories are not guarded. */
static bool
is_guarded(const struct site *s, const struct delta *d)
{
	return strncmp(d->from_mode, "100", 3) == 0 && strchr("MDT", d->kind) != NULL &&
	       fs_below(s->plan->guarded, d->path) != NULL && !is_own(s, d);
}

static int
changes_guard(struct site *s, const struct run_result *raw, struct edits *edits,
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
merge_guard(struct site *s, char **tree, struct land_result *result, struct err *err)
{
	AUTO(edits_release) struct edits edits = EDITS_INIT;
	AUTO_RUN raw = RUN_INIT;
	AUTO_FREE char *kept = NULL;

	if (s->plan->guard == NULL || s->plan->guarded == NULL)
		return 0;
	if (delta_read(s->plan->top, s->base, *tree, NULL, &raw, err) < 0 ||
	    changes_guard(s, &raw, &edits, result, err) < 0)
		return -1;
	if (edits_is_empty(&edits))
		return 0;
	kept = tree_change(s, *tree, &edits, err);
	if (kept == NULL)
		return -1;
	xstrset(tree, kept);
	return 0;
}
