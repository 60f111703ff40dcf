#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include <fcntl.h>
#include <inttypes.h>

#define LINES "ralph-lines" /* in the common directory */
#define LINE_MAX_BYTES ((size_t)1024 * 1024)
#define NAMES_SHOWN 5

struct line {
	char *commit;
	char **tickets;
};

static void
line_release(struct line *l)
{
	free(l->commit);
	strlist_free(l->tickets);
	*l = (struct line){.commit = NULL};
}

/* ---- files --------------------------------------------------------------------------- */

static char *
lines_dir(const char *common)
{
	return xasprintf("%s/" LINES, common);
}

static char *
line_file(const struct site *s)
{
	return xasprintf("%s/" LINES "/%016" PRIx64, s->common, text_hash(s->plan->branch));
}

/* Checks the id of an object before the id becomes an argument of git. */
static bool
is_commit(const char *id)
{
	size_t len = strlen(id);

	return len >= 40 && strspn(id, "0123456789abcdef") == len;
}

/* A file that is missing or cannot be read counts as none. */
static bool
line_load(const struct site *s, struct line *l)
{
	AUTO_FREE char *path = line_file(s);
	AUTO_JSON *v = json_read(AT_FDCWD, path, LINE_MAX_BYTES, NULL);
	const char *commit = json_str(v, "commit", "");

	*l = (struct line){.commit = NULL};
	if (strcmp(json_str(v, "branch", ""), s->plan->branch) != 0 || !is_commit(commit))
		return false;
	l->commit = xstrdup(commit);
	l->tickets = json_to_strlist(json_object_get(v, "tickets"));
	return true;
}

static int
line_save(const struct site *s, const char *commit, char *const *tickets, struct err *err)
{
	AUTO_FREE char *path = lines_dir(s->common);
	AUTO_FREE char *file = line_file(s);
	AUTO_CLOSE int dir = fs_mkdirs(path, err) < 0 ? -1 : fs_open_dir(AT_FDCWD, path, err);
	AUTO_JSON *v = json_pack("{s:s,s:s,s:o}", "branch", s->plan->branch, "commit", commit,
	    "tickets", json_strlist(tickets));

	return dir < 0 ? -1 : json_write(dir, basename(file), v, true, FS_SYNC, err);
}

void
line_forget(const struct site *s)
{
	AUTO_FREE char *path = lines_dir(s->common);
	AUTO_FREE char *file = line_file(s);

	if (s->lost != NULL)
		return; /* a person has to agree to the loss first */
	(void)!fs_unlink(AT_FDCWD, file, NULL);
	(void)!fs_rmdir(AT_FDCWD, path, NULL);
}

int
line_remember(const struct site *s, const char *commit, const struct queue *q, struct err *err)
{
	AUTO(line_release) struct line known = {.commit = NULL};
	AUTO_STRLIST tickets = queue_tickets(q);
	bool same;

	if (queue_count(q) == 0)
		line_forget(s);
	if (queue_count(q) == 0 || s->lost != NULL)
		return 0;
	same = line_load(s, &known) && strcmp(known.commit, commit) == 0 &&
	       strlist_len(known.tickets) == q->n;
	for (size_t i = 0; same && i < q->n; i++)
		same = strcmp(known.tickets[i], tickets[i]) == 0;
	return same ? 0 : line_save(s, commit, tickets, err);
}

/* ---- missing ------------------------------------------------------------------------- */

/* Is the commit in the history of `in` (NULL: no)?  1: yes; 0: no; -1 + err: git could not
 * tell. */
static int
line_has(const struct site *s, const char *in, const char *commit, struct err *err)
{
	AUTO_RUN result = RUN_INIT;

	if (in == NULL || strcmp(in, commit) == 0)
		return in != NULL;
	if (git_ask(s->plan->top, "git merge-base",
		ARGS("merge-base", "--is-ancestor", commit, in), &result, err) < 0)
		return -1;
	if (exit_number(result.status) > 1)
		return err_set(
		    err, "git merge-base --is-ancestor %.12s %.12s failed", commit, in);
	return exit_ok(result.status);
}

static int
line_exists(const struct site *s, const char *commit, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{commit}", commit);
	AUTO_RUN result = RUN_INIT;

	return git_ask(
		   s->plan->top, "git cat-file", ARGS("cat-file", "-e", spec), &result, err) < 0
		   ? -1
		   : exit_ok(result.status);
}

/* L has the commit; B has it; neither has it; the repository does not have it any more. */
enum standing { LINE_GOOD, LINE_LANDED, LINE_MISSED, LINE_LOST };

/* Judges who has the commit that L was left at; -1 + err: git could not tell. */
static int
line_judge(const struct site *s, const struct line *known, struct err *err)
{
	int rc = line_exists(s, known->commit, err);

	if (rc <= 0)
		return rc < 0 ? -1 : LINE_LOST;
	rc = line_has(s, s->l, known->commit, err);
	if (rc != 0)
		return rc < 0 ? -1 : LINE_GOOD;
	rc = line_has(s, s->b, known->commit, err);
	if (rc != 0)
		return rc < 0 ? -1 : LINE_LANDED;
	return LINE_MISSED;
}

static void
lost_tell(struct site *s, const struct line *known)
{
	AUTO_FREE char *file = line_file(s);
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < strlist_len(known->tickets) && i < NAMES_SHOWN; i++) {
		buf_adds(&text, i > 0 ? ", " : "");
		text_show(&text, known->tickets[i], strlen(known->tickets[i]), false);
	}
	free(s->lost);
	s->lost = xasprintf(
	    "the work of %s that waited for %s (%.12s) is not in the repository any more: "
	    "somebody removed %s; when that is right, remove %s",
	    text.len > 0 ? text.data : "others", s->plan->branch, known->commit, s->queue,
	    file);
}

/* Call under the lock.  Keeps the commit that somebody else moved L to, which may have no other
 * name. */
static int
line_restore(struct site *s, const struct line *known, struct err *err)
{
	AUTO_BUF script = BUF_INIT;
	AUTO_FREE char *stray = NULL;
	int kept = s->l != NULL ? line_has(s, known->commit, s->l, err) : 1;

	if (kept == 0)
		kept = line_has(s, s->b, s->l, err);
	if (kept < 0)
		return -1;
	if (!kept) {
		stray = xasprintf("refs/ralph/stray/%s/%s", s->plan->branch, s->l);
		buf_addf(&script, "update %s %s\n", stray, s->l);
	}
	script_set(&script, s->queue, known->commit, s->l);
	if (site_update_refs(s, &script, err) < 0)
		return -1;
	free(s->mended);
	s->mended = xasprintf(
	    "somebody %s %s; it is put back, with the merges that wait in it%s%s",
	    s->l != NULL ? "moved" : "removed", s->queue,
	    stray != NULL ? "; what it was moved to is in " : "", stray != NULL ? stray : "");
	return site_refs(s, err);
}

int
line_mend(struct site *s, struct err *err)
{
	AUTO(line_release) struct line known = {.commit = NULL};
	AUTO_LOCK int lock = -1;
	int standing;

	free(take_ptr(s->lost));
	if (!line_load(s, &known) || text_same(s->l, known.commit))
		return 0;
	line_release(&known);
	/* A process that moves L, or removes L with good reason, holds the lock: so look again
	 * under it. */
	lock = repo_lock(s->common, err);
	if (lock < 0 || site_refs(s, err) < 0)
		return -1;
	if (!line_load(s, &known))
		return 0;
	standing = line_judge(s, &known, err);
	if (standing == LINE_LANDED && s->l == NULL)
		line_forget(s);
	else if (standing == LINE_LOST)
		lost_tell(s, &known);
	else if (standing == LINE_MISSED)
		standing = line_restore(s, &known, err);
	return standing < 0 ? -1 : 0;
}

void
line_tell(struct site *s, struct land_result *result)
{
	AUTO_FREE char *told = NULL;

	result->mended = take_ptr(s->mended);
	if (s->lost == NULL)
		return;
	told = take_ptr(result->text);
	result->text = told != NULL ? xasprintf("%s; %s", s->lost, told) : take_ptr(s->lost);
	result->waiting++;
	result->by_hand = true;
}

char *
line_find(struct site *s)
{
	AUTO(line_release) struct line known = {.commit = NULL};
	int standing = line_load(s, &known) ? line_judge(s, &known, NULL) : LINE_GOOD;

	if (standing == LINE_LOST)
		lost_tell(s, &known);
	return standing == LINE_MISSED ? take_ptr(known.commit)
	       : s->l != NULL	       ? xstrdup(s->l)
				       : NULL;
}

char **
line_list(const char *common)
{
	AUTO_FREE char *path = lines_dir(common);
	AUTO_CLOSE int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_STRLIST names = NULL;
	char **branches = NULL;

	if (dir < 0 || fs_list(dir, ".", &names, NULL) < 0)
		return NULL;
	for (char **name = names; name != NULL && *name != NULL; name++) {
		AUTO_JSON *v = json_read(dir, *name, LINE_MAX_BYTES, NULL);
		const char *branch = json_str(v, "branch", "");

		if (*branch != '\0')
			branches = strlist_add(branches, branch);
	}
	return branches;
}
