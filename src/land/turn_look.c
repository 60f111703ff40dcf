#include "land/turns.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "land/git.h"
#include "land/inner.h"
#include "land/refs.h"
#include "land/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

/* What the user has lying around and is bigger, or more in all, is not copied into the
 * repository: data, as a rule, that nobody works on. */
#define BIG_BYTES ((off_t)32 << 20)
#define ALL_BYTES ((off_t)256 << 20)
/* No branch has a space in its name. */
#define TURN_LOCK "a turn"

/* --------------------------------------------------------------- the place */

static int
place_find(struct place *p, struct err *err)
{
	const char *root = p->turn->root;

	p->top = repo_top(root, err);
	if (p->top)
		p->prefix =
		    git_line(root, "git rev-parse", ARGS("rev-parse", "--show-prefix"), err);
	if (p->prefix)
		p->git_dir = git_line(root, "git rev-parse",
		    ARGS("rev-parse", "--path-format=absolute", "--git-dir"), err);
	if (p->git_dir)
		p->common = repo_common(p->top, err);
	if (!p->common)
		return -1;
	p->ref = xasprintf(
	    "refs/ralph/turn/%s-%08" PRIx32, p->turn->task, (uint32_t)text_hash(p->turn->file));
	p->index = xasprintf("%s/ralph-turn-index", p->git_dir);
	p->message = xasprintf("%s/ralph-turn-message", p->git_dir);
	p->follow = xasprintf("%s/ralph-turn-follow", p->git_dir);
	return 0;
}

/* Left by one that was killed; whoever has the lock is alone. */
static void
files_remove(const struct place *p)
{
	AUTO_FREE char *lock = xasprintf("%s.lock", p->index);
	AUTO_FREE char *behind = xasprintf("%s.lock", p->follow);

	index_lock_sweep(p);
	(void)unlink(lock);
	(void)unlink(behind);
	(void)unlink(p->index);
	(void)unlink(p->message);
	(void)unlink(p->follow);
}

int
place_open(struct place *p, const struct turn *t, struct err *err)
{
	AUTO_CLOSE int dir = -1;
	int there;

	*p = (struct place){.turn = t, .lock = -1};
	if (!name_is_valid(t->task) || *t->file != '/')
		return err_set(err, "%s cannot be committed: its name will not do", t->task);
	there = repo_search(t->root, err);
	p->none = there == 0;
	if (there <= 0)
		return there;
	if (place_find(p, err) < 0)
		return -1;
	p->lock = repo_turn(p->git_dir, TURN_LOCK, err);
	if (p->lock < 0)
		return -1;
	files_remove(p);
	refs_sweep(p->common);
	dir = fs_open_dir(AT_FDCWD, p->git_dir, NULL);
	if (dir >= 0)
		(void)!fs_sweep(dir, NULL);
	return 0;
}

static void
place_forget(struct place *p)
{
	free(take_ptr(p->head));
	free(take_ptr(p->base));
	free(take_ptr(p->tree));
	free(take_ptr(p->busy));
	aparts_release(&p->apart);
}

void
place_close(struct place *p)
{
	place_forget(p);
	if (p->lock >= 0)
		files_remove(p);
	lock_release(&p->lock);
	free(p->top);
	free(p->prefix);
	free(p->common);
	free(p->git_dir);
	free(p->ref);
	free(p->index);
	free(p->message);
	free(p->follow);
}

/* Is it the path, or something below it? */
static bool
path_is_in(const char *path, const char *dir, size_t len)
{
	while (len > 0 && dir[len - 1] == '/')
		len--;
	return strncmp(path, dir, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

bool
place_excepts(const struct place *p, const char *path)
{
	size_t len = strlen(p->prefix);
	size_t top = strlen(p->top);
	bool below = strncmp(path, p->prefix, len) == 0;

	for (char *const *e = p->turn->except; e && *e; e++) {
		const char *absolute =
		    strncmp(*e, p->top, top) == 0 && (*e)[top] == '/' ? *e + top + 1 : NULL;

		if (absolute ? path_is_in(path, absolute, strlen(absolute))
			     : below && path_is_in(path + len, *e, strlen(*e)))
			return true;
	}
	return false;
}

char *
place_commit(const struct place *p, const char *tree, const char *parent, const char *message,
    struct err *err)
{
	const char *args[] = {"-c", "user.name=ralph", "-c", "user.email=ralph@localhost", "-c",
	    "i18n.commitEncoding=UTF-8", "commit-tree", "--no-gpg-sign", "-m", message, tree,
	    parent ? "-p" : NULL, parent, NULL};

	return git_line(p->top, "git commit-tree", args, err);
}

/* ---------------------------------------------------------------- an index */

void
index_line(struct buf *lines, const char *mode, const char *object, const char *path)
{
	buf_addf(lines, "%s %s\t%s", mode, object, path);
	buf_addc(lines, '\0');
}

int
index_put(const struct place *p, const char *index, const struct buf *lines, struct err *err)
{
	struct run_result result;
	int rc;

	if (lines->len == 0)
		return 0;
	run_result_init(&result);
	rc = git_call(
	    &(struct git_call){
		.dir = p->top,
		.what = "git update-index",
		.args = ARGS("update-index", "-z", "--add", "--replace", "--index-info"),
		.index = index,
		.input = lines->data,
		.input_len = lines->len,
	    },
	    &result, err);
	run_result_release(&result);
	return rc;
}

static int
index_git(const struct place *p, const char *what, const char *const *args,
    const struct buf *input, struct err *err)
{
	struct run_result result;
	int rc;

	run_result_init(&result);
	rc = git_call(
	    &(struct git_call){
		.dir = p->top,
		.what = what,
		.args = args,
		.index = p->index,
		.input = input ? input->data : NULL,
		.input_len = input ? input->len : 0,
	    },
	    &result, err);
	run_result_release(&result);
	return rc;
}

char *
index_tree(const struct place *p, struct err *err)
{
	return git_call_line(
	    &(struct git_call){
		.dir = p->top,
		.what = "git write-tree",
		.args = ARGS("write-tree"),
		.index = p->index,
	    },
	    err);
}

/* ----------------------------------------------------------------- looking */

/* What `git status` tells, sorted by what becomes of it. */
struct look {
	struct place *place;
	const struct aparts *known;
	struct buf gone, here; /* paths, each with a NUL */
	off_t bytes;
	bool unmerged;
};

/* The part of a status line (format 2) behind so many fields. */
static const char *
field(const char *line, int n)
{
	while (n-- > 0 && (line = strchr(line, ' ')) != NULL)
		line++;
	return line ? line : "";
}

/* 0: a tree can hold it. */
static char
kind_of(const struct place *p, const char *path, bool module, struct stat *st)
{
	AUTO_FREE char *full = xasprintf("%s/%s", p->top, path);

	if (lstat(full, st) < 0)
		return 0; /* gone just now: so it is taken */
	if (S_ISLNK(st->st_mode) || (module && S_ISDIR(st->st_mode)))
		return 0;
	if (!S_ISREG(st->st_mode) || access(full, R_OK) < 0)
		return 'x';
	return st->st_size > BIG_BYTES ? 'b' : 0;
}

static void
path_apart(struct look *l, const char *path, char kind, const struct stat *st)
{
	aparts_add(&l->place->apart, path,
	    &(struct apart){
		.kind = kind,
		.size = st->st_size,
		.modified = st->st_mtim.tv_sec * INT64_C(1000000000) + st->st_mtim.tv_nsec,
		.changed = st->st_ctim.tv_sec * INT64_C(1000000000) + st->st_ctim.tv_nsec,
	    });
}

/* What no tree told of at the start, none tells of now. */
static const struct apart *
known_find(const struct look *l, const char *path)
{
	const struct apart *known = aparts_find(l->known, path);

	return known && known->kind != 'm' ? known : NULL;
}

static void
path_here(struct look *l, const char *path, const char *sub)
{
	const struct apart *known = known_find(l, path);
	struct stat st = {0};
	char kind = kind_of(l->place, path, *sub == 'S', &st);

	if (*sub == 'S' && (sub[2] == 'M' || sub[3] == 'U'))
		path_apart(l, path, 'm', &st);
	/* What is big is apart only when it was there before: what a task makes is its work. */
	if (known)
		kind = known->kind;
	else if (kind == 'b' && l->known)
		kind = 0;
	else if (!kind && !l->known && S_ISREG(st.st_mode) &&
		 (l->bytes += st.st_size) > ALL_BYTES)
		kind = 'b';
	if (kind)
		path_apart(l, path, kind, &st);
	else
		buf_add(&l->here, path, strlen(path) + 1);
}

/* "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2 h3 path", "? path". */
static void
line_take(struct look *l, const char *line)
{
	struct place *p = l->place;
	bool listed = *line == '1' || *line == 'u';
	const char *path = field(line, *line == '1' ? 8 : *line == 'u' ? 10 : 1);
	size_t len = strlen(path);

	if ((!listed && *line != '?') || len == 0)
		return;
	l->unmerged |= *line == 'u';
	if (place_excepts(p, path) || hidden_is_users(l->known, path))
		return;
	if (path[len - 1] == '/') {
		AUTO_FREE char *dir = xstrndup(path, len - 1);

		path_apart(l, dir, 'r', &(struct stat){0});
	} else if (listed && strncmp(field(line, *line == '1' ? 5 : 6), "000000 ", 7) == 0) {
		if (known_find(l, path))
			path_apart(l, path, 'b', &(struct stat){0});
		else
			buf_add(&l->gone, path, len + 1);
	} else {
		path_here(l, path, listed ? field(line, 2) : "N...");
	}
}

static void
busy_find(struct place *p, bool unmerged)
{
	static const char *const marks[][2] = {
	    {"MERGE_HEAD", "a merge"},
	    {"rebase-merge", "a rebase"},
	    {"rebase-apply", "a rebase"},
	    {"CHERRY_PICK_HEAD", "a cherry-pick"},
	    {"REVERT_HEAD", "a revert"},
	    {"BISECT_LOG", "a bisect"},
	};

	for (size_t i = 0; i < ARRAY_LEN(marks) && !p->busy; i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", p->git_dir, marks[i][0]);

		if (path_is_there(path))
			p->busy = xasprintf(
			    "%s is under way in %s: finish it, or end it", marks[i][1], p->top);
	}
	if (unmerged && !p->busy)
		p->busy = xasprintf("there are conflicts to resolve in %s", p->top);
}

/* HEAD by the same process that compares with it. */
static int
status_read(struct look *l, struct err *err)
{
	static const char oid[] = "# branch.oid ";
	struct place *p = l->place;
	AUTO_BUF status = BUF_INIT;
	const char *index = NULL;
	const char *line, *end;
	int rc = l->known ? hidden_show(p, l->known, &index, err) : hidden_note(p, err);

	if (rc == 0)
		rc = inner_status(p->top, index,
		    ARGS("--no-renames", "--untracked-files=all", "--ignored=no"), &status,
		    err);
	end = status.data + status.len;
	for (line = status.data; rc == 0 && line < end; line += strlen(line) + 1) {
		if (strncmp(line, oid, sizeof(oid) - 1) == 0 && line[sizeof(oid) - 1] != '(')
			p->head = xstrdup(line + sizeof(oid) - 1);
		else
			line_take(l, line);
	}
	return rc;
}

static char *
base_find(const struct place *p, struct err *err)
{
	AUTO_FREE char *spec = p->head ? xasprintf("%s^{tree}", p->head) : NULL;

	if (spec)
		return git_line(
		    p->top, "git rev-parse", ARGS("rev-parse", "--verify", spec), err);
	return git_line(
	    p->top, "git hash-object", ARGS("hash-object", "-t", "tree", "-w", "--stdin"), err);
}

/* HEAD, with everything that is not as it says. */
static int
tree_make(struct look *l, struct err *err)
{
	struct place *p = l->place;

	if (index_git(p, "git read-tree", ARGS("read-tree", p->base), NULL, err) < 0)
		return -1;
	/* First: one may have become a directory, or the link to one. */
	if (l->gone.len > 0 &&
	    index_git(p, "git update-index",
		ARGS("update-index", "-z", "--force-remove", "--stdin"), &l->gone, err) < 0)
		return -1;
	if (l->here.len > 0 &&
	    index_git(p, "git update-index",
		ARGS("update-index", "-z", "--add", "--remove", "--replace", "--stdin"),
		&l->here, err) < 0)
		return -1;
	p->tree = index_tree(p, err);
	return p->tree ? 0 : -1;
}

int
place_look(struct place *p, const struct aparts *known, struct err *err)
{
	struct look l = {.place = p, .known = known, .gone = BUF_INIT, .here = BUF_INIT};
	int rc;

	place_forget(p);
	rc = status_read(&l, err);
	if (rc == 0) {
		busy_find(p, l.unmerged);
		p->base = base_find(p, err);
		rc = p->base ? tree_make(&l, err) : -1;
	}
	buf_release(&l.gone);
	buf_release(&l.here);
	return rc;
}
