#include "work/todo/help/help_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "git/git.h"
#include "work/todo/todo.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>

#define FILE_BYTES ((size_t)256 * 1024)
#define FILES_BYTES ((size_t)16 << 20)
#define FILES_TIME (10 * NSEC_PER_SEC)
#define WALK_FILES 20000
#define WALK_DEPTH 16
#define LINE_MAX_SECRET 2000

/* ---- secrets ------------------------------------------------------------------------- */

static const char *const secret_names[] = {".env", ".env.*", "*.env", ".envrc", "*.pem",
    "*.key", "*.p12", "*.pfx", "*.p8", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.gpg",
    "*.asc", "*.tfstate", "*.tfstate.*", "*.tfvars", "*.ovpn", "id_rsa*", "id_dsa*",
    "id_ecdsa*", "id_ed25519*", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd",
    ".git-credentials", "*credential*", "*secret*", "*password*", "service-account*.json",
    "authorized_keys", "known_hosts", "auth.json", "kubeconfig*"};
static const char *const secret_dirs[] = {".ssh", ".aws", ".gnupg", ".git", ".kube", ".docker"};

bool
help_path_matches(const char *path, const char *const *patterns, size_t n)
{
	const char *name = strrchr(path, '/');

	name = name != NULL ? name + 1 : path;
	for (size_t i = 0; i < n; i++)
		if (fnmatch(patterns[i], name, FNM_CASEFOLD) == 0)
			return true;
	return false;
}

/* May the path hold secrets?  Files that git tracks may hold secrets, too. */
static bool
path_is_secret(const char *path)
{
	if (help_path_matches(path, secret_names, ARRAY_LEN(secret_names)))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(secret_dirs); i++) {
		size_t len = strlen(secret_dirs[i]);

		for (const char *at = path; (at = strstr(at, secret_dirs[i])) != NULL; at++)
			if ((at == path || at[-1] == '/') && at[len] == '/')
				return true;
	}
	return false;
}

/* Does the line give a secret away, as `password = "..."` and `api_key: ...` do: by a name for
 * secrets, and a value that is no code? */
static bool
line_gives_away(const char *line)
{
	static const char *const names[] = {"password", "passwd", "secret", "token", "api_key",
	    "apikey", "api-key", "access_key", "private_key", "client_key"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		for (const char *at = line; (at = strcasestr(at, names[i])) != NULL; at++) {
			const char *v = at + strlen(names[i]);

			v += strspn(v, "\"' \t");
			if (*v != ':' && *v != '=')
				continue;
			v += strspn(v, ":=> \t");
			if ((*v == '"' || *v == '\'') && strcspn(v + 1, "\"' ") >= 6)
				return true;
			if (strcspn(v, " \t,;(){}[]<>$") >= 16)
				return true;
		}
	return false;
}

bool
help_line_is_secret(const char *line, size_t len)
{
	static const char *const signs[] = {"PRIVATE KEY", "ghp_", "gho_", "github_pat_",
	    "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA", "sk-", "sk_live_", "rk_live_", "AIza",
	    "eyJhbGciOi", "Bearer "};
	AUTO_FREE char *text = xstrndup(line, len < LINE_MAX_SECRET ? len : LINE_MAX_SECRET);

	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		for (const char *at = text; (at = strstr(at, signs[i])) != NULL; at++) {
			const char *v = at + strlen(signs[i]);
			size_t n = 0;

			while (isalnum((unsigned char)v[n]) || v[n] == '_' || v[n] == '-')
				n++;
			/* "task-force" contains "sk-", too, so a secret must be longer. */
			if (n >= 16 || i == 0)
				return true;
		}
	return line_gives_away(text);
}

/* ---- listing ------------------------------------------------------------------------- */

/* Did ralph write the file?  Our files repeat the words of every question, and answer none. */
static bool
path_is_ours(const char *path)
{
	static const char *const ours[] = {TODO_DIR "/", TODO_LOGS "/", TODO_META};

	for (size_t i = 0; i < ARRAY_LEN(ours); i++)
		if (strncmp(path, ours[i], strlen(ours[i])) == 0)
			return true;
	return false;
}

static int
help_files_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
help_files_path_add(struct help_files *t, size_t *cap, const char *path)
{
	if (path_is_secret(path) || path_is_ours(path))
		return;
	if (t->n + 1 >= *cap) {
		*cap = *cap ? 2 * *cap : 256;
		t->paths = xreallocarray(t->paths, *cap, sizeof(*t->paths));
	}
	t->paths[t->n++] = xstrdup(path);
	t->paths[t->n] = NULL;
}

static bool
dir_is_skipped(const char *name)
{
	static const char *const skipped[] = {
	    "node_modules", "target", "build", "dist", "vendor", "venv", "__pycache__"};

	for (size_t i = 0; i < ARRAY_LEN(skipped); i++)
		if (strcmp(name, skipped[i]) == 0)
			return true;
	return false;
}

/* Lists the files without git: follows no links, and leaves out what is hidden. */
static void
help_files_walk(struct help_files *t, size_t *cap, int at, const char *prefix, int depth)
{
	int fd = fcntl(at, F_DUPFD_CLOEXEC, 0);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (list == NULL && fd >= 0)
		close(fd);
	while (list != NULL && t->n < WALK_FILES && clock_boot() < t->deadline &&
	       (e = readdir(list)) != NULL) {
		AUTO_FREE char *path = NULL;
		struct stat st;

		if (e->d_name[0] == '.' || fstatat(at, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		path = xasprintf("%s%s", prefix, e->d_name);
		if (S_ISREG(st.st_mode))
			help_files_path_add(t, cap, path);
		if (S_ISDIR(st.st_mode) && depth < WALK_DEPTH && !dir_is_skipped(e->d_name)) {
			AUTO_CLOSE int sub = openat(
			    at, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
			AUTO_FREE char *below = xasprintf("%s/", path);

			if (sub >= 0)
				help_files_walk(t, cap, sub, below, depth + 1);
		}
	}
	if (list != NULL)
		(void)closedir(list);
}

void
help_files_open(struct help_files *t, const char *root)
{
	AUTO_BUF paths = BUF_INIT;
	size_t cap = 0;
	int git = 0;

	*t = (struct help_files){.left = FILES_BYTES};
	t->dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->dir >= 0)
		git = git_files(root, &paths);
	for (size_t at = 0; git > 0 && at < paths.len; at += strlen(paths.data + at) + 1)
		help_files_path_add(t, &cap, paths.data + at);
	if (git == 0 && t->dir >= 0 &&
	    faccessat(t->dir, ".git", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		git = -1; /* there is one, and it is damaged */
	t->deadline = clock_boot() + FILES_TIME;
	/* Without git's answer nobody knows which files git would ignore. */
	if (git < 0)
		t->why = "git cannot tell which files belong to the project";
	else if (t->dir < 0)
		t->why = "the project's directory cannot be read";
	else if (git == 0)
		help_files_walk(t, &cap, t->dir, "", 0);
	if (t->n > 0)
		qsort(t->paths, t->n, sizeof(*t->paths), help_files_compare);
	else if (t->why == NULL)
		t->why = "there are no files in the project";
}

void
help_files_close(struct help_files *t)
{
	auto_close_fn(&t->dir);
	strlist_free(t->paths);
	*t = (struct help_files){.dir = -1};
}

/* ---- reading ------------------------------------------------------------------------- */

/* Opens a file.  Neither the file nor a directory on the way may be a link. */
static int
help_files_open_one(int root, const char *path)
{
	AUTO_FREE char *steps = xstrdup(path);
	AUTO_CLOSE int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
	char *step = steps;
	char *slash;

	while (at >= 0 && (slash = strchr(step, '/')) != NULL) {
		int next;

		*slash = '\0';
		next = strcmp(step, "..") == 0
			   ? -1
			   : openat(at, step, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		close(at);
		at = next;
		step = slash + 1;
	}
	return at < 0 ? -1
		      : openat(at, step,
			    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

bool
help_files_read(struct help_files *t, const char *path, struct buf *out)
{
	AUTO_CLOSE int fd = -1;
	size_t max = t->left < FILE_BYTES ? t->left : FILE_BYTES;
	struct stat st;
	ssize_t n;

	buf_clear(out);
	if (max == 0 || clock_boot() > t->deadline)
		return false;
	fd = help_files_open_one(t->dir, path);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	buf_reserve(out, max);
	while (out->len < max) {
		n = read(fd, out->data + out->len, max - out->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		out->len += (size_t)n;
	}
	out->data[out->len] = '\0';
	t->left -= out->len;
	return out->len > 0 && memchr(out->data, '\0', out->len) == NULL;
}

bool
help_files_has(const struct help_files *t, const char *path)
{
	struct stat st;

	return fstatat(t->dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

const char *
help_files_find(const struct help_files *t, const char *root, const char *name)
{
	size_t len = strlen(root);
	const char *only = NULL;
	char **found;

	if (strncmp(name, root, len) == 0 && name[len] == '/')
		name += len + 1;
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	if (t->n == 0 || *name == '\0' || *name == '/')
		return NULL;
	found = bsearch(&name, t->paths, t->n, sizeof(*t->paths), help_files_compare);
	if (found != NULL)
		return *found;
	len = strlen(name);
	for (size_t i = 0; i < t->n; i++) {
		size_t n = strlen(t->paths[i]);

		if (n <= len || t->paths[i][n - len - 1] != '/' ||
		    strcmp(t->paths[i] + n - len, name) != 0)
			continue;
		if (only != NULL)
			return NULL;
		only = t->paths[i];
	}
	return only;
}
