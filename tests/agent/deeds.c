#include "deeds.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 300 * 1000, LIFE_SECONDS = 600 };

char *const *deeds_args;
static bool raw_mode;

static int64_t
now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
rest_ms(long long ms)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

/* A reader that went away is an everyday ending (SIGPIPE, or EIO on a terminal). */
static void
put(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			broken("write: %s", strerror(errno));
		p += n;
		len -= (size_t)n;
	}
}

static void
put_text(int fd, const char *text)
{
	put(fd, text, strlen(text));
}

/* A file that is to appear whole: file_open, writes, file_close. */
struct file {
	int fd;
	const char *path;
	char hidden[PATH_MAX];
};

static void
file_open(struct file *f, const char *path)
{
	int len = snprintf(f->hidden, sizeof(f->hidden), "%s.%ld~", path, (long)getpid());

	if (*path == '\0' || len < 0 || (size_t)len >= sizeof(f->hidden))
		broken("not a file name: '%s'", path);
	f->path = path;
	f->fd = open(f->hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (f->fd < 0)
		broken("%s: %s", f->hidden, strerror(errno));
}

static void
file_close(struct file *f)
{
	close(f->fd);
	if (rename(f->hidden, f->path) < 0)
		broken("%s: %s", f->path, strerror(errno));
}

static void
file_number(const char *path, long n)
{
	struct file f;

	file_open(&f, path);
	dprintf(f.fd, "%ld\n", n);
	file_close(&f);
}

static void
do_print(char *arg)
{
	put_text(STDOUT_FILENO, arg);
}

static void
do_println(char *arg)
{
	put_text(STDOUT_FILENO, arg);
	put_text(STDOUT_FILENO, "\n");
}

/* The byte an escape stands for; *s is after its backslash and is moved past it. */
static char
unescape(char **s)
{
	static const char from[] = "nrtae\\", to[] = "\n\r\t\a\033\\";
	const char *hit = **s != '\0' ? strchr(from, **s) : NULL;
	char hex[3] = "";

	if (hit != NULL) {
		(*s)++;
		return to[hit - from];
	}
	if (**s == 'x')
		memcpy(hex, *s + 1, strnlen(*s + 1, 2));
	if (!isxdigit((unsigned char)hex[0]) || !isxdigit((unsigned char)hex[1]))
		broken("not an escape: '\\%s'", *s);
	*s += 3;
	return (char)strtoul(hex, NULL, 16);
}

static void
do_printf(char *arg)
{
	char *out = arg;
	char *in = arg;

	while (*in != '\0') {
		char c = *in++;

		*out++ = c == '\\' ? unescape(&in) : c;
	}
	put(STDOUT_FILENO, arg, (size_t)(out - arg));
}

static void
do_err(char *arg)
{
	put_text(STDERR_FILENO, arg);
	put_text(STDERR_FILENO, "\n");
}

static void
do_colour(char *arg)
{
	put_text(STDOUT_FILENO, "\033[1;32m");
	put_text(STDOUT_FILENO, arg);
	put_text(STDOUT_FILENO, "\033[0m\n");
}

static void
do_paint(char *arg)
{
	int fd = open(arg, O_RDONLY | O_CLOEXEC);
	char chunk[4096];
	ssize_t n;

	if (fd < 0)
		broken("%s: %s", arg, strerror(errno));
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		put(STDOUT_FILENO, chunk, (size_t)n);
	close(fd);
}

static void
do_flood(char *arg)
{
	char block[65536];
	long long left = number(word_take(&arg));
	const char *line = *arg != '\0' ? arg : "the quick brown fox jumps over the lazy dog";
	size_t len = strlen(line);
	size_t fill = 0;

	if (len + 1 > sizeof(block))
		broken("a line of %zu bytes is too long", len);
	while (fill + len + 1 <= sizeof(block)) {
		memcpy(block + fill, line, len);
		block[fill + len] = '\n';
		fill += len + 1;
	}
	while (left > 0) {
		size_t n = left < (long long)fill ? (size_t)left : fill;

		put(STDOUT_FILENO, block, n);
		left -= (long long)n;
	}
}

static void
do_spinner(char *arg)
{
	static const char *const frame[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"};
	int64_t start = now_ns(CLOCK_MONOTONIC);
	int64_t end = start + number(arg) * 1000000;
	size_t i = 0;

	for (int64_t now = start; now < end; now = now_ns(CLOCK_MONOTONIC)) {
		dprintf(STDOUT_FILENO, "\r\033[K%s Working… (%ds)", frame[i++ % 8],
		    (int)((now - start) / 1000000000));
		rest_ms(80);
	}
	put_text(STDOUT_FILENO, "\r\033[K");
}

static void
do_bracketed(char *arg)
{
	put_text(STDOUT_FILENO, strcmp(arg, "off") == 0 ? "\033[?2004l" : "\033[?2004h");
}

static void
do_raw(char *arg)
{
	struct termios tio;

	(void)arg;
	if (tcgetattr(STDIN_FILENO, &tio) < 0)
		broken("stdin is no terminal");
	cfmakeraw(&tio);
	if (tcsetattr(STDIN_FILENO, TCSANOW, &tio) < 0)
		broken("cannot switch to raw mode: %s", strerror(errno));
	raw_mode = true;
}

static void
do_read_stdin_to(char *arg)
{
	struct file f;
	char chunk[4096];
	char *path = word_take(&arg);
	size_t left = *arg != '\0' ? (size_t)number(arg) : SIZE_MAX;

	file_open(&f, path);
	while (left > 0) {
		ssize_t n =
		    read(STDIN_FILENO, chunk, left < sizeof(chunk) ? left : sizeof(chunk));
		char *eot = raw_mode && n > 0 ? memchr(chunk, 4, (size_t)n) : NULL;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		put(f.fd, chunk, eot != NULL ? (size_t)(eot - chunk) : (size_t)n);
		if (eot != NULL)
			break;
		left -= (size_t)n;
	}
	file_close(&f);
}

static void
do_sleep(char *arg)
{
	rest_ms(number(arg));
}

static void
do_burn(char *arg)
{
	int64_t end = now_ns(CLOCK_PROCESS_CPUTIME_ID) + number(arg) * 1000000;

	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

static void
do_hang(char *arg)
{
	(void)arg;
	for (;;)
		pause();
}

/* Something new in the directory: a descriptor that tells of it; -1 where nobody can watch,
 * since other programs of this user (desktops have many) have taken all there are. */
static int
watch_directory(const char *dir)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0 && inotify_add_watch(fd, dir, IN_CREATE | IN_MOVED_TO) < 0)
		broken("cannot watch %s: %s", dir, strerror(errno));
	if (fd < 0 && errno != EMFILE)
		broken("inotify: %s", strerror(errno));
	return fd;
}

/* Watches the directory before looking, so that no moment is missed. */
static void
do_wait_file(char *arg)
{
	int64_t end = now_ns(CLOCK_MONOTONIC) + (int64_t)WAIT_MS * 1000000;
	struct pollfd p = {.events = POLLIN};
	char dir[PATH_MAX], events[4096];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", arg);
	slash = strrchr(dir, '/');
	if (slash == NULL)
		snprintf(dir, sizeof(dir), ".");
	else
		slash[slash == dir ? 1 : 0] = '\0';
	p.fd = watch_directory(dir);
	while (access(arg, F_OK) != 0) {
		int64_t left = (end - now_ns(CLOCK_MONOTONIC)) / 1000000;

		if (left <= 0)
			broken("%s did not appear", arg);
		if (p.fd < 0)
			rest_ms(20);
		else if (poll(&p, 1, (int)left) > 0 && read(p.fd, events, sizeof(events)) < 0)
			broken("inotify: %s", strerror(errno));
	}
	if (p.fd >= 0)
		close(p.fd);
}

static void
do_touch(char *arg)
{
	int fd = open(arg, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		broken("%s: %s", arg, strerror(errno));
	close(fd);
}

static void
do_count(char *arg)
{
	const char *iteration = getenv("RALPH_ITERATION");
	int fd = open(arg, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	char line[128];
	int len;

	if (fd < 0)
		broken("%s: %s", arg, strerror(errno));
	len = snprintf(line, sizeof(line), "%.20s %ld %lld\n",
	    iteration != NULL ? iteration : "-", (long)getpid(),
	    (long long)now_ns(CLOCK_REALTIME));
	put(fd, line, (size_t)len);
	close(fd);
}

static void
do_env(char *arg)
{
	const char *value = getenv(word_take(&arg));
	struct file f;

	if (value == NULL)
		return;
	file_open(&f, arg);
	put_text(f.fd, value);
	put_text(f.fd, "\n");
	file_close(&f);
}

static void
do_args(char *arg)
{
	struct file f;

	file_open(&f, arg);
	for (size_t i = 0; deeds_args[i] != NULL; i++)
		dprintf(f.fd, "%s\n", deeds_args[i]);
	file_close(&f);
}

static void
do_fds(char *arg)
{
	DIR *d = opendir("/proc/self/fd");
	struct file f;
	struct dirent *e;

	if (d == NULL)
		broken("/proc/self/fd: %s", strerror(errno));
	file_open(&f, arg);
	while ((e = readdir(d)) != NULL) {
		char target[PATH_MAX];
		ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof(target));
		int fd = n > 0 ? (int)number(e->d_name) : -1;

		if (n > 0 && fd != dirfd(d) && fd != f.fd)
			dprintf(f.fd, "%d %.*s\n", fd, (int)n, target);
	}
	closedir(d);
	file_close(&f);
}

static void
do_size(char *arg)
{
	struct winsize size;
	struct file f;

	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) < 0)
		broken("stdin is no terminal");
	file_open(&f, arg);
	dprintf(f.fd, "%d %d\n", size.ws_row, size.ws_col);
	file_close(&f);
}

static pid_t
fork_or_break(void)
{
	pid_t pid = fork();

	if (pid < 0)
		broken("fork: %s", strerror(errno));
	return pid;
}

static void
do_sh(char *arg)
{
	pid_t pid = fork_or_break();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", arg, (char *)NULL);
		broken("/bin/sh: %s", strerror(errno));
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Alarms are not inherited by a fork. */
static void
linger(const char *pid_file)
{
	alarm(LIFE_SECONDS);
	if (*pid_file != '\0')
		file_number(pid_file, (long)getpid());
	do_hang(NULL);
}

static void
do_fork_child(char *arg)
{
	if (fork_or_break() == 0)
		linger(arg);
}

static void
do_fork_daemon(char *arg)
{
	pid_t pid = fork_or_break();

	if (pid == 0) {
		setsid();
		if (fork_or_break() == 0)
			linger(arg);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* As a debugger does it. */
static void
do_freeze_parent(char *arg)
{
	(void)arg;
	if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, getppid(), NULL, NULL) < 0)
		broken("cannot freeze the parent: %s", strerror(errno));
}

static int
signal_number(const char *name)
{
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (int sig = 1; sig < NSIG; sig++) {
		const char *abbrev = sigabbrev_np(sig);

		if (abbrev != NULL && strcmp(abbrev, name) == 0)
			return sig;
	}
	return (int)number(name);
}

static void
do_ignore(char *arg)
{
	if (signal(signal_number(arg), SIG_IGN) == SIG_ERR)
		broken("cannot ignore %s: %s", arg, strerror(errno));
}

static void
do_die(char *arg)
{
	int sig = signal_number(arg);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (sig != SIGKILL)
		signal(sig, SIG_DFL);
	raise(sig);
	broken("survived %s", arg);
}

static void
do_exit(char *arg)
{
	_exit((int)number(arg));
}

const struct deed deeds[] = {
    {"print", do_print},
    {"half", do_print},
    {"println", do_println},
    {"printf", do_printf},
    {"err", do_err},
    {"colour", do_colour},
    {"paint", do_paint},
    {"flood", do_flood},
    {"spinner", do_spinner},
    {"bracketed", do_bracketed},
    {"raw", do_raw},
    {"read-stdin-to", do_read_stdin_to},
    {"sleep", do_sleep},
    {"burn", do_burn},
    {"hang", do_hang},
    {"wait-file", do_wait_file},
    {"touch", do_touch},
    {"count", do_count},
    {"env", do_env},
    {"args", do_args},
    {"fds", do_fds},
    {"size", do_size},
    {"sh", do_sh},
    {"fork-child", do_fork_child},
    {"fork-daemon", do_fork_daemon},
    {"freeze-parent", do_freeze_parent},
    {"ignore", do_ignore},
    {"die", do_die},
    {"exit", do_exit},
    {"led", do_led},
    {NULL, NULL},
};
