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

/* --------------------------------------------------------------------- files */

static char *
lines_dir(const char *common)
{
	return xasprintf("%s/" LINES, common);
}

static void
line_name(const char *branch, char name[32])
{
	snprintf(name, 32, "%016" PRIx64, text_hash(branch));
}

/* Checks an id that becomes an argument of git. */
static bool
is_commit(const char *id)
{
	size_t len = strlen(id);

	return len >= 40 && strspn(id, "0123456789abcdef") == len;
}

/* A file that is missing or cannot be read counts as none. */
static bool
line_load(const struct step *s, struct line *l)
{
	AUTO_FREE char *dir = lines_dir(s->common);
	AUTO_FREE char *path = NULL;
	AUTO_JSON *v = NULL;
	AUTO_BUF text = BUF_INIT;
	char name[32];
	const char *commit;

	*l = (struct line){.commit = NULL};
	line_name(s->plan->branch, name);
	path = xasprintf("%s/%s", dir, name);
	if (fs_read(AT_FDCWD, path, LINE_MAX_BYTES, &text, NULL) < 0 ||
	    !(v = json_parse(text.data, text.len, "line", NULL)))
		return false;
	commit = json_str(v, "commit", "");
	if (strcmp(json_str(v, "branch", ""), s->plan->branch) != 0 || !is_commit(commit))
		return false;
	l->commit = xstrdup(commit);
	l->tickets = json_to_strlist(json_object_get(v, "tickets"));
	return true;
}

static int
line_save(const struct step *s, const char *commit, const struct queue *q, struct err *err)
{
	AUTO_FREE char *path = lines_dir(s->common);
	AUTO_CLOSE int dir = fs_mkdirs(path, err) < 0 ? -1 : fs_open_dir(AT_FDCWD, path, err);
	AUTO_JSON *v = json_pack("{s:s,s:s}", "branch", s->plan->branch, "commit", commit);
	json_t *tickets = json_array();
	char name[32];

	for (size_t i = 0; i < q->n; i++)
		(void)json_array_append_new(
		    tickets, json_text(q->list[i].ticket, strlen(q->list[i].ticket)));
	(void)json_object_set_new(v, "tickets", tickets);
	line_name(s->plan->branch, name);
	return dir < 0 ? -1 : json_write(dir, name, v, true, FS_SYNC, err);
}

void
line_forget(const struct step *s)
{
	AUTO_FREE char *path = lines_dir(s->common);
	AUTO_CLOSE int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[32];

	if (s->lost)
		return; /* a person has to agree to that */
	line_name(s->plan->branch, name);
	if (dir >= 0)
		(void)!fs_unlink(dir, name, NULL);
	(void)!fs_rmdir(AT_FDCWD, path, NULL);
}

int
line_remember(const struct step *s, const char *commit, const struct queue *q, struct err *err)
{
	struct line known;
	bool same;
	int rc = 0;

	if (queue_count(q) == 0)
		line_forget(s);
	if (queue_count(q) == 0 || s->lost)
		return 0;
	same = line_load(s, &known) && strcmp(known.commit, commit) == 0 &&
	       strlist_len(known.tickets) == q->n;
	for (size_t i = 0; same && i < q->n; i++)
		same = strcmp(known.tickets[i], q->list[i].ticket) == 0;
	if (!same)
		rc = line_save(s, commit, q, err);
	line_release(&known);
	return rc;
}

/* ------------------------------------------------------------------- missing */

/* 1: yes; 0: no; -1 + err: git could not tell. */
static int
line_has(const struct step *s, const char *in, const char *commit, struct err *err)
{
	AUTO_RUN result = RUN_INIT;
	int rc;

	if (!in || strcmp(in, commit) == 0)
		return in != NULL;
	rc = git_ask(s->plan->top, "git merge-base",
	    ARGS("merge-base", "--is-ancestor", commit, in), &result, err);
	if (rc == 0 && exit_number(result.status) > 1)
		rc =
		    err_set(err, "git merge-base --is-ancestor %.12s %.12s failed", commit, in);
	if (rc == 0)
		rc = exit_ok(result.status);
	return rc;
}

static int
line_exists(const struct step *s, const char *commit, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{commit}", commit);
	AUTO_RUN result = RUN_INIT;
	int rc =
	    git_ask(s->plan->top, "git cat-file", ARGS("cat-file", "-e", spec), &result, err);

	if (rc == 0)
		rc = exit_ok(result.status);
	return rc;
}

enum standing { LINE_GOOD, LINE_LANDED, LINE_MISSED, LINE_LOST };

/* -1 + err: not known. */
static int
line_judge(const struct step *s, const struct line *known, struct err *err)
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
lost_tell(struct step *s, const struct line *known)
{
	AUTO_FREE char *dir = lines_dir(s->common);
	AUTO_BUF text = BUF_INIT;
	char name[32];

	line_name(s->plan->branch, name);
	for (size_t i = 0; i < strlist_len(known->tickets) && i < NAMES_SHOWN; i++) {
		buf_adds(&text, i > 0 ? ", " : "");
		text_show(&text, known->tickets[i], strlen(known->tickets[i]), false);
	}
	free(s->lost);
	s->lost = xasprintf(
	    "the work of %s that waited for %s (%.12s) is not in the repository any more: "
	    "somebody removed %s; when that is right, remove %s/%s",
	    text.len > 0 ? text.data : "others", s->plan->branch, known->commit, s->queue, dir,
	    name);
}

/* Call under the lock.  Keeps the commit that somebody else moved L to, which may have no other
 * name. */
static int
line_restore(struct step *s, const struct line *known, struct err *err)
{
	AUTO_BUF script = BUF_INIT;
	AUTO_FREE char *stray = NULL;
	int foreign = 0;

	if (s->l) {
		foreign = line_has(s, known->commit, s->l, err);
		if (foreign == 0)
			foreign = line_has(s, s->b, s->l, err);
		if (foreign < 0)
			return -1;
		foreign = !foreign;
	}
	if (foreign) {
		stray = xasprintf("refs/ralph/stray/%s/%s", s->plan->branch, s->l);
		buf_addf(&script, "update %s %s\n", stray, s->l);
	}
	script_set(&script, s->queue, known->commit, s->l);
	if (step_update_refs(s, &script, err) < 0)
		return -1;
	free(s->mended);
	s->mended =
	    xasprintf("somebody %s %s; it is put back, with the merges that wait in it%s%s",
		s->l ? "moved" : "removed", s->queue,
		stray ? "; what it was moved to is in " : "", stray ? stray : "");
	return step_refs(s, err);
}

int
line_mend(struct step *s, struct err *err)
{
	struct line known;
	AUTO_CLOSE int lock = -1;
	int standing;

	free(take_ptr(s->lost));
	if (!line_load(s, &known) || (s->l && strcmp(s->l, known.commit) == 0)) {
		line_release(&known);
		return 0;
	}
	line_release(&known);
	/* A process that moves L, or removes L with good reason, holds the lock: so look again
	 * under it. */
	lock = repo_lock(s->common, err);
	if (lock < 0 || step_refs(s, err) < 0)
		return -1;
	if (!line_load(s, &known))
		return 0;
	standing = line_judge(s, &known, err);
	if (standing == LINE_LANDED && !s->l)
		line_forget(s);
	else if (standing == LINE_LOST)
		lost_tell(s, &known);
	else if (standing == LINE_MISSED)
		standing = line_restore(s, &known, err);
	line_release(&known);
	lock_release(&lock);
	return standing < 0 ? -1 : 0;
}

void
line_tell(struct step *s, struct land_result *result)
{
	AUTO_FREE char *told = NULL;

	result->mended = take_ptr(s->mended);
	if (!s->lost)
		return;
	told = take_ptr(result->text);
	result->text = told ? xasprintf("%s; %s", s->lost, told) : take_ptr(s->lost);
	result->waiting++;
	result->by_hand = true;
}

char *
line_find(struct step *s)
{
	struct line known;
	int standing = line_load(s, &known) ? line_judge(s, &known, NULL) : LINE_GOOD;
	char *tip;

	if (standing == LINE_LOST)
		lost_tell(s, &known);
	tip = standing == LINE_MISSED ? xstrdup(known.commit) : s->l ? xstrdup(s->l) : NULL;
	line_release(&known);
	return tip;
}

char **
line_list(const char *common)
{
	AUTO_FREE char *path = lines_dir(common);
	AUTO_CLOSE int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char **names = NULL, **branches = NULL;

	if (dir < 0 || fs_list(dir, ".", &names, NULL) < 0)
		return NULL;
	for (char **name = names; name && *name; name++) {
		AUTO_JSON *v = NULL;
		AUTO_BUF text = BUF_INIT;

		if (fs_read(dir, *name, LINE_MAX_BYTES, &text, NULL) == 0 &&
		    (v = json_parse(text.data, text.len, "line", NULL)) != NULL &&
		    *json_str(v, "branch", "") != '\0')
			branches = strlist_add(branches, json_str(v, "branch", ""));
	}
	strlist_free(names);
	return branches;
}
