/*
 * trust_facts.c - reading what there is: git's settings, hooks, projects.
 */
#include "land/trusts.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "land/git.h"
#include "land/repo.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 4 /* a list may name files that were not known before it */
#define LIST_TIMEOUT (30 * NSEC_PER_SEC)
#define FILE_MAX_BYTES ((size_t)1 << 20)
#define HOOKS_MAX 256 /* files; more is no directory of hooks */
#define HOOKS_DEPTH 2
#define LATELY (100 * NSEC_PER_MSEC)

/* ------------------------------------------------------------------ stamps */

char *
trust_stamp(const char *path)
{
	struct stat st;
	int64_t changed;

	if (stat(path, &st) < 0)
		return xstrdup("none");
	changed = (int64_t)st.st_ctim.tv_sec * NSEC_PER_SEC + st.st_ctim.tv_nsec;
	if (clock_wall() < changed + LATELY)
		return xstrdup("");
	return xasprintf("%llx %llx %llx %llx %llx %o", (unsigned long long)st.st_dev,
	    (unsigned long long)st.st_ino, (unsigned long long)st.st_size,
	    (unsigned long long)st.st_mtim.tv_sec * NSEC_PER_SEC +
		(unsigned long long)st.st_mtim.tv_nsec,
	    (unsigned long long)changed, (unsigned)st.st_mode);
}

void
trust_stamp_put(json_t *stamps, const char *path)
{
	AUTO_FREE char *name = trust_name("", path);
	AUTO_FREE char *stamp = trust_stamp(path);

	if (!json_object_get(stamps, name))
		json_put(stamps, name, stamp);
}

bool
trust_is_fresh(const json_t *record)
{
	json_t *stamps = json_object_get(record, "stamps");

	for (void *it = json_object_iter(stamps); it; it = json_object_iter_next(stamps, it)) {
		AUTO_BUF path = BUF_INIT;
		AUTO_FREE char *now = NULL;
		const char *then = json_string_value(json_object_iter_value(it));

		trust_bytes(json_object_iter_key(it), &path);
		now = trust_stamp(path.data);
		if (!then || *then == '\0' || strcmp(then, now) != 0)
			return false;
	}
	return json_object_size(stamps) > 0;
}

/* ---------------------------------------------------------- git's settings */

void
trust_settings_release(struct trust_settings *s)
{
	strlist_free(s->list);
	strlist_free(s->files);
	*s = (struct trust_settings){NULL, NULL};
}

static char *
path_from(const char *dir, const char *path)
{
	const char *home = getenv("HOME");

	if (strncmp(path, "~/", 2) == 0 && home)
		return xasprintf("%s%s", home, path + 1);
	return *path == '/' ? xstrdup(path) : xasprintf("%s/%s", dir, path);
}

static void
file_add(struct trust_settings *s, const char *dir, const char *path)
{
	AUTO_FREE char *whole = path_from(dir, path);

	for (char **f = s->files; f && *f; f++)
		if (strcmp(*f, whole) == 0)
			return;
	s->files = strlist_add(s->files, whole);
}

/* Another file of settings, and which; one that counts on a condition is a fact, with all that
 * it says. */
static void
include_add(struct trust_settings *s, const char *from, const char *key, const char *value)
{
	AUTO_FREE char *dir = xstrndup(from, (size_t)(strrchr(from, '/') - from));
	AUTO_FREE char *path = path_from(dir, value);
	AUTO_FREE char *fact = NULL;
	AUTO_BUF text = BUF_INIT;

	file_add(s, dir, value);
	if (strcmp(key, "include.path") == 0)
		return;
	(void)!fs_read(AT_FDCWD, path, FILE_MAX_BYTES, &text, NULL);
	fact = xasprintf("%s\n%s\n%s", key, value, text.data);
	s->list = strlist_add(s->list, fact);
}

/* One entry of the list: where it comes from, and "KEY\nVALUE" (or "KEY", which means true). */
static void
setting_add(struct trust_settings *s, const char *dir, const char *origin, const char *entry)
{
	AUTO_FREE char *key = xstrndup(entry, strcspn(entry, "\n"));
	const char *value = entry[strlen(key)] == '\0' ? "" : entry + strlen(key) + 1;
	const struct trust_key *known = trust_key_find(key);

	/* Options of our own are no file's. */
	if (strncmp(origin, "file:", 5) != 0)
		return;
	file_add(s, dir, origin + 5);
	if (strcmp(key, "include.path") == 0 || (known && known->how == KEY_SEEN)) {
		AUTO_FREE char *from = path_from(dir, origin + 5);

		include_add(s, from, key, value);
	} else if (known) {
		s->list = strlist_add(s->list, entry);
	}
}

int
trust_settings_read(const char *dir, struct trust_settings *s, struct err *err)
{
	struct run_result r;
	int rc;

	*s = (struct trust_settings){NULL, NULL};
	run_result_init(&r);
	rc = git_call(
	    &(struct git_call){
		.dir = dir,
		.what = "git config",
		.args = ARGS("config", "-z", "--list", "--show-origin"),
		.timeout = LIST_TIMEOUT,
		.unguarded = true,
	    },
	    &r, err);
	for (const char *at = r.out.data, *end = at + r.out.len; rc == 0 && at < end;) {
		const char *entry = at + strlen(at) + 1;

		if (entry >= end)
			break;
		setting_add(s, dir, at, entry);
		at = entry + strlen(entry) + 1;
	}
	run_result_release(&r);
	return rc;
}

/* One that is there more than once has its values in a row. */
static void
setting_put(json_t *now, const char *entry)
{
	AUTO_FREE char *key = xstrndup(entry, strcspn(entry, "\n"));
	AUTO_FREE char *name = trust_name(TRUST_GIT, key);
	const char *value = entry[strlen(key)] == '\0' ? "true" : entry + strlen(key) + 1;
	const char *before = json_str(now, name, NULL);
	AUTO_BUF all = BUF_INIT;

	if (before) {
		trust_bytes(before, &all);
		buf_addc(&all, '\n');
	}
	buf_adds(&all, value);
	(void)json_object_set_new(now, name, trust_value(all.data, all.len));
}

int
trust_settings_map(const char *dir, json_t *now, struct err *err)
{
	struct trust_settings s;

	if (trust_settings_read(dir, &s, err) < 0)
		return -1;
	for (char **e = s.list; e && *e; e++)
		setting_put(now, *e);
	trust_settings_release(&s);
	return 0;
}

/* Where git looks for settings, whether there are such files or not. */
static void
usual_files(const char *place, json_t *stamps)
{
	static const char *const below[] = {"config", "config.worktree"};
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
	AUTO_FREE char *own = xasprintf("%s/.gitconfig", home ? home : "");
	AUTO_FREE char *other = xdg && *xdg != '\0'
				    ? xasprintf("%s/git/config", xdg)
				    : xasprintf("%s/.config/git/config", home ? home : "");

	for (size_t i = 0; i < ARRAY_LEN(below); i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", place, below[i]);

		trust_stamp_put(stamps, path);
	}
	trust_stamp_put(stamps, own);
	trust_stamp_put(stamps, other);
	trust_stamp_put(stamps, "/etc/gitconfig");
}

/* Until every file that was read had its stamp before. */
static int
git_read(const char *place, json_t *now, json_t *stamps, struct err *err)
{
	size_t known = 0;

	usual_files(place, stamps);
	for (int round = 0; round < ROUNDS && known != json_object_size(stamps); round++) {
		struct trust_settings s;

		known = json_object_size(stamps);
		if (trust_settings_read(place, &s, err) < 0)
			return -1;
		for (char **f = s.files; f && *f; f++)
			trust_stamp_put(stamps, *f);
		(void)json_object_clear(now);
		for (char **e = s.list; e && *e; e++)
			setting_put(now, *e);
		trust_settings_release(&s);
	}
	return 0;
}

/* ------------------------------------------------------------------- hooks */

char *
trust_hooks_dir(const json_t *record, const char *top)
{
	AUTO_FREE char *place = trust_where(record);
	const json_t *agreed = trust_agreed(record, TRUST_GIT HOOKS_PATH);
	AUTO_BUF path = BUF_INIT;
	const char *last;

	if (!json_is_true(json_object_get(record, "git")))
		return NULL;
	if (!agreed)
		return xasprintf("%s/hooks", place);
	trust_bytes(json_string_value(agreed), &path);
	last = strrchr(path.data, '\n'); /* the last one counts */
	return path_from(top, last ? last + 1 : path.data);
}

static bool
is_sample(const char *name)
{
	size_t len = strlen(name);

	return len > 7 && strcmp(name + len - 7, ".sample") == 0;
}

/* "MODE\n" and the bytes; of one that is too long, what it looks like. */
static void
hook_put(const char *path, const char *below, const struct stat *st, json_t *now)
{
	AUTO_FREE char *name = trust_name(TRUST_HOOK, below);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF value = BUF_INIT;

	buf_addf(&value, "%o\n", (unsigned)st->st_mode & 0777);
	if (fs_read(AT_FDCWD, path, FILE_MAX_BYTES, &text, NULL) == 0) {
		buf_add(&value, text.data, text.len);
	} else {
		AUTO_FREE char *stamp = trust_stamp(path);

		buf_addc(&value, '\0');
		buf_adds(&value, stamp);
	}
	(void)json_object_set_new(now, name, trust_value(value.data, value.len));
}

static void
hooks_walk(const char *dir, const char *prefix, int depth, json_t *now, json_t *stamps)
{
	DIR *list = opendir(dir);
	struct dirent *e;

	while (list && json_object_size(now) < HOOKS_MAX && (e = readdir(list)) != NULL) {
		AUTO_FREE char *path = xasprintf("%s/%s", dir, e->d_name);
		AUTO_FREE char *below = xasprintf("%s%s", prefix, e->d_name);
		struct stat st;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    is_sample(e->d_name) || stat(path, &st) < 0)
			continue;
		if (stamps)
			trust_stamp_put(stamps, path);
		if (S_ISREG(st.st_mode)) {
			hook_put(path, below, &st, now);
		} else if (S_ISDIR(st.st_mode) && depth < HOOKS_DEPTH) {
			AUTO_FREE char *inner = xasprintf("%s/", below);

			hooks_walk(path, inner, depth + 1, now, stamps);
		}
	}
	if (list)
		closedir(list);
}

void
trust_hooks_read(const char *dir, json_t *now, json_t *stamps)
{
	if (stamps)
		trust_stamp_put(stamps, dir);
	hooks_walk(dir, "", 1, now, stamps);
}

/* --------------------------------------------------------------------- all */

char *
trust_where(const json_t *record)
{
	AUTO_BUF place = BUF_INIT;

	trust_bytes(json_str(record, "place", ""), &place);
	return buf_detach(&place);
}

char *
trust_top(const char *place)
{
	size_t len = strlen(place);

	return len > 5 && strcmp(place + len - 5, "/.git") == 0 ? xstrndup(place, len - 5)
								: xstrdup(place);
}

int
trust_scan(json_t *record, bool agents, struct err *err)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_FREE char *top = trust_top(place);
	AUTO_FREE char *hooks = NULL;
	AUTO_JSON *now = json_object();
	AUTO_JSON *files = json_object();
	AUTO_JSON *scripts = json_object();
	json_t *stamps = json_object();

	if (json_is_true(json_object_get(record, "git")) &&
	    git_read(place, now, stamps, err) < 0) {
		json_decref(stamps);
		/* Without a code it would look like "there is no record". */
		return repo_fail(err, err && err->code != 0 ? err->code : EIO);
	}
	trust_compare(record, now, TRUST_GIT, agents);
	/* The directory is known only now. */
	hooks = trust_hooks_dir(record, top);
	if (hooks)
		trust_hooks_read(hooks, scripts, stamps);
	trust_compare(record, scripts, TRUST_HOOK, agents);
	trust_projects_read(record, files, stamps);
	trust_compare(record, files, TRUST_FILE, agents);
	(void)json_object_set_new(record, "stamps", stamps);
	return 0;
}
