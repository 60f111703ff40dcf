#include "land/parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "land/git.h"
#include "land/repo.h"
#include <errno.h>

#define TRAILER "Ralph-Session: "
#define FILES_SHOWN 20
/* Git's answer to options that it does not have. */
#define GIT_USAGE 129

/* ----------------------------------------------------------------- commits */

/* Whoever is configured; where nobody is, git refuses instead of making somebody up. */
static char **
identity_usual(void)
{
	char **args = strlist_add(strlist_add(NULL, "-c"), "i18n.commitEncoding=UTF-8");

	return strlist_add(strlist_add(args, "-c"), "user.useConfigOnly=true");
}

/* Who commits, where nobody is configured. */
static char **
identity_ask(const struct step *s)
{
	static const char *const names[] = {"user.name", "user.email"};
	static const char *const values[] = {"user.name=ralph", "user.email=ralph@localhost"};
	struct run_result known;
	char **args = strlist_add(strlist_add(NULL, "-c"), "i18n.commitEncoding=UTF-8");

	run_result_init(&known);
	(void)!git_ask(s->plan->top, "git config",
	    ARGS("config", "-z", "--get-regexp", "^user\\.(name|email)$"), &known, NULL);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *end = known.out.data + known.out.len;
		bool found = false;

		/* "user.name\nJo\0"; the last one counts. */
		for (const char *at = known.out.data; at < end; at += strlen(at) + 1) {
			size_t len = strlen(names[i]);

			if (strncmp(at, names[i], len) == 0)
				found = at[len] == '\n' && at[len + 1] != '\0';
		}
		if (!found)
			args = strlist_add(strlist_add(args, "-c"), values[i]);
	}
	run_result_release(&known);
	return args;
}

static char *
commit_try(const struct step *s, const char *tree, const char *const *parents,
    const char *message, struct err *err)
{
	char **args = strlist_dup(s->identity);
	struct git_call call = {
	    .dir = s->plan->top,
	    .what = "git commit-tree",
	    .input = message,
	    .input_len = strlen(message),
	};
	char *commit;

	args = strlist_add(strlist_add(args, "commit-tree"), "--no-gpg-sign");
	for (; *parents; parents++)
		args = strlist_add(strlist_add(args, "-p"), *parents);
	args = strlist_add(strlist_add(strlist_add(args, "-F"), "-"), tree);
	call.args = (const char *const *)args;
	commit = git_call_line(&call, err);
	strlist_free(args);
	return commit;
}

char *
commit_make(struct step *s, const char *tree, const char *const *parents, const char *message,
    struct err *err)
{
	if (!s->identity) {
		char *commit;

		s->identity = identity_usual();
		commit = commit_try(s, tree, parents, message, NULL);
		if (commit)
			return commit;
		strlist_free(s->identity);
		s->identity = identity_ask(s);
	}
	return commit_try(s, tree, parents, message, err);
}

static void
message_fill(const struct step *s, const char *text, struct buf *out)
{
	const struct land_ticket *t = s->ticket;
	const char *title = t->title ? t->title : "";

	while (*text != '\0') {
		if (strncmp(text, "{ticket}", 8) == 0) {
			buf_adds(out, t->id);
			text += 8;
		} else if (strncmp(text, "{title}", 7) == 0) {
			text_show(out, title, strlen(title), false);
			text += 7;
		} else {
			buf_addc(out, *text++);
		}
	}
}

void
message_make(const struct step *s, struct buf *out)
{
	const char *session = s->ticket->session;

	message_fill(s, s->plan->message ? s->plan->message : "Merge ralph/{ticket}", out);
	buf_addf(out, "\n\nRalph-Ticket: %s\n", s->ticket->id);
	if (session) {
		buf_adds(out, TRAILER);
		text_show(out, session, strlen(session), false);
		buf_addc(out, '\n');
	}
	/* Only where some of them may wait. */
	if (!s->ticket->needs || strcmp(s->base, s->b) == 0)
		return;
	for (char *const *id = s->ticket->needs; *id; id++)
		buf_addf(out, "Ralph-After: %s\n", *id);
}

char *
merge_find(const struct step *s)
{
	AUTO_FREE char *range = NULL;
	AUTO_FREE char *line = NULL;
	AUTO_BUF grep = BUF_INIT;
	size_t id;

	if (!s->ticket->session)
		return NULL;
	buf_adds(&grep, TRAILER);
	text_show(&grep, s->ticket->session, strlen(s->ticket->session), false);
	range = s->note.start ? xasprintf("%s..%s", s->note.start, s->base) : xstrdup(s->base);
	AUTO_FREE char *option = xasprintf("--grep=%s", grep.data);
	line = git_line(s->plan->top, "git log",
	    ARGS("log", "-1", "--merges", "--fixed-strings", option,
		"--format=%H %(trailers:key=Ralph-Session,valueonly,separator=%x20)", range,
		"--"),
	    NULL);
	/* The one that is looked for may be the beginning of another. */
	if (!line || (id = strcspn(line, " ")) == 0 || line[id] == '\0' ||
	    strcmp(line + id + 1, grep.data + strlen(TRAILER)) != 0)
		return NULL;
	return xstrndup(line, id);
}

/* ------------------------------------------------------------------- trees */

int
merge_unsupported(struct err *err)
{
	AUTO_FREE char *version = git_line("/", "git version", ARGS("version"), NULL);

	err_set(err, "git 2.38 or newer is needed to merge without a work tree; this is %s",
	    version ? version : "older");
	return repo_fail(err, ENOSYS);
}

/* "tree\0file\0file\0" */
static void
files_list(const struct buf *out, struct buf *files)
{
	const char *end = out->data + out->len;
	size_t n = 0;

	for (const char *at = out->data + strlen(out->data) + 1; at < end;
	     at += strlen(at) + 1, n++) {
		if (n >= FILES_SHOWN)
			continue;
		if (n > 0)
			buf_adds(files, ", ");
		text_show(files, at, strlen(at), false);
	}
	if (n > FILES_SHOWN)
		buf_addf(files, " and %zu more", n - FILES_SHOWN);
}

int
merge_trees(const struct step *s, const char *ours, const char *theirs, char **tree,
    struct buf *files, struct err *err)
{
	struct run_result result;
	int rc;

	run_result_init(&result);
	rc = git_ask(s->plan->top, "git merge-tree",
	    ARGS("merge-tree", "--write-tree", "--name-only", "-z", "--no-messages", ours,
		theirs),
	    &result, err);
	if (rc == 0 && exit_ok(result.status)) {
		*tree = xstrdup(result.out.data);
	} else if (rc == 0 && exit_number(result.status) == 1 && result.out.len > 0) {
		files_list(&result.out, files);
		rc = 1;
	} else if (rc == 0 && exit_number(result.status) == GIT_USAGE) {
		rc = merge_unsupported(err);
	} else if (rc == 0) {
		AUTO_BUF line = BUF_INIT;

		text_show(&line, result.err.data, strcspn(result.err.data, "\n"), false);
		rc = err_set(err, "git merge-tree: %s", line.data);
	}
	run_result_release(&result);
	return rc;
}

int
base_find(struct step *s, struct err *err)
{
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *message = NULL;
	AUTO_BUF files = BUF_INIT;
	int rc;

	free(take_ptr(s->base));
	free(take_ptr(s->clash));
	if (!s->b)
		return err_set(err, "there is no branch %s", s->plan->branch);
	if (line_mend(s, err) < 0)
		return -1;
	if (!s->l || step_has(s, s->b, s->l)) {
		s->base = xstrdup(s->b);
		return 0;
	}
	if (step_has(s, s->l, s->b)) {
		s->base = xstrdup(s->l);
		return 0;
	}
	rc = merge_trees(s, s->l, s->b, &tree, &files, err);
	if (rc < 0)
		return -1;
	if (rc > 0) {
		s->clash = xasprintf("%s has commits that conflict with that in %s; merge it "
				     "yourself: git merge %s",
		    s->plan->branch, files.data, s->queue);
		s->base = xstrdup(s->l);
		return 0;
	}
	message = xasprintf("Merge branch '%s'\n", s->plan->branch);
	s->base = commit_make(s, tree, (const char *const[]){s->l, s->b, NULL}, message, err);
	return s->base ? 0 : -1;
}

static void
base_set(struct step *s, const char *commit)
{
	char *copy = xstrdup(commit);

	free(s->base);
	s->base = copy;
}

/* L, with the tickets that only B has: who works on one of them needs its file. */
static int
base_equip(struct step *s, struct err *err)
{
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *commit = NULL;
	AUTO_BUF entries = BUF_INIT;
	struct run_result raw;
	int rc;

	if (!s->plan->guarded)
		return 0;
	run_result_init(&raw);
	rc = git_run(s->plan->top, "git diff-tree",
	    ARGS("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=A", s->l, s->b, "--",
		s->plan->guarded),
	    &raw, err);
	entries_turn(&raw.out, &entries);
	run_result_release(&raw);
	if (rc < 0 || entries.len == 0)
		return rc;
	tree = tree_change(s, s->l, &entries, err);
	commit = tree ? commit_make(s, tree, (const char *const[]){s->l, NULL},
			    "Tickets that came later\n", err)
		      : NULL;
	if (!commit)
		return -1;
	base_set(s, commit);
	return 0;
}

int
base_begin(struct step *s, struct err *err)
{
	struct queue q;
	bool needs = false;

	if (!s->clash)
		return 0;
	if (queue_read(s, s->l, &q, err) < 0)
		return -1;
	for (char *const *id = s->ticket->needs; id && *id; id++)
		needs |= queue_has(&q, *id);
	queue_release(&q);
	if (needs)
		return base_equip(s, err);
	base_set(s, s->b);
	return 0;
}

void
base_resume(struct step *s)
{
	if (s->clash && (!s->note.start || step_has(s, s->b, s->note.start)))
		base_set(s, s->b);
}

/* -------------------------------------------------------- what does not land */

/* ":<mode> <mode> <id> <id> <status>\0<path>\0" becomes "<mode> <id>\t<path>\0". */
void
entries_turn(const struct buf *raw, struct buf *out)
{
	const char *end = raw->data + raw->len;

	for (const char *at = raw->data; at < end;) {
		const char *mode = strchr(at, ' ');
		const char *id = mode ? strchr(mode + 1, ' ') : NULL;
		const char *path = at + strlen(at) + 1;

		id = id ? strchr(id + 1, ' ') : NULL;
		if (!id || path >= end)
			return;
		buf_add(out, mode + 1, strcspn(mode + 1, " "));
		buf_addc(out, ' ');
		buf_add(out, id + 1, strcspn(id + 1, " "));
		buf_addf(out, "\t%s", path);
		buf_addc(out, '\0');
		at = path + strlen(path) + 1;
	}
}

static int
dropped_find(const struct step *s, const char *commit, struct buf *entries, struct err *err)
{
	char **args = strlist_add(strlist_add(NULL, "diff-tree"), "-r");
	struct run_result raw;
	int rc;

	args = strlist_add(strlist_add(args, "-z"), "--no-renames");
	args = strlist_add(strlist_add(args, commit), s->base);
	args = strlist_add(args, "--");
	for (char *const *path = s->plan->drop; *path; path++)
		args = strlist_add(args, *path);
	run_result_init(&raw);
	rc = git_run(s->plan->top, "git diff-tree", (const char *const *)args, &raw, err);
	if (rc == 0)
		entries_turn(&raw.out, entries);
	run_result_release(&raw);
	strlist_free(args);
	return rc;
}

/* By way of an index of the step's own. */
char *
tree_change(
    const struct step *s, const char *commit, const struct buf *entries, struct err *err)
{
	AUTO_FREE char *index =
	    xasprintf("%s/ralph-index-%s", s->common, s->ticket ? s->ticket->id : ".queue");
	AUTO_FREE char *lock = xasprintf("%s.lock", index);
	struct git_call call = {
	    .dir = s->plan->top,
	    .what = "git read-tree",
	    .args = ARGS("read-tree", commit),
	    .index = index,
	};
	struct run_result result;
	char *tree = NULL;

	run_result_init(&result);
	(void)unlink(index);
	(void)unlink(lock);
	if (git_call(&call, &result, err) == 0) {
		call.what = "git update-index";
		call.args = ARGS("update-index", "-z", "--index-info");
		call.input = entries->data;
		call.input_len = entries->len;
		if (git_call(&call, &result, err) == 0) {
			call.what = "git write-tree";
			call.args = ARGS("write-tree");
			call.input = NULL;
			call.input_len = 0;
			tree = git_call_line(&call, err);
		}
	}
	(void)unlink(index);
	run_result_release(&result);
	return tree;
}

static bool
has_entry(const struct buf *entries, const char *path)
{
	const char *end = entries->data + entries->len;

	for (const char *at = entries->data; at < end; at += strlen(at) + 1) {
		const char *tab = strchr(at, '\t');

		if (tab && strcmp(tab + 1, path) == 0)
			return true;
	}
	return false;
}

/* What only base has changed meanwhile is no loss of the agent's. */
static void
dropped_name(const struct step *s, const char *commit, const struct buf *entries, char ***names)
{
	struct run_result changed;

	if (!s->note.start)
		return;
	run_result_init(&changed);
	if (git_run(s->plan->top, "git diff-tree",
		ARGS("diff-tree", "-r", "-z", "--no-renames", "--name-only", s->note.start,
		    commit),
		&changed, NULL) == 0)
		for (const char *at = changed.out.data, *end = at + changed.out.len; at < end;
		     at += strlen(at) + 1)
			if (has_entry(entries, at))
				*names = strlist_add(*names, at);
	run_result_release(&changed);
}

char *
merge_without(struct step *s, const char *commit, char ***dropped, struct err *err)
{
	AUTO_BUF entries = BUF_INIT;
	AUTO_FREE char *tree = NULL;

	if (!s->plan->drop || !*s->plan->drop)
		return xstrdup(commit);
	if (dropped_find(s, commit, &entries, err) < 0)
		return NULL;
	if (entries.len == 0)
		return xstrdup(commit);
	dropped_name(s, commit, &entries, dropped);
	tree = tree_change(s, commit, &entries, err);
	if (!tree)
		return NULL;
	return commit_make(
	    s, tree, (const char *const[]){commit, NULL}, "what does not land\n", err);
}
