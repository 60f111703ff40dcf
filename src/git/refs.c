#include "git/refs.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "git/git.h"
#include "git/repo.h"
#include <fcntl.h>
#include <sys/stat.h>

#define REFS_LOCK "ralph-refs.lock"
#define OURS "ralph-lock:"

const char *
lock_remedy(const char *text)
{
	return strstr(text, ".lock': File exists") != NULL
		   ? " When no git is at work there, remove it."
		   : "";
}

/* ---- names --------------------------------------------------------------------------- */

/* Exchanges slashes for colons, or back.  No reference has a colon in its name. */
static char *
exchange(char *text, char from, char to)
{
	for (char *c = text; (c = strchr(c, from)) != NULL;)
		*c = to;
	return text;
}

/* Removes a second name, and the lock if it is still the same file.  The lock is removed first:
 * while the lock exists, the second name must tell whose it is. */
static void
name_sweep(int dir, const char *name)
{
	AUTO_FREE char *lock = exchange(xstrdup(name + strlen(OURS)), ':', '/');
	struct stat ours, there;

	if (fstatat(dir, name, &ours, AT_SYMLINK_NOFOLLOW) == 0 &&
	    fstatat(dir, lock, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    there.st_dev == ours.st_dev && there.st_ino == ours.st_ino &&
	    fs_unlink(dir, lock, NULL) < 0)
		return;
	(void)!fs_unlink(dir, name, NULL);
}

static char **
refs_names_find(const char *common)
{
	AUTO_STRLIST all = NULL;
	char **ours = NULL;

	(void)!fs_list(AT_FDCWD, common, &all, NULL);
	for (char **name = all; name != NULL && *name != NULL; name++)
		if (strncmp(*name, OURS, strlen(OURS)) == 0)
			ours = strlist_add(ours, *name);
	return ours;
}

/* Call with the lock, while no git of ours moves references. */
static void
names_sweep(int dir, const char *common)
{
	AUTO_STRLIST names = refs_names_find(common);

	for (char **name = names; name != NULL && *name != NULL; name++)
		name_sweep(dir, *name);
}

static int
refs_lock(int dir, struct err *err)
{
	char self[256];

	lock_describe_self(self, sizeof(self));
	return lock_take(dir, REFS_LOCK, LOCK_WAIT, self, err);
}

void
refs_sweep(const char *common)
{
	AUTO_STRLIST names = refs_names_find(common);
	AUTO_CLOSE int dir = names != NULL ? fs_open_dir(AT_FDCWD, common, NULL) : -1;
	AUTO_LOCK int lock = dir < 0 ? -1 : refs_lock(dir, NULL);

	if (lock >= 0)
		names_sweep(dir, common);
}

/* ---- the update ---------------------------------------------------------------------- */

struct update {
	const char *common;
	const struct buf *script;
	char *git_dir; /* the git directory that has HEAD; NULL: not known */
	char *head;    /* the branch that HEAD was on before; NULL: none */
	int dir;
};

/* The reference that a line of the script is about: its second word. */
static char *
line_ref(const char *line)
{
	const char *ref = line + strcspn(line, " \n");

	ref += *ref == ' ';
	return xstrndup(ref, strcspn(ref, " \n"));
}

/* Adds the lock of HEAD where git has it: when the update names HEAD, or moves the branch that
 * HEAD is on.  While git has that lock, nobody can put HEAD on another branch. */
static char **
head_add(char **locks, const struct update *u, char *const *refs)
{
	const char *below = u->git_dir != NULL ? fs_below(u->common, u->git_dir) : NULL;
	AUTO_FREE char *now = u->git_dir != NULL ? head_target(u->git_dir) : NULL;
	AUTO_FREE char *lock =
	    xasprintf("%s%sHEAD.lock", below != NULL ? below : "", below != NULL ? "/" : "");
	AUTO_FREE char *target = xasprintf("%s.lock", now != NULL ? now : "");
	bool told = strlist_has(refs, "HEAD");
	bool meant = now != NULL && u->head != NULL && strcmp(now, u->head) == 0 &&
		     strlist_has(refs, now);

	if (u->git_dir == NULL || (!told && !meant))
		return locks;
	locks = strlist_add(locks, lock);
	return told && now != NULL ? strlist_add(locks, target) : locks;
}

/* The files that git has locked by now, below the common directory. */
static char **
locks_find(const struct update *u)
{
	char **locks = NULL;
	AUTO_STRLIST refs = NULL;

	for (const char *line = u->script->data; *line != '\0'; line += *line == '\n') {
		AUTO_FREE char *ref = line_ref(line);
		AUTO_FREE char *lock = xasprintf("%s.lock", ref);

		refs = strlist_add(refs, ref);
		if (strcmp(ref, "HEAD") != 0)
			locks = strlist_add(locks, lock);
		/* Git keeps packed-refs locked, whether the reference is in it or not. */
		if (strncmp(line, "delete ", 7) == 0 && !strlist_has(locks, "packed-refs.lock"))
			locks =
			    strlist_more(locks, ARGS("packed-refs.lock", "packed-refs.new"));
		line += strcspn(line, "\n");
	}
	return head_add(locks, u, refs);
}

/* A lock that is empty becomes no file: there is nothing in it to sync. */
static int
lock_sync(int dir, const char *lock, struct err *err)
{
	struct stat st;

	if (fstatat(dir, lock, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size == 0)
		return 0;
	return fs_sync_file(dir, lock, err);
}

/* Gives the locks that git has taken their second names; git waits meanwhile. */
static int
locks_name(void *ctx, struct err *err)
{
	const struct update *u = ctx;
	AUTO_STRLIST locks = locks_find(u);
	int rc = 0;

	for (char **lock = locks; lock != NULL && *lock != NULL; lock++) {
		AUTO_FREE char *name = exchange(xasprintf(OURS "%s", *lock), '/', ':');

		(void)!fs_link(u->dir, *lock, name, NULL);
	}
	for (char **lock = locks; rc == 0 && lock != NULL && *lock != NULL; lock++)
		rc = lock_sync(u->dir, *lock, err);
	return rc;
}

static int
update_run(struct update *u, const char *dir, const char *note, struct err *err)
{
	const struct run_pause pause = {
	    .at = "prepare: ok\n", .then = locks_name, .ctx = u, .rest = "commit\n"};
	bool files = refs_are_files(u->common);
	AUTO_BUF script = BUF_INIT;
	/* "committed" has references, and "-reference" would not take them out again. */
	struct git_call call = {
	    .dir = dir,
	    .what = "git update-ref",
	    .args = ARGS("-c", files ? "core.fsync=objects" : "core.fsync=committed",
		"update-ref", "--stdin", note != NULL ? "-m" : NULL, note),
	};

	buf_addf(&script, "%s%s%s", files ? "start\n" : "", u->script->data,
	    files ? "prepare\n" : "");
	call.input = script.data;
	call.input_len = script.len;
	call.pause = files ? &pause : NULL;
	return git_call(&call, NULL, err);
}

int
refs_update(const char *dir, const char *common, const char *note, const struct buf *script,
    struct err *err)
{
	AUTO_CLOSE int at = fs_open_dir(AT_FDCWD, common, err);
	struct update u = {.common = common, .script = script, .dir = at};
	struct err why = ERR_INIT;
	AUTO_LOCK int lock = at < 0 ? -1 : refs_lock(at, err);
	int rc;

	if (lock < 0)
		return -1;
	names_sweep(at, common);
	u.git_dir = tree_git_dir(dir, common);
	u.head = u.git_dir != NULL ? head_target(u.git_dir) : NULL;
	rc = update_run(&u, dir, note, &why);
	names_sweep(at, common);
	free(u.git_dir);
	free(u.head);
	return rc < 0 ? err_code(err, why.code, "%s%s", why.text, lock_remedy(why.text)) : 0;
}
