#include "claims/claiming.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/strmap.h"
#include "ticket/ticket.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/inotify.h>

#define CLAIMS_FILE "claims.jsonl"
#define LOCK_FILE "lock"
#define FILE_MAX ((size_t)64 << 20)
#define TOLD_FOR (3600 * NSEC_PER_SEC)

struct claims {
	char *dir, *top;
	bool shared;   /* in a repository */
	bool fleeting; /* every claim ends with its processes: no power cut leaves one */
	char host[HOST_NAME_MAX + 1];
	int dirfd, lock; /* -1: not open, not held */
	int changes;	 /* inotify; -1 */
	struct claim **list;
	size_t n, cap;
	struct strmap ids;
};

/* ---- opening ------------------------------------------------------------------------- */

/* One list per repository is the rule; lists of other directories have a place of their own. */
static char *
place_name(const char *root, const char *list, const char *top, const char *common)
{
	size_t len = strlen(top);
	const char *rest = strncmp(root, top, len) == 0 ? root + len : "";
	AUTO_BUF slug = BUF_INIT;

	rest += strspn(rest, "/");
	if (*rest == '\0')
		return xasprintf("%s/ralph/%s", common, list);
	ticket_slug(rest, &slug);
	return xasprintf("%s/ralph/%s-%s", common, list, slug.data);
}

struct claims *
claims_open(const char *root, const char *list, struct err *err)
{
	AUTO_FREE char *real = realpath(root, NULL);
	AUTO_FREE char *top = NULL;
	AUTO_FREE char *common = NULL;
	struct err why = ERR_INIT;
	struct claims *c;

	if (real == NULL) {
		(void)err_errno(err, "cannot find %s", root);
		return NULL;
	}
	if (claims_place(real, &top, &common, &why) < 0 && why.code != ENOENT) {
		(void)err_pass(err, &why);
		return NULL;
	}
	c = xcalloc(1, sizeof(*c));
	c->dirfd = c->lock = c->changes = -1;
	c->fleeting = strcmp(list, CLAIMS_TICKETS) == 0;
	if (gethostname(c->host, sizeof(c->host)) < 0)
		c->host[0] = '\0';
	c->shared = top != NULL;
	c->dir = c->shared ? place_name(real, list, top, common)
			   : xasprintf("%s/.ralph/%s", real, list);
	c->top = c->shared ? take_ptr(top) : take_ptr(real);
	return c;
}

struct claims *
claims_open_tickets(const char *root, const char *tickets, struct err *err)
{
	AUTO_FREE char *dir = xasprintf("%s/..", tickets);
	struct claims *theirs = claims_open(dir, CLAIMS_TICKETS, NULL);
	struct claims *own = claims_open(root, CLAIMS_TICKETS, err);
	struct claims *list = own;

	if (own != NULL && theirs != NULL &&
	    (own->shared ? strcmp(own->top, theirs->top) == 0 : !theirs->shared))
		list = theirs;
	claims_close(list == own ? theirs : own);
	return list;
}

static void
clear(struct claims *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->list[i]);
	c->n = 0;
	strmap_clear(&c->ids);
}

void
claims_close(struct claims *c)
{
	if (c == NULL)
		return;
	claims_unlock(c);
	clear(c);
	free(c->list);
	strmap_release(&c->ids);
	auto_close_fn(&c->dirfd);
	auto_close_fn(&c->changes);
	free(c->dir);
	free(c->top);
	free(c);
}

const char *
claims_worktree(const struct claims *c)
{
	return c->top;
}

const char *
claims_key(const struct claims *c)
{
	return c->shared ? basename(c->dir) : NULL;
}

/* ---- reading ------------------------------------------------------------------------- */

static void
claims_add(struct claims *c, const struct claim *from)
{
	struct claim *claim = claim_copy(from);
	struct claim *old = strmap_put(&c->ids, claim->task, claim);

	if (old != NULL) {
		for (size_t i = 0; i < c->n; i++)
			if (c->list[i] == old)
				c->list[i] = claim;
		free(old);
		return;
	}
	c->list = xgrow(c->list, c->n, &c->cap, sizeof(struct claim *));
	c->list[c->n++] = claim;
}

/* A line that cannot be read may be a claim, so it is an error, and nobody gets a task. */
static int
claims_parse(struct claims *c, const struct buf *text, struct err *err)
{
	const char *p = text->data, *end = text->data + text->len;

	/* A power cut can turn a file that nobody synced into zeros: its claims ended with the
	 * power. */
	if (c->fleeting && p < end && *p == '\0')
		return 0;
	for (size_t line = 1; p < end; line++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((stop != NULL ? stop : end) - p);
		AUTO_JSON *v = json_parse(p, len, CLAIMS_FILE, NULL);
		struct claim claim;

		if (v == NULL || !claim_parse(v, &claim))
			return err_code(err, EBADMSG, "%s/%s:%zu: this is no claim", c->dir,
			    CLAIMS_FILE, line);
		claims_add(c, &claim);
		p += len + 1;
	}
	return 0;
}

int
claims_read(struct claims *c, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/%s", c->dir, CLAIMS_FILE);
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;

	clear(c);
	if (fs_read(AT_FDCWD, path, FILE_MAX, &text, &why) == 0)
		return claims_parse(c, &text, err);
	return why.code == ENOENT ? 0 : err_pass(err, &why);
}

size_t
claims_count(const struct claims *c)
{
	return c->n;
}

const struct claim *
claims_at(const struct claims *c, size_t i)
{
	return c->list[i];
}

const struct claim *
claims_find(const struct claims *c, const char *task)
{
	return strmap_get(&c->ids, task);
}

bool
claims_any_held(const struct claims *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i]->state == CLAIM_HELD)
			return true;
	return false;
}

/* ---- the lock ------------------------------------------------------------------------ */

static int
dir_ready(struct claims *c, struct err *err)
{
	if (c->dirfd >= 0)
		return 0;
	if (fs_mkdirs(c->dir, err) < 0)
		return -1;
	c->dirfd = fs_open_dir(AT_FDCWD, c->dir, err);
	return c->dirfd < 0 ? -1 : 0;
}

int
claims_lock(struct claims *c, int64_t wait, struct err *err)
{
	char self[256];

	ENSURE(c->lock < 0);
	if (dir_ready(c, err) < 0)
		return -1;
	lock_describe_self(self, sizeof(self));
	c->lock = lock_take_within(c->dirfd, LOCK_FILE, wait, self, err);
	if (c->lock < 0)
		return err_prefix(
		    err, "cannot lock %s", c->fleeting ? "the claims" : "the graph");
	if (fs_sweep(c->dirfd, err) == 0 && claims_read(c, err) == 0)
		return 0;
	claims_unlock(c);
	return -1;
}

void
claims_unlock(struct claims *c)
{
	lock_release(&c->lock);
}

/* ---- writing ------------------------------------------------------------------------- */

/* Removes the claims that are `one`, and the tasks that were completed before `limit`. */
static void
claims_prune(struct claims *c, const struct claim *one, const char *limit)
{
	size_t kept = 0;

	strmap_clear(&c->ids);
	for (size_t i = 0; i < c->n; i++) {
		struct claim *claim = c->list[i];

		if (claim == one ||
		    (claim->state == CLAIM_COMPLETE && strcmp(claim->since, limit) < 0)) {
			free(claim);
			continue;
		}
		c->list[kept++] = claim;
		(void)strmap_put(&c->ids, claim->task, claim);
	}
	c->n = kept;
}

static int
claims_write_all(struct claims *c, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF limit = BUF_INIT;

	/* Where nobody is at work, tasks that were completed long ago are left out: everybody
	 * who waits has heard of them. */
	clock_fmt_rfc3339(clock_wall() - TOLD_FOR, &limit);
	if (c->fleeting && !claims_any_held(c))
		claims_prune(c, NULL, limit.data);
	for (size_t i = 0; i < c->n; i++)
		claim_print(c->list[i], &text);
	if (fs_replace(c->dirfd, CLAIMS_FILE, text.data, text.len,
		c->fleeting ? FS_NOSYNC : FS_SYNC, err) < 0)
		return err_prefix(err, "%s", c->dir);
	return 0;
}

/* Copies the strings.  Fills in the host; worktree and since, too, where they are NULL. */
static int
claims_put(struct claims *c, const struct claim *claim, struct err *err)
{
	struct claim full = *claim;
	AUTO_BUF now = BUF_INIT;

	clock_fmt_rfc3339(clock_wall(), &now);
	full.host = c->host;
	full.worktree = claim->worktree != NULL ? claim->worktree : c->top;
	full.since = claim->since != NULL ? claim->since : now.data;
	full.note = claim->note != NULL ? claim->note : "";
	full.lock = claim->lock != NULL ? claim->lock : "";
	claims_add(c, &full);
	return claims_write_all(c, err);
}

/* Replaces a claim by `by`, but keeps its lock, worktree and time. */
static int
claims_change(
    struct claims *c, const struct claim *old, const struct claim *by, struct err *err)
{
	struct claim claim = *by;

	claim.lock = old->lock;
	claim.since = old->since;
	claim.worktree = old->worktree;
	return claims_put(c, &claim, err);
}

/* ---- the four calls ------------------------------------------------------------------ */

/* Takes the lock unless the caller has it.  -1, or whether claims_leave has to release the
 * lock. */
static int
enter(struct claims *c, struct err *err)
{
	if (c->lock >= 0)
		return 0;
	return claims_lock(c, CLAIMS_WAIT, err) < 0 ? -1 : 1;
}

static void
claims_leave(struct claims *c, int entered)
{
	if (entered > 0)
		claims_unlock(c);
}

static int
process_find(pid_t pid, struct proc_id *out, struct err *err)
{
	*out = (struct proc_id){.pid = 0};
	if (pid != 0 && proc_id_of(pid, out) < 0)
		return err_set(err, "there is no process %d to own the claim", (int)pid);
	return 0;
}

static enum claim_result
claims_refuse(const struct claim *claim, struct err *err)
{
	AUTO_BUF who = BUF_INIT;

	claim_describe(claim, &who);
	(void)err_set(err, "%s is claimed: %s", claim->task, who.data);
	return CLAIM_REFUSED;
}

enum claim_result
claims_claim(struct claims *c, const char *task, pid_t owner, const char *lock, struct err *err)
{
	struct claim claim = {.task = task, .state = CLAIM_HELD, .lock = lock};
	enum claim_result rc = CLAIM_CLAIMED;
	struct err why = ERR_INIT;
	const struct claim *old;
	int entered = enter(c, &why);

	if (entered < 0) {
		(void)err_pass(err, &why);
		return why.code == EWOULDBLOCK ? CLAIM_BUSY : CLAIM_IO_ERROR;
	}
	old = claims_find(c, task);
	if (claim_is_anothers(old, owner))
		rc = claims_refuse(old, err);
	else if (!claim_is_of(old, owner) &&
		 (process_find(owner, &claim.owner, err) < 0 || claims_put(c, &claim, err) < 0))
		rc = CLAIM_IO_ERROR;
	claims_leave(c, entered);
	return rc;
}

int
claims_beat(struct claims *c, const char *task, pid_t owner, pid_t agent, struct err *err)
{
	struct claim claim = {.task = task, .state = CLAIM_HELD};
	const struct claim *old;
	int entered, rc = 1;

	if (process_find(owner, &claim.owner, err) < 0)
		return -1;
	(void)!process_find(agent, &claim.agent, NULL);
	entered = enter(c, err);
	if (entered < 0)
		return -1;
	old = claims_find(c, task);
	if (old != NULL && old->state == CLAIM_HELD &&
	    (!claim_is_here(old) || !proc_id_alive(&old->owner) || old->owner.pid == owner ||
		old->owner.pid == getpid()))
		rc = claims_change(c, old, &claim, err);
	claims_leave(c, entered);
	return rc;
}

int
claims_done(struct claims *c, const char *task, pid_t owner, enum claim_state state,
    const char *note, struct err *err)
{
	struct claim claim = {.task = task, .state = state, .note = note};
	int entered = enter(c, err), rc = 0;
	const struct claim *old;

	if (entered < 0)
		return -1;
	old = claims_find(c, task);
	if (old == NULL ? state == CLAIM_COMPLETE
			: owner == 0 || old->owner.pid == owner || claim_is_void(old)) {
		if (state == CLAIM_FREE) {
			claims_prune(c, old, "");
			rc = claims_write_all(c, err);
		} else if (state == CLAIM_COMPLETE) {
			rc = claims_put(c, &claim, err);
		} else if (old->state == CLAIM_HELD) {
			claim.owner = old->owner;
			claim.agent = old->agent;
			rc = claims_change(c, old, &claim, err);
		}
	}
	claims_leave(c, entered);
	return rc;
}

int
claims_tell(
    struct claims *c, const char *task, pid_t owner, const char *status, struct err *err)
{
	struct claim claim = {.task = task, .state = CLAIM_COMPLETE, .note = status};
	int entered = enter(c, err), rc = 0;

	if (entered < 0)
		return -1;
	if (!claim_is_anothers(claims_find(c, task), owner))
		rc = claims_put(c, &claim, err);
	claims_leave(c, entered);
	return rc;
}

void
claims_sweep(const struct claims *c)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, c->dir, NULL);

	if (dir >= 0)
		(void)!fs_sweep(dir, NULL);
}

int
claims_fd(struct claims *c)
{
	if (c->changes >= 0 || dir_ready(c, NULL) < 0)
		return c->changes;
	c->changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (c->changes >= 0 && inotify_add_watch(c->changes, c->dir, IN_MOVED_TO) < 0)
		auto_close_fn(&c->changes);
	return c->changes;
}
