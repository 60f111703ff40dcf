/*
 * trust_keys.c - which settings name commands.
 */
#include "land/trusts.h"

#include "base/alloc.h"
#include <string.h>

/* Of those that our git never reaches some are here all the same: a person is to hear of them.
 */
static const struct trust_key keys[] = {
    {"alias.*", "version", KEY_REPLACED},
    {"browser.*.cmd", "false", KEY_REPLACED},
    {"core.alternaterefscommand", "true", KEY_REPLACED},
    {"core.askpass", "false", KEY_REPLACED},
    {"core.editor", ":", KEY_REPLACED},
    {"core.fsmonitor", "false", KEY_REPLACED},
    {"core.gitproxy", "", KEY_REPLACED},
    {HOOKS_PATH, "/dev/null", KEY_REPLACED},
    {"core.pager", "cat", KEY_REPLACED},
    {"core.sshcommand", "ssh", KEY_REPLACED},
    /* No command, but it would lead ours into another directory, and -c does not undo it. */
    {"core.worktree", NULL, KEY_REFUSED},
    {"credential.*.helper", "", KEY_REPLACED},
    {"credential.helper", "", KEY_REPLACED},
    {"diff.*.command", "true", KEY_REPLACED},
    {"diff.*.textconv", "cat", KEY_REPLACED},
    {"diff.external", "true", KEY_REPLACED},
    {"difftool.*.cmd", "false", KEY_REPLACED},
    {"filter.*.clean", "", KEY_FILTER},
    {"filter.*.process", "", KEY_FILTER},
    {"filter.*.required", "true", KEY_FILTER},
    {"filter.*.smudge", "", KEY_FILTER},
    {"gpg.openpgp.program", "gpg", KEY_REPLACED},
    {"gpg.program", "gpg", KEY_REPLACED},
    {"gpg.ssh.defaultkeycommand", "false", KEY_REPLACED},
    {"gpg.ssh.program", "ssh-keygen", KEY_REPLACED},
    {"gpg.x509.program", "gpgsm", KEY_REPLACED},
    {"hook.*.command", "true", KEY_REPLACED},
    /* What it brings may count in some work trees alone: they are looked at one by one then. */
    {"includeif.*.path", NULL, KEY_SEEN},
    {"interactive.difffilter", "cat", KEY_REPLACED},
    {"man.*.cmd", "false", KEY_REPLACED},
    {"merge.*.driver", "git merge-file -q %A %O %B", KEY_REPLACED},
    {"mergetool.*.cmd", "false", KEY_REPLACED},
    {"pager.*", "cat", KEY_REPLACED},
    {"remote.*.receivepack", "git-receive-pack", KEY_REPLACED},
    {"remote.*.uploadpack", "git-upload-pack", KEY_REPLACED},
    {"remote.*.vcs", "none", KEY_REPLACED},
    {"sequence.editor", ":", KEY_REPLACED},
    {"submodule.*.update", "none", KEY_REPLACED},
    {"tar.*.command", "false", KEY_REPLACED},
    {"trailer.*.cmd", "false", KEY_REPLACED},
    {"trailer.*.command", "false", KEY_REPLACED},
    {"uploadpack.packobjectshook", "false", KEY_REPLACED},
};

const char *const trust_project_keys[] = {"worker", "setup", "verify", "onAlert", "ticketQuery",
    "completionCheck", "env", "workflow", "workflowFlags", "sessionDir", NULL};

/* Only a subsection may have dots and capitals; git prints the rest in small letters. */
static bool
key_matches(const char *pattern, const char *key)
{
	const char *star = strchr(pattern, '*');
	size_t before = star ? (size_t)(star - pattern) : 0;
	size_t after = star ? strlen(star + 1) : 0;
	size_t len = strlen(key);

	if (!star)
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
