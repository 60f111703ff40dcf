/*
 * trust_facts.c - reading what there is: git's settings, hooks, projects.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 4 /* a list may name files that were not known before it */
#define LIST_TIMEOUT (30 * NSEC_PER_SEC)
#define FILE_MAX_BYTES ((size_t)1 << 20)
#define INCLUDE_DEPTH 10 /* as git has it */
#define HOOKS_MAX 256	 /* files whose content is known */
#define HOOKS_ALL 20000	 /* files that are looked at */
#define HOOKS_DEPTH 2
#define LATELY (100 * NSEC_PER_MSEC)

/* ---- stamps -------------------------------------------------------------------------- */

static int64_t
nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * NSEC_PER_SEC + t->tv_nsec;
}

static char *
looks(const struct stat *st)
{
	return xasprintf("%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %o",
	    (uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
	    (uint64_t)nanoseconds(&st->st_mtim), (uint64_t)nanoseconds(&st->st_ctim),
	    (unsigned)st->st_mode);
}

/* A stamp of a file, without its content; "" when the file was changed so lately that another
 * change might have the same stamp.  The caller frees the stamp. */
static char *
trust_stamp(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return xstrdup("none");
	if (clock_wall() < nanoseconds(&st.st_ctim) + LATELY)
		return xstrdup("");
	return looks(&st);
}

void
trust_stamp_put(json_t *stamps, const char *path)
{
	AUTO_FREE char *name = trust_name("", path);
	AUTO_FREE char *stamp = trust_stamp(path);

	if (json_object_get(stamps, name) == NULL)
		json_put(stamps, name, stamp);
}

bool
trust_is_fresh(const json_t *record)
{
	json_t *stamps = json_object_get(record, "stamps");

	for (void *it = json_object_iter(stamps); it != NULL;
	     it = json_object_iter_next(stamps, it)) {
		AUTO_BUF path = BUF_INIT;
		AUTO_FREE char *now = NULL;
		const char *then = json_string_value(json_object_iter_value(it));

		trust_bytes(json_object_iter_key(it), &path);
		now = trust_stamp(path.data);
		if (then == NULL || *then == '\0' || strcmp(then, now) != 0)
			return false;
	}
	return json_object_size(stamps) > 0 && json_int(record, "version", 1) >= TRUST_VERSION;
}

/* ---- git's settings ------------------------------------------------------------------ */

/* Git's settings as they were read: a "KEY\nVALUE" for each entry of git's list, and the files
 * that the entries come from or might come from. */
struct trust_settings {
	char **list;
	char **files;
};

static void
trust_settings_release(struct trust_settings *s)
{
	strlist_free(s->list);
	strlist_free(s->files);
}

static char *
path_from(const char *dir, const char *path)
{
	const char *home = getenv("HOME");

	if (strncmp(path, "~/", 2) == 0 && home != NULL)
		return xasprintf("%s%s", home, path + 1);
	return *path == '/' ? xstrdup(path) : xasprintf("%s/%s", dir, path);
}

static void
file_add(struct trust_settings *s, const char *dir, const char *path)
{
	AUTO_FREE char *whole = path_from(dir, path);

	if (!strlist_has(s->files, whole))
		s->files = strlist_add(s->files, whole);
}

/* Reads the text of a file.  For a file that cannot be read, or is no text, writes its stamp
 * instead, in a line that would be a macro among attributes. */
static void
trust_facts_file_read(const char *path, struct buf *text)
{
	struct stat st;
	AUTO_FREE char *seen = NULL;
	AUTO_BUF bytes = BUF_INIT;

	if (stat(path, &st) < 0)
		return;
	if (fs_read(AT_FDCWD, path, FILE_MAX_BYTES, &bytes, NULL) == 0 &&
	    strlen(bytes.data) == bytes.len) {
		buf_add(text, bytes.data, bytes.len);
		return;
	}
	seen = looks(&st);
	buf_addf(text, "[attr]unreadable %s\n", seen);
}

static int
config_ask(const char *dir, const char *const *args, struct run_result *result, struct err *err)
{
	return git_call(
	    &(struct git_call){
		.dir = dir,
		.what = "git config",
		.args = args,
		.timeout = LIST_TIMEOUT,
		.unguarded = true,
	    },
	    result, err);
}

static void conditional_read(
    struct trust_settings *s, const char *path, int depth, struct buf *text);

/* Reads the files that a file of settings includes in turn, on whatever condition. */
static void
nested_read(struct trust_settings *s, const char *path, int depth, struct buf *text)
{
	AUTO_FREE char *dir = fs_parent(path);
	AUTO_RUN r = RUN_INIT;

	if (config_ask("/",
		ARGS("config", "--file", path, "--no-includes", "-z", "--get-regexp",
		    "^include(if\\..*)?\\.path$"),
		&r, NULL) < 0)
		return;
	for (const char *at = NULL; (at = buf_next(&r.out, at)) != NULL;) {
		const char *value = strchr(at, '\n');
		AUTO_FREE char *inner = value != NULL ? path_from(dir, value + 1) : NULL;

		if (inner != NULL)
			conditional_read(s, inner, depth - 1, text);
	}
}

/* Reads a file that is included on a condition, with the files that it includes, as deep as git
 * follows them. */
static void
conditional_read(struct trust_settings *s, const char *path, int depth, struct buf *text)
{
	size_t before = text->len;

	file_add(s, "/", path);
	buf_addf(text, "%s\n", path);
	trust_facts_file_read(path, text);
	if (depth > 0 && strcasestr(text->data + before + strlen(path), "include") != NULL)
		nested_read(s, path, depth, text);
}

/* Adds an included file of settings.  A file that is included on a condition is a fact, with
 * all that it says and includes. */
static void
include_add(struct trust_settings *s, const char *from, const char *key, const char *value)
{
	AUTO_FREE char *dir = fs_parent(from);
	AUTO_FREE char *path = path_from(dir, value);
	AUTO_FREE char *fact = NULL;
	AUTO_BUF text = BUF_INIT;

	file_add(s, dir, value);
	if (strcmp(key, "include.path") == 0)
		return;
	conditional_read(s, path, INCLUDE_DEPTH, &text);
	fact = xasprintf("%s\n%s\n%s", key, value, text.data);
	s->list = strlist_add(s->list, fact);
}

/* Takes one entry of the list: the file it comes from, and "KEY\nVALUE" (or "KEY", which means
 * true). */
static void
setting_add(struct trust_settings *s, const char *dir, const char *origin, const char *entry)
{
	AUTO_FREE char *key = xstrndup(entry, strcspn(entry, "\n"));
	const char *value = entry[strlen(key)] == '\0' ? "" : entry + strlen(key) + 1;
	const struct trust_key *known = trust_key_find(key);

	/* Options of our own come from no file. */
	if (strncmp(origin, "file:", 5) != 0)
		return;
	file_add(s, dir, origin + 5);
	if (strcmp(key, "include.path") == 0 || (known != NULL && known->how == KEY_SEEN)) {
		AUTO_FREE char *from = path_from(dir, origin + 5);

		include_add(s, from, key, value);
	} else if (known != NULL) {
		s->list = strlist_add(s->list, entry);
	}
}

/* Adds the text of info/attributes as if it were a setting. */
static void
attributes_add(struct trust_settings *s, const char *dir)
{
	bool git;
	AUTO_FREE char *place = trust_place(dir, &git);
	AUTO_FREE char *path = git ? xasprintf("%s/" ATTRIBUTES, place) : NULL;
	AUTO_FREE char *entry = NULL;
	AUTO_BUF text = BUF_INIT;

	if (path == NULL)
		return;
	file_add(s, place, path);
	trust_facts_file_read(path, &text);
	entry = xasprintf(ATTRIBUTES "\n%s", text.data);
	if (text.len > 0)
		s->list = strlist_add(s->list, entry);
}

/* Adds a setting to the facts; one that is there more than once has its values in a row. */
static void
setting_put(json_t *now, const char *entry)
{
	AUTO_FREE char *key = xstrndup(entry, strcspn(entry, "\n"));
	AUTO_FREE char *name = trust_name(TRUST_GIT, key);
	const char *value = entry[strlen(key)] == '\0' ? "true" : entry + strlen(key) + 1;
	const char *before = json_str(now, name, NULL);
	AUTO_BUF all = BUF_INIT;

	if (before != NULL) {
		trust_bytes(before, &all);
		buf_addc(&all, '\n');
	}
	buf_adds(&all, value);
	(void)json_object_set_new(now, name, trust_value(all.data, all.len));
}

int
trust_settings_read(const char *dir, json_t *now, json_t *stamps, struct err *err)
{
	AUTO(trust_settings_release) struct trust_settings s = {NULL, NULL};
	AUTO_RUN r = RUN_INIT;
	const char *entry;

	if (config_ask(dir, ARGS("config", "-z", "--list", "--show-origin"), &r, err) < 0)
		return -1;
	for (const char *at = buf_next(&r.out, NULL);
	     at != NULL && (entry = buf_next(&r.out, at)) != NULL; at = buf_next(&r.out, entry))
		setting_add(&s, dir, at, entry);
	attributes_add(&s, dir);
	for (char **f = s.files; stamps != NULL && f != NULL && *f != NULL; f++)
		trust_stamp_put(stamps, *f);
	for (char **e = s.list; e != NULL && *e != NULL; e++)
		setting_put(now, *e);
	return 0;
}

/* Stamps the files in which git looks for settings, even those that do not exist. */
static void
usual_files(const char *place, json_t *stamps)
{
	static const char *const below[] = {"config", "config.worktree", ATTRIBUTES};
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
	AUTO_FREE char *own = xasprintf("%s/.gitconfig", home != NULL ? home : "");
	AUTO_FREE char *other = xdg != NULL && *xdg != '\0' ? xasprintf("%s/git/config", xdg)
							    : xasprintf("%s/.config/git/config",
								  home != NULL ? home : "");

	for (size_t i = 0; i < ARRAY_LEN(below); i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", place, below[i]);

		trust_stamp_put(stamps, path);
	}
	trust_stamp_put(stamps, own);
	trust_stamp_put(stamps, other);
	trust_stamp_put(stamps, "/etc/gitconfig");
}

/* Reads again until every file that was read had its stamp taken before. */
static int
git_read(const char *place, json_t *now, json_t *stamps, struct err *err)
{
	size_t known = 0;

	usual_files(place, stamps);
	for (int round = 0; known != json_object_size(stamps); round++) {
		if (round == ROUNDS)
			return err_set(err,
			    "the files of git's settings in %s change while they are read",
			    place);
		known = json_object_size(stamps);
		(void)json_object_clear(now);
		if (trust_settings_read(place, now, stamps, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- hooks --------------------------------------------------------------------------- */

char *
trust_hooks_dir(const json_t *record, const char *top)
{
	AUTO_FREE char *place = trust_where(record);
	const json_t *agreed = trust_agreed(record, TRUST_GIT HOOKS_PATH);
	AUTO_BUF path = BUF_INIT;
	const char *last;

	if (!json_is_true(json_object_get(record, "git")))
		return NULL;
	if (agreed == NULL)
		return xasprintf("%s/hooks", place);
	trust_bytes(json_string_value(agreed), &path);
	last = strrchr(path.data, '\n'); /* the last one counts */
	return path_from(top, last != NULL ? last + 1 : path.data);
}

static bool
is_sample(const char *name)
{
	size_t len = strlen(name);

	return len > 7 && strcmp(name + len - 7, ".sample") == 0;
}

/* The value is "MODE\n" and the bytes of the hook; for a hook that is too long or cannot be
 * read, its stamp instead of the bytes. */
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
		AUTO_FREE char *seen = looks(st);

		buf_addc(&value, '\0');
		buf_adds(&value, seen);
	}
	(void)json_object_set_new(now, name, trust_value(value.data, value.len));
}

/* A walk over a directory of hooks. */
struct hooks {
	json_t *now, *stamps;
	size_t files;
	struct buf rest; /* stamps of the hooks beyond HOOKS_MAX */
};

static void
hook_take(struct hooks *h, const char *path, const char *below, const struct stat *st)
{
	AUTO_FREE char *seen = NULL;

	h->files++;
	if (json_object_size(h->now) < HOOKS_MAX) {
		hook_put(path, below, st, h->now);
		return;
	}
	seen = looks(st);
	buf_addf(&h->rest, "%s %s\n", below, seen);
}

static void
hooks_walk(struct hooks *h, const char *dir, const char *prefix, int depth)
{
	struct dirent **list = NULL;
	/* Sorted, so that the order does not change by itself. */
	int n = scandir(dir, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *file = list[i]->d_name;
		AUTO_FREE char *path = xasprintf("%s/%s", dir, file);
		AUTO_FREE char *below = xasprintf("%s%s", prefix, file);
		AUTO_FREE char *inner = xasprintf("%s/", below);
		struct stat st;

		if (strcmp(file, ".") != 0 && strcmp(file, "..") != 0 && !is_sample(file) &&
		    stat(path, &st) == 0 && h->files < HOOKS_ALL) {
			if (h->stamps != NULL)
				trust_stamp_put(h->stamps, path);
			if (S_ISREG(st.st_mode))
				hook_take(h, path, below, &st);
			else if (S_ISDIR(st.st_mode) && depth < HOOKS_DEPTH)
				hooks_walk(h, path, inner, depth + 1);
		}
		free(list[i]);
	}
	free(list);
}

/* Reads a directory of hooks.  All hooks beyond the limit are one fact together, without their
 * content: that fact is the same as long as all of these hooks look the same. */
void
trust_hooks_read(const char *dir, json_t *now, json_t *stamps)
{
	struct hooks h = {.now = now, .stamps = stamps, .rest = BUF_INIT};
	AUTO_BUF value = BUF_INIT;

	if (stamps != NULL)
		trust_stamp_put(stamps, dir);
	hooks_walk(&h, dir, "", 1);
	if (h.files >= HOOKS_ALL)
		buf_addf(&h.rest, "too many at %" PRId64 "\n", clock_wall());
	if (h.rest.len > 0) {
		buf_addf(&value, "%zu files that look like %016" PRIx64,
		    h.files - json_object_size(now), text_hash(h.rest.data));
		(void)json_object_set_new(
		    now, TRUST_HOOK HOOKS_REST, trust_value(value.data, value.len));
	}
	buf_release(&h.rest);
}

/* ---- all ----------------------------------------------------------------------------- */

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

/* Agrees to facts that no earlier version looked at, whoever wrote them. */
static void
first_seen(json_t *record, json_t *now)
{
	json_t *trusted = json_object_get(record, "trusted");
	int64_t version = json_int(record, "version", 1);

	const char *name;
	json_t *value;

	json_object_foreach (now, name, value)
		if (trust_since(name) > version && trust_seen(record, name) == NULL)
			(void)json_object_set(trusted, name, value);
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
		return repo_fail(err, err != NULL && err->code != 0 ? err->code : EIO);
	}
	first_seen(record, now);
	trust_compare(record, now, TRUST_GIT, agents);
	/* Hooks come last: the settings that were just read name their directory. */
	hooks = trust_hooks_dir(record, top);
	if (hooks != NULL)
		trust_hooks_read(hooks, scripts, stamps);
	trust_compare(record, scripts, TRUST_HOOK, agents);
	trust_projects_read(record, files, stamps);
	first_seen(record, files);
	trust_compare(record, files, TRUST_FILE, agents);
	(void)json_object_set_new(record, "version", json_integer(TRUST_VERSION));
	(void)json_object_set_new(record, "stamps", stamps);
	return 0;
}
