#include "git/object.h"

#include "base/alloc.h"
#include "git/git.h"

/* ---- commits ------------------------------------------------------------------------- */

static const char *const ralph[] = {
    "-c", "user.name=ralph", "-c", "user.email=ralph@localhost", NULL};

/* Makes options that set name and address to those of "ralph" where nobody has configured
 * them. */
static char **
identity_fill(const char *dir)
{
	AUTO_RUN known = RUN_INIT;
	char **options = NULL;

	(void)!git_ask(dir, "git config",
	    ARGS("config", "-z", "--get-regexp", "^user\\.(name|email)$"), &known, NULL);
	for (const char *const *part = ralph; *part != NULL; part += 2) {
		size_t len = strcspn(part[1], "=");
		bool found = false;

		/* An entry is "user.name\nJo\0"; the last entry of a key counts. */
		for (const char *at = NULL; (at = buf_next(&known.out, at)) != NULL;)
			if (strncmp(at, part[1], len) == 0)
				found = at[len] == '\n' && at[len + 1] != '\0';
		if (!found)
			options = strlist_more(options, ARGS("-c", part[1]));
	}
	return options;
}

static char *
commit_try(const struct object_commit *c, const char *const *options, struct err *err)
{
	/* A line of our own may be an argument; words of others may not, since everybody can
	 * see the arguments of processes. */
	bool line = c->by == OBJECT_BY_RALPH;
	AUTO_STRLIST args = strlist_more(NULL, options);
	struct git_call call = {
	    .dir = c->dir,
	    .what = "git commit-tree",
	    .input = line ? NULL : c->message,
	    .input_len = line ? 0 : strlen(c->message),
	};

	if (c->later)
		args = strlist_more(args, ARGS("-c", "core.fsyncMethod=writeout-only"));
	args = strlist_more(args, ARGS("-c", "i18n.commitEncoding=UTF-8", "commit-tree",
				      c->sign ? "-S" : "--no-gpg-sign"));
	for (const char *const *parent = c->parents; *parent != NULL; parent++)
		args = strlist_more(args, ARGS("-p", *parent));
	args = strlist_more(
	    args, line ? ARGS("-m", c->message, c->tree) : ARGS("-F", "-", c->tree));
	call.args = (const char *const *)args;
	return git_call_line(&call, err);
}

char *
object_commit(const struct object_commit *c, struct err *err)
{
	AUTO_STRLIST filled = NULL;
	char *commit;

	if (c->by != OBJECT_BY_ANYONE)
		return commit_try(c, c->by == OBJECT_BY_RALPH ? ralph : NULL, err);
	/* When nobody is configured, git must refuse instead of making somebody up. */
	commit = commit_try(c, ARGS("-c", "user.useConfigOnly=true"), NULL);
	if (commit != NULL)
		return commit;
	filled = identity_fill(c->dir);
	return commit_try(c, (const char *const *)filled, err);
}

bool
object_is_name(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return text[len] == '\0' && (len == 40 || len == 64);
}

/* ---- trees --------------------------------------------------------------------------- */

char *
object_tree(const char *dir, const char *commit, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{tree}", commit);

	return git_line(dir, "git rev-parse", ARGS("rev-parse", "--verify", spec), err);
}

char *
object_tree_empty(const char *dir, struct err *err)
{
	return git_line(
	    dir, "git hash-object", ARGS("hash-object", "-t", "tree", "-w", "--stdin"), err);
}

char *
object_tree_before(const char *dir, const char *commit, struct err *err)
{
	AUTO_FREE char *parent = xasprintf("%s^", commit);
	char *tree = object_tree(dir, parent, NULL);

	return tree != NULL ? tree : object_tree_empty(dir, err);
}
