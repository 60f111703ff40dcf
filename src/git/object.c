#include "git/object.h"

#include "base/alloc.h"
#include "git/git.h"

/* ----------------------------------------------------------------- commits */

static char **
option_add(char **args, const char *option)
{
	return strlist_add(strlist_add(args, "-c"), option);
}

/* "ralph" for each part of a name that nobody has configured. */
static char **
identity_fill(char **args, const char *dir)
{
	static const char *const names[] = {"user.name", "user.email"};
	static const char *const values[] = {"user.name=ralph", "user.email=ralph@localhost"};
	AUTO_RUN known = RUN_INIT;

	(void)!git_ask(dir, "git config",
	    ARGS("config", "-z", "--get-regexp", "^user\\.(name|email)$"), &known, NULL);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *end = known.out.data + known.out.len;
		bool found = false;

		/* "user.name\nJo\0"; the last one counts. */
		for (const char *at = known.out.data; at < end; at += strlen(at) + 1) {
			size_t len = strlen(names[i]);

			if (strncmp(at, names[i], len) == 0)
				found = at[len] == '\n' && at[len + 1] != '\0';
		}
		if (!found)
			args = option_add(args, values[i]);
	}
	return args;
}

/* Takes the options over. */
static char *
commit_try(const struct object_commit *c, char **args, struct err *err)
{
	/* Our own line is an argument, which everybody who looks at processes can see. */
	bool line = c->by == OBJECT_BY_RALPH;
	struct git_call call = {
	    .dir = c->dir,
	    .what = "git commit-tree",
	    .input = line ? NULL : c->message,
	    .input_len = line ? 0 : strlen(c->message),
	};
	char *commit;

	args = option_add(args, "i18n.commitEncoding=UTF-8");
	args = strlist_add(args, "commit-tree");
	args = strlist_add(args, c->sign ? "-S" : "--no-gpg-sign");
	for (const char *const *parent = c->parents; *parent; parent++)
		args = strlist_add(strlist_add(args, "-p"), *parent);
	args = strlist_add(args, line ? "-m" : "-F");
	args = strlist_add(strlist_add(args, line ? c->message : "-"), c->tree);
	call.args = (const char *const *)args;
	commit = git_call_line(&call, err);
	strlist_free(args);
	return commit;
}

char *
object_commit(const struct object_commit *c, struct err *err)
{
	char **ralph = NULL;
	char *commit;

	switch (c->by) {
	case OBJECT_BY_USER:
		break;
	case OBJECT_BY_RALPH:
		ralph = option_add(NULL, "user.name=ralph");
		ralph = option_add(ralph, "user.email=ralph@localhost");
		break;
	case OBJECT_BY_ANYONE:
		/* When nobody is configured, git must refuse instead of making somebody up. */
		commit = commit_try(c, option_add(NULL, "user.useConfigOnly=true"), NULL);
		if (commit)
			return commit;
		ralph = identity_fill(NULL, c->dir);
		break;
	}
	return commit_try(c, ralph, err);
}

/* ------------------------------------------------------------------- trees */

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

	return tree ? tree : object_tree_empty(dir, err);
}
