/*
 * trust_keys.c - which settings count as a person agreed to them: those that name commands,
 * lead git elsewhere, or change what lands.
 *
 * Not here, since nothing of that can come of them in our hands:
 *
 * - core.bare, extensions.*: git refuses, and says so; config.worktree is looked at.
 * - info/exclude: what git ignores does not land, but is kept and said
 *   (git/landing/ignored_keep.c).
 * - commit.gpgsign, gpg.format, user.*: they choose among signing programs that are here.
 * - url.*, remote.*.url, http.*, protocol.*: we fetch nothing.  A clone without all objects
 *   does, by the protocols of GIT_ALLOW_PROTOCOL alone, which counts more.
 * - branch.*.mergeoptions: given anew where we merge (git/landing/publish.c).
 * - submodule.recurse, grep.*: given anew always (git/git.c).
 * - receive.*, init.templatedir, rerere.*, gc.*: of commands that we do not run.
 * - include.path: what it brings is looked at, from whatever file.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include <string.h>

/* Some of these settings never reach our git; they are here so that a person hears of them. */
static const struct trust_key keys[] = {
    {"alias.*", "version", KEY_REPLACED, 1},
    {"browser.*.cmd", "false", KEY_REPLACED, 1},
    {"core.alternaterefscommand", "true", KEY_REPLACED, 1},
    {"core.askpass", "false", KEY_REPLACED, 1},
    {"core.attributesfile", "~/.config/git/attributes", KEY_REPLACED, 2},
    {"core.autocrlf", "false", KEY_REPLACED, 2},
    {"core.editor", ":", KEY_REPLACED, 1},
    {"core.excludesfile", "~/.config/git/ignore", KEY_REPLACED, 2},
    {"core.eol", "native", KEY_REPLACED, 2},
    {"core.filemode", "true", KEY_REPLACED, 2},
    {"core.fsmonitor", "false", KEY_REPLACED, 1},
    {"core.gitproxy", "", KEY_REPLACED, 1},
    {HOOKS_PATH, "/dev/null", KEY_REPLACED, 1},
    {"core.pager", "cat", KEY_REPLACED, 1},
    {"core.sshcommand", "ssh", KEY_REPLACED, 1},
    {"core.symlinks", "true", KEY_REPLACED, 2},
    /* The setting names no command, but it would lead our git into another directory, and -c
     * does not undo that. */
    {"core.worktree", NULL, KEY_REFUSED, 1},
    {"credential.*.helper", "", KEY_REPLACED, 1},
    {"credential.helper", "", KEY_REPLACED, 1},
    {"diff.*.command", "true", KEY_REPLACED, 1},
    {"diff.*.textconv", "cat", KEY_REPLACED, 1},
    {"diff.external", "true", KEY_REPLACED, 1},
    {"difftool.*.cmd", "false", KEY_REPLACED, 1},
    {"filter.*.clean", "", KEY_FILTER, 1},
    {"filter.*.process", "", KEY_FILTER, 1},
    {"filter.*.required", "true", KEY_FILTER, 1},
    {"filter.*.smudge", "", KEY_FILTER, 1},
    {"gpg.openpgp.program", "gpg", KEY_REPLACED, 1},
    {"gpg.program", "gpg", KEY_REPLACED, 1},
    {"gpg.ssh.defaultkeycommand", "false", KEY_REPLACED, 1},
    {"gpg.ssh.program", "ssh-keygen", KEY_REPLACED, 1},
    {"gpg.x509.program", "gpgsm", KEY_REPLACED, 1},
    {"hook.*.command", "true", KEY_REPLACED, 1},
    /* Included settings may count in some work trees alone: then the work trees are looked at
     * one by one. */
    {"includeif.*.path", NULL, KEY_SEEN, 1},
    {ATTRIBUTES, NULL, KEY_ATTRIBUTES, 2},
    {"interactive.difffilter", "cat", KEY_REPLACED, 1},
    {"man.*.cmd", "false", KEY_REPLACED, 1},
    {"merge.*.driver", "git merge-file -q %A %O %B", KEY_REPLACED, 1},
    /* Names a driver, which may be one of git's own: "union" takes both sides of every
     * conflict. */
    {"merge.default", "text", KEY_REPLACED, 2},
    {"merge.renormalize", "false", KEY_REPLACED, 2},
    {"mergetool.*.cmd", "false", KEY_REPLACED, 1},
    {"pager.*", "cat", KEY_REPLACED, 1},
    {"remote.*.receivepack", "git-receive-pack", KEY_REPLACED, 1},
    {"remote.*.uploadpack", "git-upload-pack", KEY_REPLACED, 1},
    {"remote.*.vcs", "none", KEY_REPLACED, 1},
    {"sequence.editor", ":", KEY_REPLACED, 1},
    {"submodule.*.update", "none", KEY_REPLACED, 1},
    {"tar.*.command", "false", KEY_REPLACED, 1},
    {"trailer.*.cmd", "false", KEY_REPLACED, 1},
    {"trailer.*.command", "false", KEY_REPLACED, 1},
    {"uploadpack.packobjectshook", "false", KEY_REPLACED, 1},
};

/* Commands first; then what changes what counts as complete, what lands and where.  The others
 * say how much, how long and how it is shown. */
const struct trust_project_key trust_project_keys[] = {
    {"worker", 1},
    {"setup", 1},
    {"verify", 1},
    {"onAlert", 1},
    {"ticketQuery", 1},
    {"completionCheck", 1},
    {"env", 1},
    {"workflow", 1},
    {"workflowFlags", 1},
    {"sessionDir", 1},
    {"success", 2},
    {"promiseOnComplete", 2},
    {"retryOn", 2},
    {"ticketsDir", 2},
    {"prompt", 2},
    {"base", 2},
    {"drop", 2},
    {"copy", 2},
    {"commitLeftovers", 2},
    {"parallelAutoMerge", 2},
    {"mergeMessage", 2},
    {"worktree", 2},
    {"useWorktrees", 2},
    {"serialUseWorktree", 2},
    {"parallelWorktreesDir", 2},
    {NULL, 0},
};

/* Only a subsection may have dots and capitals; git prints the rest in small letters. */
static bool
key_matches(const char *pattern, const char *key)
{
	const char *star = strchr(pattern, '*');
	size_t before = star != NULL ? (size_t)(star - pattern) : 0;
	size_t after = star != NULL ? strlen(star + 1) : 0;
	size_t len = strlen(key);

	if (star == NULL)
		return strcmp(pattern, key) == 0;
	return len > before + after && strncmp(pattern, key, before) == 0 &&
	       strcmp(star + 1, key + len - after) == 0;
}

const struct trust_key *
trust_key_find(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (key_matches(keys[i].pattern, key))
			return &keys[i];
	return NULL;
}

#define WITHOUT_COMMANDS 2 /* this version added settings that name no command */

static enum trust_kind
key_kind(const char *text)
{
	const struct trust_key *key;
	AUTO_BUF bytes = BUF_INIT;

	trust_bytes(text, &bytes);
	key = trust_key_find(bytes.data);
	if (key != NULL && (strcmp(key->pattern, HOOKS_PATH) == 0 ||
			       strncmp(key->pattern, "hook.", strlen("hook.")) == 0))
		return TRUST_IS_HOOK;
	if (key != NULL && key->how == KEY_FILTER)
		return TRUST_IS_FILTER;
	return key != NULL && key->since == WITHOUT_COMMANDS ? TRUST_IS_SETTING
							     : TRUST_IS_COMMAND;
}

/* Judges "in DIR git KEY".  Directories and subsections may have " git " in them: of all keys
 * that the name could have, the worst counts. */
static enum trust_kind
apart_kind(const char *name)
{
	enum trust_kind kind = TRUST_IS_SETTING;

	for (const char *at = name; (at = strstr(at, " " TRUST_GIT)) != NULL; at++) {
		enum trust_kind one = key_kind(at + strlen(" " TRUST_GIT));

		kind = one < kind ? one : kind;
	}
	return kind;
}

enum trust_kind
trust_kind(const char *name)
{
	if (strncmp(name, TRUST_HOOK, strlen(TRUST_HOOK)) == 0)
		return TRUST_IS_HOOK;
	if (strncmp(name, TRUST_GIT, strlen(TRUST_GIT)) == 0)
		return key_kind(name + strlen(TRUST_GIT));
	if (strncmp(name, TRUST_FILE, strlen(TRUST_FILE)) != 0)
		return apart_kind(name);
	return trust_since(name) == WITHOUT_COMMANDS ? TRUST_IS_SETTING : TRUST_IS_COMMAND;
}

int
trust_by_danger(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	enum trust_kind one = trust_kind(x), other = trust_kind(y);

	return one != other ? (one < other ? -1 : 1) : strcmp(x, y);
}

int
trust_since(const char *name)
{
	const char *key = strrchr(name, ' ');
	const struct trust_key *known;
	AUTO_BUF bytes = BUF_INIT;

	if (strncmp(name, TRUST_FILE, strlen(TRUST_FILE)) == 0) {
		for (const struct trust_project_key *k = trust_project_keys; k->name != NULL;
		     k++)
			if (strcmp(k->name, key + 1) == 0)
				return k->since;
		return 1;
	}
	if (strncmp(name, TRUST_GIT, strlen(TRUST_GIT)) != 0)
		return 1;
	trust_bytes(name + strlen(TRUST_GIT), &bytes);
	known = trust_key_find(bytes.data);
	return known != NULL ? known->since : 1;
}
