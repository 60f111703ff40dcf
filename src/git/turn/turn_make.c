#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "git/command.h"
#include "git/git.h"
#include "git/object.h"
#include "git/refs.h"
#include "git/trust/trust_guard.h"
#include <errno.h>
#include <fcntl.h>

#define HOOK_TIMEOUT (600 * NSEC_PER_SEC)
#define MESSAGE_MAX ((size_t)1 << 20)

int
outcome_end(struct turn_result *r, enum turn_outcome outcome, const char *text)
{
	r->outcome = outcome;
	xstrset(&r->text, text);
	return 1;
}

/* ---- who commits, and how ------------------------------------------------------------ */

/* Asks git for author and committer: git makes them up from the name of the machine, unless
 * told not to. */
static bool
identity_is_known(const struct place *p, struct turn_result *result)
{
	static const char *const names[] = {"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		AUTO_FREE char *who = git_line(p->top, "git var", ARGS("var", names[i]), &err);
		AUTO_FREE char *text = NULL;

		if (who != NULL)
			continue;
		text = xasprintf(
		    "git does not know who commits: set user.name and user.email (%s)",
		    err.text);
		(void)outcome_end(result, TURN_NO_IDENTITY, text);
		return false;
	}
	return true;
}

/* Takes one setting, "KEY\nVALUE" or "KEY", which means true. */
static void
setting_take(struct customs *c, const char *scope, const char *entry, char **sign)
{
	if (strncmp(entry, "hook.", 5) == 0)
		c->named = true;
	else if (strncmp(entry, "commit.", 7) == 0)
		xstrset(sign, strchr(entry, '\n') != NULL ? strchr(entry, '\n') + 1 : "true");
	else if (strcmp(scope, "command") != 0) /* where our own option is */
		c->elsewhere = true;
}

/* There are many words for yes and no. */
static bool
signing_is_asked(const struct place *p, const char *word)
{
	AUTO_FREE char *value = NULL;

	if (word == NULL || strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
		return text_same(word, "true");
	value = git_line(p->top, "git config",
	    ARGS("config", "--type=bool", "--get", "commit.gpgSign"), NULL);
	return text_same(value, "true");
}

/* There is an answer always: core.hooksPath is an option of ours (git/git.c). */
static int
customs_read(const struct place *p, struct customs *c, struct err *err)
{
	AUTO_FREE char *sign = NULL;
	const char *scope = NULL, *entry;
	AUTO_RUN r = RUN_INIT;

	*c = (struct customs){.named = false};
	if (git_run(p->top, "git config",
		ARGS("config", "-z", "--show-scope", "--get-regexp",
		    "^(commit\\.gpgsign|core\\.hookspath|hook\\..*)$"),
		&r, err) < 0)
		return -1;
	while ((scope = buf_next(&r.out, scope)) != NULL &&
	       (entry = buf_next(&r.out, scope)) != NULL) {
		setting_take(c, scope, entry, &sign);
		scope = entry;
	}
	c->sign = signing_is_asked(p, sign);
	return 0;
}

/* ---- hooks --------------------------------------------------------------------------- */

static void
shell_quote(struct buf *out, const char *s)
{
	buf_addc(out, '\'');
	for (; *s != '\0'; s++)
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	buf_addc(out, '\'');
}

/* Puts the variables before the hook's command that make git, run by the hook, follow the
 * record of trusted settings. */
static int
hook_guard(const struct place *p, struct buf *script, struct err *err)
{
	struct guard guard;
	int rc = guard_open(p->top, false, &guard, err);

	for (char **e = guard.env; rc == 0 && e != NULL && *e != NULL; e++) {
		const char *value = strchr(*e, '=') + 1;

		buf_add(script, *e, (size_t)(value - *e));
		shell_quote(script, value);
		buf_addc(script, ' ');
	}
	guard_release(&guard);
	return rc;
}

/* Finds the directory of hooks to run.  1: the hooks that a person agreed to are gone, and
 * `why` says so. */
static int
hooks_find(const struct place *p, char **hooks, bool *others, struct buf *why, struct err *err)
{
	struct err gone = ERR_INIT;

	if (guard_hooks(p->top, hooks, others, &gone) == 0)
		return 0;
	if (gone.code != EPERM)
		return err_pass(err, &gone);
	buf_adds(why, gone.text);
	return 1;
}

/* Is there such a hook?  Also true when only git can tell. `hooks`: the directory; NULL: git
 * finds it. */
static bool
hook_is_there(const struct place *p, const char *hooks, const char *name)
{
	const struct customs *c = &p->customs;
	AUTO_FREE char *usual = xasprintf("%s/hooks", p->common);
	AUTO_FREE char *path = xasprintf("%s/%s", hooks != NULL ? hooks : usual, name);

	return c->named || (c->elsewhere && hooks == NULL) || access(path, X_OK) == 0;
}

/* Is there any hook at all?  1; 0; -1. */
static int
hooks_are_there(const struct place *p, struct err *err)
{
	static const char *const names[] = {
	    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"};
	AUTO_FREE char *hooks = NULL;
	AUTO_BUF why = BUF_INIT;
	bool others;
	int rc = hooks_find(p, &hooks, &others, &why, err);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(names); i++)
		if (hook_is_there(p, hooks, names[i]))
			rc = 1;
	return rc;
}

static int
hook_script(const struct place *p, const char *name, const char *args, const char *hooks,
    struct buf *script, struct err *err)
{
	if (hook_guard(p, script, err) < 0)
		return -1;
	buf_adds(script, "GIT_INDEX_FILE=");
	shell_quote(script, p->index);
	buf_addf(script, " GIT_EDITOR=: LC_ALL=C.UTF-8 RALPH_TASK=%s exec git", p->turn->task);
	if (hooks != NULL) {
		buf_adds(script, " -c core.hooksPath=");
		shell_quote(script, hooks);
	}
	buf_addf(script, " hook run --ignore-missing %s", name);
	if (args != NULL) {
		buf_adds(script, " -- ");
		shell_quote(script, p->message);
		buf_addf(script, " %s", args);
	}
	return 0;
}

/* Runs a hook as `git commit` would, in a locale that keeps text of any kind.  0: the hook
 * succeeded, or there is none; 1: the hook failed, and `why` has its words; -1. */
static int
hook_run(
    const struct place *p, const char *name, const char *args, struct buf *why, struct err *err)
{
	AUTO_FREE char *what = xasprintf("the hook %s", name);
	AUTO_FREE char *hooks = NULL;
	AUTO_BUF script = BUF_INIT;
	bool others;
	int rc = hooks_find(p, &hooks, &others, why, err);

	if (rc != 0 || !hook_is_there(p, hooks, name))
		return rc;
	if (hook_script(p, name, args, hooks, &script, err) < 0)
		return -1;
	rc = command_run(
	    &(struct command){
		.what = what,
		.shell = script.data,
		.worktree = p->top,
		.timeout = p->turn->hook_timeout ? p->turn->hook_timeout : HOOK_TIMEOUT,
	    },
	    why, err);
	/* Somebody may have mended the hook since. */
	if (rc > 0 && others)
		buf_adds(why, "; the hooks that are there now count from 'ralph trust' on");
	return rc;
}

/* A lock in the way is better found before the hooks run than when the commit is made.  1 with
 * an outcome: somebody has it. */
static int
index_lock_try(const struct place *p, struct turn_result *result, struct err *err)
{
	struct err why = ERR_INIT;
	int rc = index_lock(p, &why);

	if (rc > 0)
		return outcome_end(result, TURN_BUSY, why.text);
	return rc < 0 ? err_pass(err, &why) : 0;
}

/* Makes an index with that tree, for the hooks, from the user's index, which knows the files;
 * call with the lock.  The task's marks are removed in it: git would not give marked files
 * another content. */
static int
index_make(struct place *p, const struct mark *m, const char *tree, struct err *err)
{
	const struct git_call read = {.dir = p->top,
	    .what = "git read-tree",
	    .args = ARGS("read-tree", "--reset", tree),
	    .index = p->index};
	int rc = hidden_copy(p, &m->outside, p->index, err);

	p->whole = false;
	if (rc == 0)
		rc = index_copy(p, p->index, err);
	return rc < 0 ? -1 : git_call(&read, NULL, err);
}

/* ---- the message --------------------------------------------------------------------- */

static int
message_write(const struct place *p, const char *text, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, p->git_dir, err);

	return dir < 0
		   ? -1
		   : fs_replace(dir, basename(p->message), text, strlen(text), FS_NOSYNC, err);
}

/* Reads the message as the hooks left it; 1 when the hooks left an empty one. */
static int
turn_make_message_read(const struct place *p, struct turn_result *result, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *clean = NULL;

	if (fs_read(AT_FDCWD, p->message, MESSAGE_MAX, &text, err) < 0)
		return -1;
	if (strcmp(text.data, result->message) == 0)
		return 0;
	clean = git_call_line(
	    &(struct git_call){
		.dir = p->top,
		.what = "git stripspace",
		.args = ARGS("stripspace"),
		.input = text.data,
		.input_len = text.len,
	    },
	    err);
	if (clean == NULL)
		return -1;
	if (*clean == '\0')
		return outcome_end(result, TURN_REFUSED, "a hook left no message");
	free(result->message);
	result->message = xasprintf("%s\n", clean);
	return message_write(p, result->message, err);
}

/* Runs all hooks before the commit.  1 with an outcome when a hook refused the commit.  *tree
 * becomes the tree to commit after the hooks. */
static int
hooks_run(const struct place *p, char **tree, struct turn_result *result, struct err *err)
{
	const struct stage stage = place_stage(p);
	AUTO_BUF why = BUF_INIT;
	int rc = hook_run(p, "pre-commit", NULL, &why, err);

	if (rc == 0) {
		free(*tree);
		*tree = stage_write(&stage, err);
		rc = *tree != NULL ? message_write(p, result->message, err) : -1;
	}
	if (rc == 0 && strcmp(*tree, p->base) == 0)
		return outcome_end(
		    result, TURN_NOTHING, "the hook pre-commit left nothing to commit");
	if (rc == 0)
		rc = hook_run(p, "prepare-commit-msg", "message", &why, err);
	if (rc == 0)
		rc = hook_run(p, "commit-msg", "", &why, err);
	if (rc == 0)
		return turn_make_message_read(p, result, err);
	if (rc > 0)
		return outcome_end(result, TURN_REFUSED, why.data);
	return rc;
}

/* As hooks_run, where there may be no hook.  Then nobody else looks at our index. */
static int
hooks_pass(struct place *p, const struct mark *m, char **tree, struct turn_result *result,
    struct err *err)
{
	int hooks = hooks_are_there(p, err);
	int rc = hooks < 0 ? -1 : index_lock_try(p, result, err);

	if (rc != 0)
		return rc;
	if (hooks > 0 && !p->whole)
		rc = index_make(p, m, *tree, err);
	index_unlock(p);
	if (rc < 0 || hooks == 0)
		return rc;
	return identity_is_known(p, result) ? hooks_run(p, tree, result, err) : 1;
}

/* ---- the commit ---------------------------------------------------------------------- */

/* Makes the commit's object; 1 with an outcome when it cannot be signed. */
static int
object_make(const struct place *p, const char *tree, char **commit, struct turn_result *result,
    struct err *err)
{
	bool sign = p->customs.sign;
	struct err why = ERR_INIT;

	*commit = object_commit(
	    &(struct object_commit){
		.dir = p->top,
		.tree = tree,
		.parents = (const char *const[]){p->head, NULL},
		.message = result->message,
		.by = OBJECT_BY_USER,
		.sign = sign,
	    },
	    &why);
	if (*commit != NULL)
		return 0;
	/* Git refuses those that it does not know. */
	if (!identity_is_known(p, result))
		return 1;
	if (!sign)
		return err_pass(err, &why);
	(void)err_prefix(&why, "the commit cannot be signed");
	return outcome_end(result, TURN_UNSIGNED, why.text);
}

/* Moves HEAD to the commit.  0; 1: HEAD is not what it was; 2: somebody has HEAD locked. */
static int
head_move(const struct place *p, const char *commit, const char *message, struct err *err)
{
	AUTO_FREE char *note = xasprintf("commit%s: %.*s", p->head != NULL ? "" : " (initial)",
	    (int)strcspn(message, "\n"), message);
	AUTO_FREE char *none = xstrdup(commit);
	AUTO_FREE char *now = NULL;
	AUTO_BUF script = BUF_INIT;
	int tries = 0;

	memset(none, '0', strlen(none));
	buf_addf(&script, "update HEAD %s %s\n", commit, p->head != NULL ? p->head : none);
	do {
		if (refs_update(p->top, p->common, note, &script, err) == 0)
			return 0;
	} while (lock_is_in_the_way(err, &tries));
	now = git_line(
	    p->top, "git rev-parse", ARGS("rev-parse", "-q", "--verify", "HEAD"), NULL);
	if (now != NULL && strcmp(now, commit) == 0)
		return 0; /* git moved HEAD before it failed */
	if (now != NULL && (p->head == NULL || strcmp(now, p->head) != 0))
		return 1;
	return tries > 0 ? 2 : -1;
}

int
make_commit(struct place *p, struct mark *m, const char *wanted, struct turn_result *result,
    struct err *err)
{
	AUTO_FREE char *tree = xstrdup(wanted);
	AUTO_FREE char *commit = NULL;
	struct err why = ERR_INIT;
	int rc = customs_read(p, &p->customs, err);

	p->whole = p->whole && strcmp(wanted, p->tree) == 0;
	if (rc == 0)
		rc = hooks_pass(p, m, &tree, result, err);
	if (rc == 0)
		rc = object_make(p, tree, &commit, result, err);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	xstrset(&m->made, commit);
	/* Saved before the commit can be seen: after a crash we know that the commit is
	 * ours. */
	if (mark_save(p->turn, m, err) < 0)
		return -1;
	rc = head_move(p, m->made, result->message, &why);
	if (rc == 0)
		result->outcome = TURN_COMMITTED;
	if (rc == 2)
		(void)outcome_end(result, TURN_BUSY, why.text);
	return rc < 0 ? err_pass(err, &why) : rc == 1;
}

void
make_after(const struct place *p, struct turn_result *result)
{
	AUTO_BUF why = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	if (hook_run(p, "post-commit", NULL, &why, &err) == 0)
		return;
	if (result->text != NULL)
		buf_addf(&text, "%s ", result->text);
	buf_adds(&text, why.len > 0 ? why.data : err.text);
	xstrset(&result->text, text.data);
}
