#include "base/process/proc.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PROC_TEXT_MAX ((size_t)8 * 1024 * 1024)
/* How often a tree that keeps changing is counted again. */
#define PROC_COUNT_TRIES 5

/* Numbers of the fields of /proc/PID/stat, as proc(5) counts them. */
enum {
	STAT_PPID = 4,
	STAT_UTIME = 14,
	STAT_STIME = 15,
	STAT_CUTIME = 16,
	STAT_CSTIME = 17,
	STAT_STARTTIME = 22,
	STAT_FIELDS,
};

struct proc_stat {
	char state;
	uint64_t field[STAT_FIELDS];
};

struct pids {
	pid_t *v;
	size_t len, cap;
};

#define AUTO_PIDS __attribute__((cleanup(pids_free))) struct pids

static void
pids_free(struct pids *p)
{
	free(p->v);
}

static void
pids_add(struct pids *p, pid_t pid)
{
	p->v = xgrow(p->v, p->len, &p->cap, sizeof(*p->v));
	p->v[p->len++] = pid;
}

/* The pid at the start of s, which moves behind it; 0 when there is none. */
static pid_t
pid_parse(const char **s)
{
	char *end;
	long n;

	if (**s < '0' || **s > '9')
		return 0;
	n = strtol(*s, &end, 10);
	*s = end;
	return n <= INT_MAX ? (pid_t)n : 0;
}

static int
stat_read(pid_t pid, struct proc_stat *st)
{
	char path[32], text[1024];
	AUTO_CLOSE int fd = -1;
	char *p;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n < 0)
		return -1;
	text[n] = '\0';
	/* The name before it may contain anything, also parentheses and blanks. */
	p = strrchr(text, ')');
	if (p == NULL || p[1] != ' ' || p[2] == '\0') {
		errno = ESRCH;
		return -1;
	}
	st->state = p[2];
	p += 3;
	for (int i = STAT_PPID; i < STAT_FIELDS; i++)
		st->field[i] = strtoull(p, &p, 10);
	return 0;
}

static bool
stat_is_alive(const struct proc_stat *st)
{
	return st->state != 'Z' && st->state != 'X';
}

/* ---- identity ------------------------------------------------------------------------ */

int
proc_id_of(pid_t pid, struct proc_id *id)
{
	struct proc_stat st;

	if (stat_read(pid, &st) < 0)
		return -1;
	snprintf(id->boot_id, sizeof(id->boot_id), "%s", clock_boot_id());
	id->pid = pid;
	id->start_time = st.field[STAT_STARTTIME];
	return 0;
}

int
proc_id_self(struct proc_id *id)
{
	return proc_id_of(getpid(), id);
}

int64_t
proc_started(pid_t pid)
{
	int64_t ticks = sysconf(_SC_CLK_TCK);
	struct proc_stat st;

	if (pid <= 0 || ticks <= 0 || stat_read(pid, &st) < 0 || !stat_is_alive(&st))
		return 0;
	return clock_wall() - clock_boot() +
	       (int64_t)st.field[STAT_STARTTIME] * (NSEC_PER_SEC / ticks);
}

bool
proc_id_alive(const struct proc_id *id)
{
	struct proc_stat st;

	return id->pid > 0 && strcmp(id->boot_id, clock_boot_id()) == 0 &&
	       stat_read(id->pid, &st) == 0 && st.field[STAT_STARTTIME] == id->start_time &&
	       stat_is_alive(&st);
}

/* ---- tree ---------------------------------------------------------------------------- */

/* Calls fn for every number in a directory of /proc. */
static void
each_pid(const char *path, void (*fn)(pid_t pid, void *ctx), void *ctx)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		const char *name = e->d_name;
		pid_t pid = pid_parse(&name);

		if (pid > 0 && *name == '\0')
			fn(pid, ctx);
	}
	if (dir != NULL)
		closedir(dir);
}

struct parent {
	pid_t pid;
	struct pids *children;
};

static void
add_thread_children(pid_t tid, void *ctx)
{
	const struct parent *parent = ctx;
	AUTO_BUF text = BUF_INIT;
	const char *p;
	char path[64];
	pid_t pid;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent->pid, (int)tid);
	if (fs_read(AT_FDCWD, path, PROC_TEXT_MAX, &text, NULL) < 0)
		return;
	for (p = text.data; (pid = pid_parse(&p)) > 0; p += *p == ' ')
		pids_add(parent->children, pid);
}

static void
add_if_child(pid_t pid, void *ctx)
{
	const struct parent *parent = ctx;
	struct proc_stat st;

	if (stat_read(pid, &st) == 0 && st.field[STAT_PPID] == (uint64_t)parent->pid)
		pids_add(parent->children, pid);
}

static void
add_children(pid_t pid, struct pids *out)
{
	struct parent parent = {pid, out};
	char path[32];

	/* Some kernels do not keep such lists; then every process is asked for its parent. */
	if (access("/proc/thread-self/children", R_OK) < 0) {
		each_pid("/proc", add_if_child, &parent);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	each_pid(path, add_thread_children, &parent);
}

/* Lists the descendants, parents always before their children. */
static void
descendants(pid_t root, struct pids *out)
{
	add_children(root, out);
	for (size_t i = 0; i < out->len; i++)
		add_children(out->v[i], out);
}

int
proc_become_subreaper(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool
pid_is_alive(pid_t pid)
{
	struct proc_stat st;

	return pid > 0 && stat_read(pid, &st) == 0 && stat_is_alive(&st);
}

void
proc_each_child(void (*fn)(pid_t pid, void *ctx), void *ctx)
{
	AUTO_PIDS all = {NULL, 0, 0};

	add_children(getpid(), &all);
	for (size_t i = 0; i < all.len; i++)
		fn(all.v[i], ctx);
}

/* Adds `from` and the processes above it.  False when one of these has gone: then its children
 * have another parent by now. */
static bool
add_ancestors(pid_t from, struct pids *out)
{
	struct proc_stat st;

	for (pid_t pid = from; pid > 0; pid = (pid_t)st.field[STAT_PPID]) {
		if (stat_read(pid, &st) < 0)
			return false;
		pids_add(out, pid);
	}
	return true;
}

void
proc_each_ancestor(void (*fn)(pid_t pid, void *ctx), void *ctx)
{
	AUTO_PIDS all = {NULL, 0, 0};

	for (int tries = 1; !add_ancestors(getppid(), &all) && tries < PROC_COUNT_TRIES;
	     tries++)
		all.len = 0;
	for (size_t i = 0; i < all.len; i++)
		fn(all.v[i], ctx);
}

bool
proc_is_below(pid_t pid, pid_t root)
{
	AUTO_PIDS all = {NULL, 0, 0};

	for (int tries = 1; !add_ancestors(pid, &all) && tries < PROC_COUNT_TRIES; tries++)
		all.len = 0;
	/* The first is itself. */
	for (size_t i = 1; i < all.len; i++)
		if (all.v[i] == root)
			return true;
	return false;
}

int
proc_signal_below(pid_t root, int sig)
{
	AUTO_PIDS all = {NULL, 0, 0};
	int n = 0;

	descendants(root, &all);
	for (size_t i = 0; i < all.len; i++)
		if (pid_is_alive(all.v[i]) && (kill(all.v[i], sig) == 0 || errno != ESRCH))
			n++;
	return n;
}

int
proc_signal_descendants(int sig)
{
	return proc_signal_below(getpid(), sig);
}

/*
 * A process that dies while the tree is read hands its children to us, and we miss them if our
 * own list has been read by then.  So a count is valid only if no process has died meanwhile;
 * above all the count 0, which ends a session.
 */
int
proc_count_descendants(pid_t keep)
{
	for (int tries = 1;; tries++) {
		AUTO_PIDS all = {NULL, 0, 0};
		bool keep_alive = pid_is_alive(keep);
		bool died = false;
		int n = 0;

		descendants(getpid(), &all);
		for (size_t i = 0; i < all.len; i++) {
			pid_t pid = all.v[i];

			if (pid_is_alive(pid))
				n++;
			else if (pid == keep)
				died = died || keep_alive;
			else if (waitpid(pid, NULL, WNOHANG) == pid)
				died = true;
		}
		if (!died || (n > 0 && tries == PROC_COUNT_TRIES))
			return n;
	}
}

int64_t
proc_descendants_cpu(pid_t except)
{
	AUTO_PIDS all = {NULL, 0, 0};
	struct proc_stat st;
	uint64_t ticks = 0;

	/* The time of a dead process counts through its reaper, so that the sum never falls. */
	if (stat_read(getpid(), &st) == 0)
		ticks = st.field[STAT_CUTIME] + st.field[STAT_CSTIME];
	descendants(getpid(), &all);
	for (size_t i = 0; i < all.len; i++) {
		if (stat_read(all.v[i], &st) < 0)
			continue;
		ticks += st.field[STAT_CUTIME] + st.field[STAT_CSTIME];
		if (all.v[i] != except)
			ticks += st.field[STAT_UTIME] + st.field[STAT_STIME];
	}
	return (int64_t)ticks * (NSEC_PER_SEC / sysconf(_SC_CLK_TCK));
}

/* ---- environment --------------------------------------------------------------------- */

static bool
env_has(const struct buf *env, const char *entry)
{
	size_t want = strlen(entry);

	for (size_t at = 0; at < env->len;) {
		size_t len = strlen(env->data + at);

		if (len == want && memcmp(env->data + at, entry, len) == 0)
			return true;
		at += len + 1;
	}
	return false;
}

bool
proc_has_env(pid_t pid, const char *entry)
{
	AUTO_BUF text = BUF_INIT;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	return fs_read(AT_FDCWD, path, PROC_TEXT_MAX, &text, NULL) == 0 &&
	       env_has(&text, entry);
}

static bool
has_entry(pid_t pid, const void *entry)
{
	return proc_has_env(pid, entry);
}

static bool
has_file(pid_t pid, const void *file)
{
	const struct stat *wanted = file;
	struct dirent *e;
	struct stat st;
	bool has = false;
	char path[32];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	while (dir != NULL && !has && (e = readdir(dir)) != NULL)
		has = e->d_name[0] != '.' && fstatat(dirfd(dir), e->d_name, &st, 0) == 0 &&
		      st.st_dev == wanted->st_dev && st.st_ino == wanted->st_ino;
	if (dir != NULL)
		(void)closedir(dir);
	return has;
}

struct proc_search {
	bool (*has)(pid_t pid, const void *what);
	const void *what;
	void (*fn)(pid_t pid, void *ctx);
	void *ctx;
	int found;
};

static void
search_look(pid_t pid, void *ctx)
{
	struct proc_search *search = ctx;

	if (!search->has(pid, search->what))
		return;
	search->found++;
	search->fn(pid, search->ctx);
}

int
proc_each_with_env(const char *entry, void (*fn)(pid_t pid, void *ctx), void *ctx)
{
	struct proc_search search = {has_entry, entry, fn, ctx, 0};

	each_pid("/proc", search_look, &search);
	return search.found;
}

int
proc_each_with_file(const struct stat *file, void (*fn)(pid_t pid, void *ctx), void *ctx)
{
	struct proc_search search = {has_file, file, fn, ctx, 0};

	each_pid("/proc", search_look, &search);
	return search.found;
}
