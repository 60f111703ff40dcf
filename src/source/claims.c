#include "source/claims.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "source/strmap.h"
#include "source/ticket.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#define CLAIMS_FILE "claims.jsonl"
#define LOCK_FILE "lock"
#define FILE_MAX ((size_t)64 << 20)
#define LOCK_STEP 1000		     /* us */
#define PID_LIMIT (INT64_C(1) << 22) /* the kernel's own */

struct claims {
	char *dir, *top;
	char host[HOST_NAME_MAX + 1];
	int dirfd, lock; /* -1: not open, not held */
	struct claim **list;
	size_t n, cap;
	struct strmap ids;
};

static const char *const state_names[] = {
#define X(id, name) [CLAIM_##id] = name,
    CLAIM_STATES(X)
#undef X
};

const char *
claim_state_name(enum claim_state s)
{
	return state_names[s];
}

/* ---- opening ------------------------------------------------------------------------- */

/* One graph a repository is the rule; graphs of other directories have a place of their own. */
static char *
place_name(const char *root, const char *top, const char *common)
{
	size_t len = strlen(top);
	const char *rest = strncmp(root, top, len) == 0 ? root + len : "";
	AUTO_BUF slug = BUF_INIT;

	rest += strspn(rest, "/");
	if (*rest == '\0')
		return xasprintf("%s/ralph/graph", common);
	ticket_slug(rest, &slug);
	return xasprintf("%s/ralph/graph-%s", common, slug.data);
}

struct claims *
claims_open(const char *root, struct err *err)
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
		if (err != NULL)
			*err = why;
		return NULL;
	}
	c = xcalloc(1, sizeof(*c));
	c->dirfd = c->lock = -1;
	c->dir =
	    top != NULL ? place_name(real, top, common) : xasprintf("%s/.ralph/graph", real);
	c->top = top != NULL ? take_ptr(top) : take_ptr(real);
	if (gethostname(c->host, sizeof(c->host)) < 0)
		c->host[0] = '\0';
	c->host[sizeof(c->host) - 1] = '\0';
	return c;
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
claims_dir(const struct claims *c)
{
	return c->dir;
}

/* ---- one claim ----------------------------------------------------------------------- */

static const char *
copy(char **at, const char *s)
{
	size_t size = strlen(s) + 1;
	char *to = *at;

	memcpy(to, s, size);
	*at += size;
	return to;
}

/* In one block of memory with its strings. */
static struct claim *
claim_copy(const struct claim *from)
{
	size_t size = strlen(from->task) + strlen(from->host) + strlen(from->worktree) +
		      strlen(from->since) + strlen(from->note) + 5;
	struct claim *claim = xmalloc(sizeof(*claim) + size);
	char *at = (char *)(claim + 1);

	*claim = *from;
	claim->task = copy(&at, from->task);
	claim->host = copy(&at, from->host);
	claim->worktree = copy(&at, from->worktree);
	claim->since = copy(&at, from->since);
	claim->note = copy(&at, from->note);
	return claim;
}

static void
claim_print(const struct claim *claim, struct buf *out)
{
	AUTO_JSON *v = json_pack("{s:o, s:s, s:i, s:I, s:s, s:o, s:o, s:s, s:o}", "task",
	    json_text(claim->task, strlen(claim->task)), "state", state_names[claim->state],
	    "pid", (int)claim->owner.pid, "start_time", (json_int_t)claim->owner.start_time,
	    "boot_id", claim->owner.boot_id, "host",
	    json_text(claim->host, strlen(claim->host)), "worktree",
	    json_text(claim->worktree, strlen(claim->worktree)), "since", claim->since, "note",
	    json_text(claim->note, strlen(claim->note)));

	ENSURE(v);
	if (claim->agent.pid != 0)
		ENSURE(json_object_set_new(v, "agent",
			   json_pack("{s:i, s:I}", "pid", (int)claim->agent.pid, "start_time",
			       (json_int_t)claim->agent.start_time)) == 0);
	json_print(v, true, out);
	buf_addc(out, '\n');
}

static int
state_parse(const char *name)
{
	for (int i = 0; i < CLAIM_STATE_COUNT; i++)
		if (strcmp(name, state_names[i]) == 0)
			return i;
	return -1;
}

static struct proc_id
process_parse(const json_t *v, const char *boot_id)
{
	int64_t pid = json_int(v, "pid", 0);
	struct proc_id p = {
	    .pid = pid > 0 && pid <= PID_LIMIT ? (pid_t)pid : 0,
	    .start_time = (uint64_t)json_int(v, "start_time", 0),
	};

	(void)snprintf(p.boot_id, sizeof(p.boot_id), "%s", boot_id);
	return p;
}

static bool
claim_parse(const json_t *v, struct claim *claim)
{
	int state = state_parse(json_str(v, "state", ""));
	const char *boot_id = json_str(v, "boot_id", "");

	*claim = (struct claim){
	    .task = json_str(v, "task", ""),
	    .state = state < 0 ? CLAIM_HELD : (enum claim_state)state,
	    .owner = process_parse(v, boot_id),
	    .agent = process_parse(json_object_get(v, "agent"), boot_id),
	    .host = json_str(v, "host", ""),
	    .worktree = json_str(v, "worktree", ""),
	    .since = json_str(v, "since", ""),
	    .note = json_str(v, "note", ""),
	};
	return json_is_object(v) && *claim->task != '\0' && state >= 0;
}

static bool
is_here(const struct claim *claim)
{
	char host[HOST_NAME_MAX + 1] = "";

	return gethostname(host, sizeof(host) - 1) == 0 && strcmp(host, claim->host) == 0;
}

static bool
somebody_lives(const struct claim *claim)
{
	return proc_id_alive(&claim->owner) ||
	       (claim->agent.pid != 0 && proc_id_alive(&claim->agent));
}

bool
claim_is_void(const struct claim *claim)
{
	return claim->state == CLAIM_HELD && claim->owner.pid != 0 && is_here(claim) &&
	       !somebody_lives(claim);
}

bool
claim_is_alive(const struct claim *claim)
{
	return claim->state == CLAIM_HELD && claim->owner.pid != 0 &&
	       (!is_here(claim) || somebody_lives(claim));
}

/* ---- reading ------------------------------------------------------------------------- */

static void
add(struct claims *c, const struct claim *from)
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
	if (c->n == c->cap) {
		c->cap = c->cap > 0 ? c->cap * 2 : 64;
		c->list = xreallocarray(c->list, c->cap, sizeof(struct claim *));
	}
	c->list[c->n++] = claim;
}

/* What cannot be read may be a claim: then nobody gets anything. */
static int
parse(struct claims *c, const struct buf *text, struct err *err)
{
	const char *p = text->data, *end = text->data + text->len;

	for (size_t line = 1; p < end; line++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((stop != NULL ? stop : end) - p);
		AUTO_JSON *v = json_parse(p, len, CLAIMS_FILE, NULL);
		struct claim claim;

		if (v == NULL || !claim_parse(v, &claim)) {
			(void)err_set(
			    err, "%s/%s:%zu: this is no claim", c->dir, CLAIMS_FILE, line);
			if (err != NULL)
				err->code = EBADMSG;
			return -1;
		}
		add(c, &claim);
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
		return parse(c, &text, err);
	if (why.code == ENOENT)
		return 0;
	if (err != NULL)
		*err = why;
	return -1;
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
	int64_t until = clock_boot() + wait;
	struct err why = ERR_INIT;
	char self[256];

	ENSURE(c->lock < 0);
	if (dir_ready(c, err) < 0)
		return -1;
	lock_describe_self(self, sizeof(self));
	while ((c->lock = lock_take(c->dirfd, LOCK_FILE, 0, self, &why)) < 0 &&
	       why.code == EWOULDBLOCK && clock_boot() < until)
		usleep(LOCK_STEP);
	if (c->lock < 0) {
		if (err != NULL)
			*err = why;
		return err_prefix(err, "cannot lock the graph");
	}
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

static int
write_all(struct claims *c, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < c->n; i++)
		claim_print(c->list[i], &text);
	if (fs_replace(c->dirfd, CLAIMS_FILE, text.data, text.len, FS_SYNC, err) < 0)
		return err_prefix(err, "%s", c->dir);
	return 0;
}

int
claims_put(struct claims *c, const struct claim *claim, struct err *err)
{
	struct claim full = *claim;
	AUTO_BUF now = BUF_INIT;

	ENSURE(c->lock >= 0);
	clock_fmt_rfc3339(clock_wall(), &now);
	full.host = c->host;
	full.worktree = claim->worktree != NULL ? claim->worktree : c->top;
	full.since = claim->since != NULL ? claim->since : now.data;
	full.note = claim->note != NULL ? claim->note : "";
	add(c, &full);
	return write_all(c, err);
}

int
claims_remove(struct claims *c, const char *task, struct err *err)
{
	struct claim *old = strmap_get(&c->ids, task);
	size_t kept = 0;

	ENSURE(c->lock >= 0);
	if (old == NULL)
		return 0;
	strmap_clear(&c->ids);
	for (size_t i = 0; i < c->n; i++) {
		if (c->list[i] == old)
			continue;
		c->list[kept++] = c->list[i];
		(void)strmap_put(&c->ids, c->list[i]->task, c->list[i]);
	}
	c->n = kept;
	free(old);
	return write_all(c, err);
}
