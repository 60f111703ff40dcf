/*
 * trust_guard.c - a run of git that minds the record.
 *
 * Settings cannot be taken away from git, only given anew: by GIT_CONFIG_COUNT and its like,
 * which take any bytes and reach whatever git runs in turn.  A filter becomes one that is
 * required and has no command: git itself then refuses every file that an attribute names it
 * for, and never takes one unfiltered.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
guard_release(struct guard *g)
{
	strlist_free(g->env);
	strlist_free(g->filters);
	*g = (struct guard)GUARD_INIT;
}

/* ---- settings ------------------------------------------------------------------------ */

static void
trust_guard_give(struct guard *g, const char *key, const char *value)
{
	size_t n = strlist_len(g->env) / 2;
	AUTO_FREE char *k = xasprintf("GIT_CONFIG_KEY_%zu=%s", n, key);
	AUTO_FREE char *v = xasprintf("GIT_CONFIG_VALUE_%zu=%s", n, value);

	g->env = strlist_add(strlist_add(g->env, k), v);
}

static void
trust_guard_count(struct guard *g)
{
	AUTO_FREE char *n = xasprintf("GIT_CONFIG_COUNT=%zu", strlist_len(g->env) / 2);

	if (g->env != NULL)
		g->env = strlist_add(g->env, n);
}

static void
block_filter(struct guard *g, const char *key)
{
	static const char *const parts[] = {"clean", "smudge", "process"};
	const char *name = key + strlen("filter.");
	AUTO_FREE char *filter = xstrndup(name, (size_t)(strrchr(key, '.') - name));
	AUTO_FREE char *required = NULL;

	if (strlist_has(g->filters, filter))
		return;
	g->filters = strlist_add(g->filters, filter);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		AUTO_FREE char *part = xasprintf("filter.%s.%s", filter, parts[i]);

		trust_guard_give(g, part, "");
	}
	required = xasprintf("filter.%s.required", filter);
	trust_guard_give(g, required, "true");
}

/* Gives git the values that were agreed to.  An empty value before them makes git forget the
 * rest of a list of helpers. */
static void
give_agreed(struct guard *g, const char *key, const char *values)
{
	AUTO_BUF bytes = BUF_INIT;
	const char *at;

	trust_bytes(values, &bytes);
	if (strncmp(key, "credential.", 11) == 0)
		trust_guard_give(g, key, "");
	for (at = bytes.data; at != NULL;
	     at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL) {
		AUTO_FREE char *one = xstrndup(at, strcspn(at, "\n"));

		trust_guard_give(g, key, one);
	}
}

static bool
attributes_matter(const json_t *record, const json_t *agreed, const json_t *now)
{
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF after = BUF_INIT;

	if (json_is_string(agreed))
		trust_bytes(json_string_value(agreed), &before);
	if (json_is_string(now))
		trust_bytes(json_string_value(now), &after);
	return trust_attributes_matter(before.data, after.data, record);
}

static int
guard_one(
    struct guard *g, const json_t *record, const char *name, const json_t *now, struct err *err)
{
	AUTO_BUF key = BUF_INIT;
	const struct trust_key *known;
	const json_t *agreed = trust_agreed(record, name);

	trust_bytes(name + strlen(TRUST_GIT), &key);
	known = trust_key_find(key.data);
	if (known == NULL || known->how == KEY_SEEN)
		return 0;
	if (known->how == KEY_ATTRIBUTES && !attributes_matter(record, agreed, now))
		return 0;
	if (known->how == KEY_REFUSED || known->how == KEY_ATTRIBUTES)
		return err_set(err,
		    "git is not run: %s was changed while an agent worked and is not trusted; "
		    "'ralph trust' shows it",
		    key.data);
	if (known->how == KEY_FILTER)
		block_filter(g, key.data);
	else if (agreed != NULL)
		give_agreed(g, key.data, json_string_value(agreed));
	else
		trust_guard_give(g, key.data, known->instead);
	return 0;
}

static bool
all_is_agreed(const json_t *record)
{
	AUTO_JSON *left = json_object();

	trust_take(left, json_object_get(record, "untrusted"), TRUST_GIT);
	return json_object_size(left) == 0;
}

/* Guards every setting that differs from what was agreed to: settings that git would read, and
 * settings that agents have removed. */
static int
guard_fill(const json_t *record, json_t *now, struct guard *g, struct err *err)
{
	AUTO_JSON *left = json_object();
	const char *name;
	json_t *value;

	trust_take(left, json_object_get(record, "untrusted"), TRUST_GIT);
	json_object_foreach (left, name, value)
		if (json_object_get(now, name) == NULL)
			(void)json_object_set_new(now, name, json_null());
	json_object_foreach (now, name, value)
		if (!json_equal(trust_agreed(record, name), value) &&
		    guard_one(g, record, name, value, err) < 0)
			return -1;
	trust_guard_count(g);
	return 0;
}

/* As guard_fill, for a git directory with settings besides the repository's. */
static int
guard_apart(const char *dir, const char *own, const json_t *record, json_t *now,
    struct guard *g, struct err *err)
{
	AUTO_JSON *view = NULL;

	if (trust_apart_read(dir, own, now, err) < 0)
		return -1;
	if (record != NULL)
		trust_apart_tell(record, own, now);
	view = trust_apart_view(record, own);
	return guard_fill(view, now, g, err);
}

int
guard_open(const char *dir, bool within, struct guard *g, struct err *err)
{
	bool git = false, recorded;
	AUTO_FREE char *place = trust_place(dir, &git);
	AUTO_FREE char *own = git ? trust_git_dir(dir) : NULL;
	struct err why = ERR_INIT;
	AUTO_JSON *record = own != NULL ? trust_record(place, &why) : NULL;
	AUTO_JSON *now = json_object();

	*g = (struct guard)GUARD_INIT;
	recorded = record != NULL;
	if (within && own != NULL && record == NULL && why.code == 0)
		record = trust_record_around(dir, &why);
	if (record == NULL && why.code != 0)
		return err_pass(err, &why);
	if (own == NULL || (record == NULL && !trust_is_strict()))
		return 0;
	if (trust_is_apart(own, place, recorded))
		return guard_apart(dir, own, record, now, g, err);
	if (all_is_agreed(record))
		return 0;
	return trust_settings_read(dir, now, NULL, err) < 0 ? -1
							    : guard_fill(record, now, g, err);
}

void
guard_explain(const struct guard *g, struct err *err)
{
	if (err == NULL || strstr(err->text, " failed") == NULL)
		return;
	for (char **f = g->filters; f != NULL && *f != NULL; f++) {
		AUTO_FREE char *quoted = xasprintf("filter '%s' failed", *f);
		AUTO_FREE char *bare = xasprintf("filter %s failed", *f);
		AUTO_FREE char *before = NULL;
		int code = err->code;

		if (strstr(err->text, quoted) == NULL && strstr(err->text, bare) == NULL)
			continue;
		before = xstrdup(err->text);
		(void)err_set(err,
		    "the filter '%s' was changed while an agent worked and is not trusted, and "
		    "nothing is taken unfiltered; 'ralph trust' shows it (%s)",
		    *f, before);
		err->code = code;
		return;
	}
}

/* ---- commits ------------------------------------------------------------------------- */

/* Judges the output of `git check-attr -z`: path, attribute and value in turn. */
static int
attributes_judge(const struct guard *g, const struct run_result *r, struct err *err)
{
	const char *path, *name, *value = NULL;
	AUTO_BUF shown = BUF_INIT;

	do {
		path = buf_next(&r->out, value);
		name = path != NULL ? buf_next(&r->out, path) : NULL;
		value = name != NULL ? buf_next(&r->out, name) : NULL;
	} while (value != NULL && !strlist_has(g->filters, value));
	if (value == NULL)
		return 0;
	text_quote(&shown, path);
	return err_set(err,
	    "%s is for the filter '%s', which was changed while an agent worked and is not "
	    "trusted; 'ralph trust' shows it",
	    shown.data, value);
}

int
guard_commits(const char *dir, const char *from, const char *to, struct err *err)
{
	AUTO(guard_release) struct guard g = GUARD_INIT;
	AUTO_RUN names = RUN_INIT;
	AUTO_RUN found = RUN_INIT;

	if (guard_open(dir, false, &g, err) < 0)
		return -1;
	if (g.filters == NULL)
		return 0;
	if (git_run(dir, "git diff-tree",
		ARGS("diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to), &names,
		err) < 0)
		return -1;
	if (names.out.len == 0)
		return 0;
	if (git_call(
		&(struct git_call){
		    .dir = dir,
		    .what = "git check-attr",
		    .args = ARGS("check-attr", "-z", "--stdin", "filter"),
		    .input = names.out.data,
		    .input_len = names.out.len,
		},
		&found, err) < 0)
		return -1;
	return attributes_judge(&g, &found, err);
}

/* ---- hooks --------------------------------------------------------------------------- */

static bool
hooks_are(const char *dir, json_t *hooks)
{
	AUTO_JSON *now = json_object();

	trust_hooks_read(dir, now, NULL);
	return json_equal(now, hooks);
}

/* Writes dir/name, with the mode and the bytes of the fact's value. */
static int
hook_write(const char *dir, const char *name, const char *value, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	char *slash = strrchr(path, '/');
	AUTO_BUF bytes = BUF_INIT;
	AUTO_CLOSE int at = -1;
	char *body;
	mode_t mode;

	trust_bytes(value, &bytes);
	mode = (mode_t)strtoul(bytes.data, &body, 8);
	body += *body == '\n';
	if (strcmp(name, HOOKS_REST) == 0 || (body < bytes.data + bytes.len && *body == '\0'))
		return err_code(err, EPERM,
		    "the hooks are not as they were agreed to, and there is no copy of %s; "
		    "'ralph trust' shows them",
		    name);
	*slash = '\0';
	if (fs_mkdirs(path, err) < 0 || (at = fs_open_dir(AT_FDCWD, path, err)) < 0 ||
	    fs_replace(at, slash + 1, body, (size_t)(bytes.data + bytes.len - body), FS_NOSYNC,
		err) < 0)
		return -1;
	if (fchmodat(at, slash + 1, mode & 0777, 0) < 0)
		return err_errno(err, "cannot copy the hook %s", name);
	return 0;
}

static int
hooks_copy(const char *dir, json_t *hooks, struct err *err)
{
	AUTO_FREE char *parent = fs_parent(dir);
	AUTO_CLOSE int at = fs_open_dir(AT_FDCWD, parent, err);
	const char *hook;
	json_t *value;

	if (at < 0 || (access(dir, F_OK) == 0 && fs_remove_tree(at, basename(dir), err) < 0) ||
	    fs_mkdirs(dir, err) < 0)
		return -1;
	json_object_foreach (hooks, hook, value) {
		AUTO_BUF name = BUF_INIT;

		trust_bytes(hook + strlen(TRUST_HOOK), &name);
		if (hook_write(dir, name.data, json_string_value(value), err) < 0)
			return -1;
	}
	return 0;
}

int
guard_hooks(const char *top, char **dir, bool *others, struct err *err)
{
	bool git = false;
	AUTO_FREE char *place = trust_place(top, &git);
	struct err why = ERR_INIT;
	AUTO_JSON *record = git ? trust_record(place, &why) : NULL;
	AUTO_JSON *hooks = json_object();

	*dir = NULL;
	*others = false;
	if (record == NULL && why.code != 0)
		return err_pass(err, &why);
	if (record == NULL) {
		*dir = trust_is_strict() ? xstrdup("/dev/null") : NULL;
		return 0;
	}
	trust_take(hooks, json_object_get(record, "trusted"), TRUST_HOOK);
	*dir = trust_hooks_dir(record, top);
	if (*dir != NULL && hooks_are(*dir, hooks))
		return 0;
	free(*dir);
	*others = true;
	*dir = trust_copies(place);
	return hooks_are(*dir, hooks) ? 0 : hooks_copy(*dir, hooks, err);
}
