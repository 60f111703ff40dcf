#include "git/merged.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/git.h"
#include <errno.h>

/* Git's answer to options that it does not have. */
#define GIT_USAGE 129

void
merged_release(struct merged *m)
{
	free(m->tree);
	strlist_free(m->files);
	strlist_free(m->conflicts);
	*m = (struct merged)MERGED_INIT;
}

const char *
merged_conflict(const struct merged *m, const char *path)
{
	for (char *const *c = m->conflicts; c != NULL && *c != NULL; c += 2)
		if (strcmp(c[1], path) == 0)
			return c[0];
	return strlist_has(m->files, path) ? "CONFLICT" : NULL;
}

int
merged_unsupported(struct err *err)
{
	AUTO_FREE char *version = git_line("/", "git version", ARGS("version"), NULL);

	return err_code(err, ENOSYS,
	    "git 2.38 or newer is needed to merge without a work tree; this is %s",
	    version != NULL ? version : "older");
}

/* Takes a string with its NUL off the text; "" at its end. */
static const char *
string_next(const char **at, const char *end)
{
	const char *s = *at;

	if (s >= end)
		return "";
	*at += strlen(s) + 1;
	return s;
}

/* Takes one message, "N\0path\0...\0type\0words\0", and adds its conflicts. */
static void
message_take(struct merged *m, const char **at, const char *end)
{
	long count = strtol(string_next(at, end), NULL, 10);
	const char *paths = *at;
	const char *type;

	for (long i = 0; i < count && *at < end; i++)
		(void)string_next(at, end);
	type = string_next(at, end);
	(void)string_next(at, end);
	for (long i = 0; strncmp(type, "CONFLICT", 8) == 0 && i < count && paths < end; i++)
		m->conflicts =
		    strlist_add(strlist_add(m->conflicts, type), string_next(&paths, end));
}

/* Takes one stage of a file that conflicts, "100644 <object> 2\tpath".  A file has up to three
 * stages in a row. */
static void
merged_file_take(struct merged *m, const char *stage)
{
	const char *path = strchr(stage, '\t');
	size_t n = strlist_len(m->files);

	if (path != NULL && (n == 0 || strcmp(m->files[n - 1], path + 1) != 0))
		m->files = strlist_add(m->files, path + 1);
}

/* Reads the whole output: the tree, the stages of conflicts, "", messages. */
static void
merged_read(const struct buf *out, struct merged *m)
{
	const char *at = out->data;
	const char *end = out->data + out->len;
	const char *stage;

	m->tree = xstrdup(string_next(&at, end));
	while (*(stage = string_next(&at, end)) != '\0')
		merged_file_take(m, stage);
	while (at < end)
		message_take(m, &at, end);
}

int
merged_make(const char *dir, const char *ours, const char *theirs, bool plain, struct merged *m,
    struct err *err)
{
	const struct git_call call = {
	    .dir = dir,
	    .what = "git merge-tree",
	    .args = plain
			? ARGS("-c", "merge.renames=true", "-c", "merge.directoryRenames=false",
			      "merge-tree", "--write-tree", "-z", "--messages", ours, theirs)
			: ARGS("merge-tree", "--write-tree", "-z", "--messages", ours, theirs),
	};
	AUTO_RUN result = RUN_INIT;
	AUTO_BUF line = BUF_INIT;

	*m = (struct merged)MERGED_INIT;
	if (git_try(&call, &result, err) < 0)
		return -1;
	if (exit_number(result.status) <= 1 && result.out.len > 0) {
		merged_read(&result.out, m);
		return exit_ok(result.status) ? 0 : 1;
	}
	if (exit_number(result.status) == GIT_USAGE)
		return merged_unsupported(err);
	text_show(&line, result.err.data, strcspn(result.err.data, "\n"), false);
	return err_set(err, "git merge-tree: %s", line.data);
}
