#include "git/landing/astray.h"

#include "base/alloc.h"
#include "git/git.h"
#include "git/merged.h"
#include "git/object.h"
#include "git/refs.h"
#include "git/repo.h"

#define BRIEF 12
#define LIST_MAX ((size_t)256 << 20)

/* ---- which are not reachable --------------------------------------------------------- */

#define MISSING ""
#define UNKNOWN "?" /* more than one object's name begins so */

/* Returns the full name of an object from a line that git printed. */
static const char *
astray_name_of(const char *line)
{
	const char *word = strchr(line, ' ');

	return word == NULL ? line : strcmp(word, " missing") == 0 ? MISSING : UNKNOWN;
}

static bool
astray_is_name(const char *name)
{
	return strcmp(name, MISSING) != 0 && strcmp(name, UNKNOWN) != 0;
}

/* NULL + err when the text does not name all n commits. */
static char **
names_parse(char *text, size_t n, struct err *err)
{
	char **names = NULL;
	const char *line;

	while ((line = strsep(&text, "\n")) != NULL && text != NULL)
		names = strlist_add(names, astray_name_of(line));
	if (names != NULL && strlist_len(names) == n)
		return names;
	strlist_free(names);
	(void)err_set(err, "git cat-file does not tell of all commits");
	return NULL;
}

static int
astray_ask(const struct astray_look *look, const char *what, const char *const *args,
    const struct buf *input, struct run_result *result, struct err *err)
{
	return git_call(&(struct git_call){.dir = look->dir,
			    .what = what,
			    .args = args,
			    .input = input->data,
			    .input_len = input->len,
			    .max = LIST_MAX},
	    result, err);
}

/* The full names of all commits that are looked for. */
static char **
astray_names_find(const struct astray_look *look, struct err *err)
{
	AUTO_RUN result = RUN_INIT;
	AUTO_BUF input = BUF_INIT;

	for (size_t i = 0; i < look->n; i++)
		buf_addf(&input, "%s^{commit}\n", look->commits[i].commit);
	if (astray_ask(look, "git cat-file", ARGS("cat-file", "--batch-check=%(objectname)"),
		&input, &result, err) < 0)
		return NULL;
	return names_parse(result.out.data, look->n, err);
}

/* Lists the commits that lead to the named ones and that are in no branch or reference that
 * counts. */
static int
unreached_find(const struct astray_look *look, char *const *names, struct run_result *result,
    struct err *err)
{
	AUTO_FREE char *branch =
	    look->branch != NULL ? xasprintf("refs/heads/%s", look->branch) : NULL;
	AUTO_FREE char *queue =
	    look->branch != NULL ? xasprintf("refs/ralph/land/%s", look->branch) : NULL;
	AUTO_BUF input = BUF_INIT;

	for (char *const *name = names; *name != NULL; name++)
		if (astray_is_name(*name))
			buf_addf(&input, "%s\n", *name);
	if (input.len == 0)
		return 0;
	/* Some of the references that count may be missing: no L, a HEAD without commits. */
	return astray_ask(look, "git rev-list",
	    ARGS("rev-list", "--ignore-missing", "--stdin", "--not",
		branch != NULL ? branch : "--branches", queue != NULL ? queue : "HEAD"),
	    &input, result, err);
}

/* ---- is it there as another commit? -------------------------------------------------- */

/* Does a commit that is not older have the trailer?  An older one may be of another list with a
 * task of the same name. */
static bool
has_trailer(
    const struct astray_look *look, const char *in, const char *commit, const char *trailer)
{
	AUTO_FREE char *made = git_line(
	    look->dir, "git log", ARGS("log", "-1", "--format=%ct", commit, "--"), NULL);
	AUTO_FREE char *age = xasprintf("--max-age=%s", made != NULL ? made : "");
	AUTO_FREE char *grep = xasprintf("--grep=^%s$", trailer);
	AUTO_FREE char *not = xasprintf("^%s", commit);
	AUTO_FREE char *found =
	    made == NULL
		? NULL
		: git_line(look->dir, "git rev-list",
		      ARGS("rev-list", "-1", "--basic-regexp", age, grep, in, not, "--"), NULL);

	return found != NULL && *found != '\0';
}

/* Does `in` have all patches that the commit brought to its first parent?  False for a commit
 * without a parent. */
static bool
has_patches(const struct astray_look *look, const char *in, const char *commit)
{
	AUTO_FREE char *parent = xasprintf("%s^1", commit);
	AUTO_FREE char *lines =
	    git_line(look->dir, "git cherry", ARGS("cherry", in, commit, parent), NULL);

	return lines != NULL && lines[0] != '+' && strstr(lines, "\n+") == NULL;
}

/* Would a merge of the commit change nothing?  Somebody may have made one commit of several. */
static bool
has_content(const struct astray_look *look, const char *in, const char *commit)
{
	AUTO_FREE char *now = object_tree(look->dir, in, NULL);
	AUTO(merged_release) struct merged m = MERGED_INIT;

	return now != NULL && merged_make(look->dir, in, commit, false, &m, NULL) == 0 &&
	       strcmp(now, m.tree) == 0;
}

static bool
astray_is_there(const struct astray_look *look, const char *name, const struct astray_commit *c)
{
	AUTO_FREE char *in =
	    look->branch != NULL ? xasprintf("refs/heads/%s", look->branch) : xstrdup("HEAD");

	return has_trailer(look, in, name, c->trailer) || has_patches(look, in, name) ||
	       has_content(look, in, name);
}

/* ---- those that are ------------------------------------------------------------------ */

static int
astray_keep(const struct astray_look *look, const struct buf *script, struct err *err)
{
	AUTO_FREE char *common = repo_common(look->dir, err);

	if (common == NULL || repo_sync(common, err) < 0)
		return -1;
	return refs_update(look->dir, common, NULL, script, err);
}

static void
astray_add(const struct astray_commit *c, const char *name, json_t *out, struct buf *script)
{
	AUTO_FREE char *brief = xasprintf("%.*s", BRIEF, *name == '\0' ? c->commit : name);
	json_t *one = json_object();

	json_put(one, "id", c->id);
	json_put(one, "commit", brief);
	if (c->seen)
		(void)json_object_set_new(one, "seen", json_true());
	if (*name != '\0') {
		AUTO_FREE char *ref = xasprintf("refs/ralph/gone/%s/%s", c->id, brief);

		json_put(one, "ref", ref);
		buf_addf(script, "update %s %s\n", ref, name);
	}
	(void)json_array_append_new(out, one);
}

int
astray_find(const struct astray_look *look, json_t *out, struct err *err)
{
	AUTO_STRLIST names = astray_names_find(look, err);
	AUTO_RUN unreached = RUN_INIT;
	AUTO_BUF script = BUF_INIT;

	if (names == NULL || unreached_find(look, names, &unreached, err) < 0)
		return -1;
	for (size_t i = 0; i < look->n; i++)
		if (strcmp(names[i], MISSING) == 0 ||
		    (strstr(unreached.out.data, names[i]) != NULL &&
			!astray_is_there(look, names[i], &look->commits[i])))
			astray_add(&look->commits[i], names[i], out, &script);
	return script.len > 0 ? astray_keep(look, &script, err) : 0;
}

/* ---- those that were found ----------------------------------------------------------- */

#define GONE "refs/ralph/gone/"

/* Parses one line: a commit's reference, its full name, and its session.  A commit without a
 * session was made for a list, and no branch waits for it. */
static void
astray_list_one(const struct astray_look *look, char *line, json_t *out)
{
	const char *ref = strsep(&line, " ");
	const char *name = line == NULL ? NULL : strsep(&line, " ");
	const char *id =
	    strncmp(ref, GONE, sizeof(GONE) - 1) == 0 ? ref + sizeof(GONE) - 1 : "";
	AUTO_FREE char *ticket = xstrndup(id, strcspn(id, "/"));
	AUTO_FREE char *brief = name == NULL ? NULL : xasprintf("%.*s", BRIEF, name);
	AUTO_FREE char *trailer =
	    line == NULL || *line == '\0' ? NULL : xasprintf("Ralph-Session: %s", line);
	json_t *one;

	if (trailer == NULL ||
	    astray_is_there(look, name,
		&(struct astray_commit){.id = ticket, .commit = name, .trailer = trailer}))
		return;
	one = json_object();
	json_put(one, "ticket", ticket);
	json_put(one, "commit", brief);
	json_put(one, "ref", ref);
	(void)json_array_append_new(out, one);
}

void
astray_list(const char *dir, char **branch, json_t *out)
{
	static const char format[] =
	    "--format=%(refname) %(objectname) "
	    "%(contents:trailers:key=Ralph-Session,valueonly,separator=)";
	AUTO_FREE char *not_in = NULL;
	AUTO_FREE char *lines = NULL;
	char *rest, *line;

	if (*branch == NULL)
		*branch = repo_branch(dir);
	if (*branch == NULL)
		return;
	not_in = xasprintf("--no-merged=refs/heads/%s", *branch);
	lines =
	    git_line(dir, "git for-each-ref", ARGS("for-each-ref", not_in, format, GONE), NULL);
	for (rest = lines; (line = strsep(&rest, "\n")) != NULL;)
		if (*line != '\0')
			astray_list_one(
			    &(struct astray_look){.dir = dir, .branch = *branch}, line, out);
}
