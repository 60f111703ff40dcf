#include "land/parts.h"

#include "base/alloc.h"
#include "land/git.h"
#include "land/inner.h"
#include "land/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

/* What git says of a directory that it takes for a submodule nobody declared. */
#define NESTED "warning: adding embedded git repository: "

void
changes_release(struct changes *c)
{
	free(c->first);
	free(c->hidden);
	free(c->foreign);
	free(c->underway);
	free(c->head);
	free(c->on);
	strlist_free(c->ignored);
	*c = (struct changes){0};
}

/* The part of a status line (format 2) behind so many fields. */
static const char *
field(const char *line, int n)
{
	while (n-- > 0 && (line = strchr(line, ' ')) != NULL)
		line++;
	return line ? line : "";
}

bool
path_is_copied(const struct step *s, const char *path)
{
	for (char *const *c = s->note.copied; c && *c; c++) {
		size_t len = strlen(*c);

		if (strncmp(path, *c, len) == 0 && (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

/* "# branch.oid <commit>", "# branch.head <name>"; "(initial)" and "(detached)" are none. */
static void
header_take(const char *line, struct changes *c)
{
	static const char oid[] = "# branch.oid ", head[] = "# branch.head ";

	if (strncmp(line, oid, strlen(oid)) == 0 && line[strlen(oid)] != '(')
		c->head = xstrdup(line + strlen(oid));
	else if (strncmp(line, head, strlen(head)) == 0 && line[strlen(head)] != '(')
		c->on = xstrdup(line + strlen(head));
}

/* "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2 h3 path", "? path". */
static void
line_take(const struct step *s, const char *line, char *const *marked, struct changes *c)
{
	const char *path = field(line, *line == '1' ? 8 : *line == 'u' ? 10 : 1);
	const char *sub = field(line, 2);

	if (*line == '?' && path_is_copied(s, path))
		return;
	c->count++;
	c->unmerged |= *line == 'u';
	if (!c->first)
		c->first = xstrdup(path);
	for (; marked && *marked && !c->hidden; marked++)
		c->hidden = strcmp(*marked, path) == 0 ? xstrdup(path) : NULL;
	if (*line == '1' && *sub == 'S' && strncmp(sub, "S...", 4) != 0 && !c->foreign)
		c->foreign = xstrdup(path);
}

static void
underway_find(const struct work *w, struct changes *c)
{
	static const char *const marks[][2] = {
	    {"MERGE_HEAD", "merge"},
	    {"rebase-merge", "rebase"},
	    {"rebase-apply", "rebase"},
	    {"CHERRY_PICK_HEAD", "cherry-pick"},
	    {"REVERT_HEAD", "revert"},
	};

	for (size_t i = 0; i < ARRAY_LEN(marks) && !c->underway; i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", w->git_dir, marks[i][0]);

		if (path_is_there(path))
			c->underway = xstrdup(marks[i][1]);
	}
}

int
changes_read(const struct step *s, const struct work *w, struct changes *c, struct err *err)
{
	AUTO_BUF status = BUF_INIT;
	char **marked = NULL;
	const char *line, *end;
	int rc;

	*c = (struct changes){0};
	underway_find(w, c);
	rc = flags_clear(s, w, &marked, err);
	if (rc == 0)
		rc = inner_status(s->path, NULL,
		    ARGS("--no-ahead-behind", "--no-renames", "--untracked-files=normal",
			s->plan->ignored ? "--ignored=traditional" : "--ignored=no"),
		    &status, err);
	end = status.data + status.len;
	for (line = status.data; rc == 0 && line < end; line += strlen(line) + 1) {
		if (*line == '#')
			header_take(line, c);
		else if (*line == '!')
			c->ignored = strlist_add(c->ignored, line + 2);
		else
			line_take(s, line, marked, c);
	}
	strlist_free(marked);
	return rc;
}

/* So that git need not read every file again.  Without it, it does.  The copy is as old as the
 * original: git looks twice at files that are not older than its index. */
static void
index_copy(const char *from, const char *to)
{
	AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	AUTO_CLOSE int out = -1;
	struct stat st;
	off_t done = 0;

	(void)unlink(to);
	if (in < 0 || fstat(in, &st) < 0)
		return;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	while (out >= 0 && done < st.st_size) {
		ssize_t n = sendfile(out, in, &done, (size_t)(st.st_size - done));

		if (n <= 0 && errno != EINTR)
			break;
	}
	if (out >= 0 && (done < st.st_size ||
			    futimens(out, (struct timespec[]){st.st_atim, st.st_mtim}) < 0))
		(void)unlink(to);
}

/* ":(exclude,glob)[\.]env": git refuses to add anything when a path that it ignores is named,
 * be it to leave it out; a pattern names none. */
static char **
add_exclusion(char **args, const char *path, const char *tail)
{
	AUTO_BUF spec = BUF_INIT;

	buf_addf(&spec, ":(exclude,glob)[\\%c]", path[0]);
	for (const char *p = path + 1; *p != '\0'; p++) {
		if (strchr("*?[\\", *p))
			buf_addc(&spec, '\\');
		buf_addc(&spec, *p);
	}
	buf_adds(&spec, tail);
	return strlist_add(args, spec.data);
}

/* Everything but what we put there ourselves, and repositories within.  What an agent wrote
 * outside of the cone of a sparse checkout is work, too; what the cone leaves out is not there,
 * and git does not take it for removed. */
static char **
add_args(const struct step *s, char *const *inner)
{
	char **args = strlist_add(strlist_add(NULL, "add"), "-A");

	args = strlist_add(args, "--sparse");
	args = strlist_add(strlist_add(args, "--"), ".");
	for (char *const *c = s->note.copied; c && *c; c++)
		args = add_exclusion(add_exclusion(args, *c, ""), *c, "/**");
	/* To add them git would look into them first. */
	for (; inner && *inner; inner++)
		args = add_exclusion(args, *inner, "");
	return args;
}

/* Each by the number of its commit, which git finds without a look at its files. */
static int
inner_fill(const struct step *s, const struct work *w, char *const *inner, struct err *err)
{
	AUTO_BUF paths = BUF_INIT;
	struct run_result result;
	int rc;

	for (; inner && *inner; inner++)
		buf_add(&paths, *inner, strlen(*inner) + 1);
	if (paths.len == 0)
		return 0;
	run_result_init(&result);
	rc = git_call(
	    &(struct git_call){
		.dir = s->path,
		.what = "git update-index",
		.args = ARGS("update-index", "-z", "--add", "--remove", "--stdin"),
		.index = w->index,
		.input = paths.data,
		.input_len = paths.len,
		.unsynced = true,
	    },
	    &result, err);
	run_result_release(&result);
	return rc;
}

static int
index_fill(const struct step *s, const struct work *w, char **nested, struct err *err)
{
	char **inner = NULL;
	int rc = inner_list(s->path, &inner, err);
	char **args = add_args(s, inner);
	const struct git_call add = {
	    .dir = s->path,
	    .what = "git add",
	    .args = (const char *const *)args,
	    .index = w->index,
	    .magic = true,
	    .unsynced = true,
	};
	struct run_result result;
	const char *warning;

	run_result_init(&result);
	if (rc == 0)
		rc = git_call(&add, &result, err);
	warning = strstr(result.err.data, NESTED);
	if (rc == 0 && warning) {
		warning += strlen(NESTED);
		*nested = xstrndup(warning, strcspn(warning, "\n"));
	}
	if (rc == 0)
		rc = inner_fill(s, w, inner, err);
	run_result_release(&result);
	strlist_free(inner);
	strlist_free(args);
	return rc;
}

int
snapshot_stage(const struct step *s, struct work *w, char **nested, struct err *err)
{
	AUTO_FREE char *own = xasprintf("%s/index", w->git_dir);
	AUTO_FREE char *lock = xasprintf("%s/ralph-index.lock", w->git_dir);

	*nested = NULL;
	free(w->index);
	w->index = xasprintf("%s/ralph-index", w->git_dir);
	(void)unlink(lock);
	index_copy(own, w->index);
	return index_fill(s, w, nested, err);
}

char *
snapshot_take(const struct step *s, struct work *w, char **nested, struct err *err)
{
	if (snapshot_stage(s, w, nested, err) < 0)
		return NULL;
	return git_call_line(
	    &(struct git_call){
		.dir = s->path,
		.what = "git write-tree",
		.args = ARGS("write-tree"),
		.index = w->index,
		.unsynced = true,
	    },
	    err);
}

/* ---- repositories within ---------------------------------------------------------------- */

/* Has the repository at that place a commit that no other has, as far as it knows?  `from`:
 * where git rev-list begins. */
static bool
repository_has_own(const char *dir, const char *from)
{
	AUTO_FREE char *git = xasprintf("%s/.git", dir);
	AUTO_FREE char *own = NULL;

	if (!path_is_there(git))
		return false;
	own = git_call_line(
	    &(struct git_call){
		.dir = dir,
		.what = "git rev-list",
		.args = ARGS("rev-list", "-1", from, "--not", "--remotes"),
		.within = true,
	    },
	    NULL);
	return !own || *own != '\0';
}

/* One that has more than its place in the work says: a branch that nobody is on, a stash. */
static char *
inner_find(const struct step *s)
{
	char **all = NULL;
	char *found = NULL;

	if (inner_all(s->path, &all, NULL) == 0)
		for (char **dir = all; dir && *dir && !found; dir++)
			if (repository_has_own(*dir, "--branches") ||
			    repository_has_own(*dir, "--glob=refs/stas[h]"))
				found = xstrdup(*dir + strlen(s->path) + 1);
	strlist_free(all);
	return found;
}

/* Of those that the work has changed, where the commit is that it names. */
static char *
named_find(const struct step *s, const char *commit)
{
	static const char link[] = "160000 ";
	const char *start = s->note.start ? s->note.start : s->base;
	struct run_result raw;
	char *found = NULL;

	if (!start)
		return NULL;
	run_result_init(&raw);
	/* ":<mode> <mode> <id> <id> <status>\0<path>\0" */
	if (git_run(s->plan->top, "git diff-tree",
		ARGS("diff-tree", "-r", "-z", "--no-renames", start, commit), &raw,
		NULL) == 0) {
		const char *end = raw.out.data + raw.out.len;

		for (const char *at = raw.out.data; at < end && !found;) {
			const char *mode = strchr(at, ' ');
			const char *path = at + strlen(at) + 1;
			const char *id = mode ? strchr(mode + 1, ' ') : NULL;

			id = id ? strchr(id + 1, ' ') : NULL;
			if (!id || path >= end)
				break;
			if (strncmp(mode + 1, link, strlen(link)) == 0) {
				AUTO_FREE char *dir = xasprintf("%s/%s", s->path, path);
				AUTO_FREE char *name = xstrndup(id + 1, strcspn(id + 1, " "));

				if (repository_has_own(dir, name))
					found = xstrdup(path);
			}
			at = path + strlen(path) + 1;
		}
	}
	run_result_release(&raw);
	return found;
}

char *
gitlinks_find(const struct step *s, const char *commit)
{
	char *found = named_find(s, commit);

	return found ? found : inner_find(s);
}
