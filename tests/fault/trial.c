#include "trial.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEP_MS 2
#define STOPPED_MS 200 /* so long a process stays that stopped itself */
#define ARGS_MAX 32

struct saying {
	const char *out, *text;
};

void
complain(struct trial *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("%s@%u%s %s: ", t->kind, t->point, t->onward ? "+" : "", t->role);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	t->failed = true;
}

static long long
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (long long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000}, NULL);
}

/* ---- files --------------------------------------------------------------------------- */

char *
trial_path(const struct trial *t, const char *fmt, ...)
{
	char *name = NULL, *path = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&name, fmt, ap) < 0 || asprintf(&path, "%s/%s", t->dir, name) < 0)
		abort();
	va_end(ap);
	free(name);
	return path;
}

char *
trial_read(const struct trial *t, const char *name)
{
	char *path = trial_path(t, "%s", name), *text = NULL;
	FILE *f = fopen(path, "re");
	size_t size = 0;

	free(path);
	if (f == NULL || getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = strdup("");
	}
	if (f != NULL)
		fclose(f);
	return text;
}

bool
trial_has(const struct trial *t, const char *name)
{
	char *path = trial_path(t, "%s", name);
	bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

void
trial_touch(const struct trial *t, const char *name)
{
	char *path = trial_path(t, "%s", name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		abort();
	close(fd);
	free(path);
}

void
trial_remove(const struct trial *t, const char *name)
{
	char *path = trial_path(t, "%s", name);

	(void)unlink(path);
	free(path);
}

void
trial_note(const struct trial *t, unsigned point, const char *what)
{
	char *path = trial_path(t, "points");
	FILE *f = fopen(path, "ae");

	if (f == NULL || fprintf(f, "%u %s\n", point, what) < 0 || fclose(f) != 0)
		abort();
	free(path);
}

bool
trial_was_hit(const struct trial *t)
{
	char *points = trial_read(t, "points");
	char line[32];
	bool hit;

	snprintf(line, sizeof(line), "%u ", t->point);
	hit = strncmp(points, line, strlen(line)) == 0;
	snprintf(line, sizeof(line), "\n%u ", t->point);
	hit = hit || strstr(points, line) != NULL;
	free(points);
	return hit;
}

/* ---- processes ----------------------------------------------------------------------- */

/* Lets those go on that have stopped, of the trees below us. */
static void
continue_below(const char *children)
{
	char list[4096] = "", path[64], state = ' ', *rest_of = list;
	FILE *f = fopen(children, "re");

	if (f != NULL && fgets(list, sizeof(list), f) == NULL)
		list[0] = '\0';
	if (f != NULL)
		fclose(f);
	for (int pid; (pid = (int)strtol(rest_of, &rest_of, 10)) > 0;) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		f = fopen(path, "re");
		if (f != NULL && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && state == 'T')
			kill(pid, SIGCONT);
		if (f != NULL)
			fclose(f);
		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
		continue_below(path);
	}
}

/* Waits a moment.  With the fault STOP somebody may have been stopped: not for ever. */
static void
pass_time(const struct trial *t)
{
	static long long looked;

	rest();
	if (strcmp(t->kind, "STOP") != 0 || now_ms() - looked < STOPPED_MS)
		return;
	looked = now_ms();
	continue_below("/proc/thread-self/children");
}

static void
setenv_path(const struct trial *t, const char *var, const char *name)
{
	char *path = trial_path(t, "%s", name);

	setenv(var, path, 1);
	free(path);
}

static void
redirect(const struct trial *t, const char *out, const char *ending, int fd)
{
	char *path = trial_path(t, "%s.%s", out, ending);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		_exit(127);
	free(path);
}

static void
become_ralph(struct trial *t, enum fault fault, const char *out, const char *const *args)
{
	char *argv[ARGS_MAX] = {getenv("RALPH")};
	char plan[64];
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (int i = 0; args[i] != NULL && i + 2 < ARGS_MAX; i++)
		argv[i + 1] = strdup(args[i]);
	setenv_path(t, "RALPH_HOME", "home");
	if (fault == FAULTY) {
		snprintf(
		    plan, sizeof(plan), "%s@%u%s", t->kind, t->point, t->onward ? "+" : "");
		setenv("RALPH_FAULT", plan, 1);
		setenv("RALPH_FAULT_ROLE", t->role, 1);
		setenv_path(t, "RALPH_FAULT_LOG", "points");
	}
	dup2(null, STDIN_FILENO);
	redirect(t, out, "out", STDOUT_FILENO);
	redirect(t, out, "err", STDERR_FILENO);
	if (t->project && chdir(trial_path(t, "project")) < 0)
		_exit(127);
	execv(argv[0], argv);
	_exit(127);
}

pid_t
trial_start(struct trial *t, enum fault fault, const char *out, const char *const *args)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0)
		become_ralph(t, fault, out, args);
	return pid;
}

pid_t
trial_start_loop(struct trial *t, enum fault fault, const char *out, const char *agent)
{
	char *prompt = trial_path(t, "prompt");
	const char *max = strcmp(agent, "daemon") == 0 ? "2" : "5";
	char self[PATH_MAX] = "";
	const char *args[] = {"run", "--name", LOOP, "--json",
	    t->command ? "--prompt-command" : "--prompt-file",
	    t->command ? "echo work" : prompt, "--max-iterations", max, "--done-pattern",
	    "^FINISHED$", "--", self, "--agent", t->dir, agent, NULL};
	pid_t pid;
	int fd = open(prompt, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    write(fd, "work\n", 5) != 5)
		abort();
	close(fd);
	pid = trial_start(t, fault, out, args);
	free(prompt);
	return pid;
}

/* As `patience` of tests/cli/lib.sh has it: more than four processes a processor take longer.
 */
static int
stretched(int ms)
{
	double load = 0;
	int times;

	if (getloadavg(&load, 1) != 1)
		load = 0;
	times = 1 + (int)(load / (double)sysconf(_SC_NPROCESSORS_ONLN) / 4);
	return ms * (times < 6 ? times : 6);
}

static bool
is_late(long long begin, int ms)
{
	long long took = now_ms() - begin;

	return took > ms && took > stretched(ms);
}

int
trial_wait(struct trial *t, pid_t pid)
{
	long long begin = now_ms();
	int status = -1;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (is_late(begin, PATIENCE_MS)) {
			complain(t, "a command takes longer than %d ms", PATIENCE_MS);
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			break;
		}
		pass_time(t);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int
trial_do(struct trial *t, enum fault fault, const char *out, const char *command)
{
	char *words = strdup(command), *rest_of = words, *word;
	const char *args[ARGS_MAX];
	int n = 0, rc;

	while (n + 2 < ARGS_MAX && (word = strsep(&rest_of, " ")) != NULL)
		args[n++] = word;
	args[n] = NULL;
	rc = trial_wait(t, trial_start(t, fault, out, args));
	free(words);
	return rc;
}

/* Until one of the files says one of the texts that belong to it, or the process ended. */
static bool
expect_any(struct trial *t, pid_t pid, const struct saying *any, int *status)
{
	long long begin = now_ms();
	int raw;

	*status = -1;
	for (;;) {
		/* Ended first, read then: what it said last must not be missed. */
		bool ended = waitpid(pid, &raw, WNOHANG) == pid;
		bool found = false;

		for (const struct saying *s = any; s->out != NULL; s++) {
			char *said = trial_read(t, s->out);

			found = found || strstr(said, s->text) != NULL;
			free(said);
		}
		if (ended)
			*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -WTERMSIG(raw);
		if (found || ended)
			return found;
		if (is_late(begin, PATIENCE_MS)) {
			complain(t, "nobody says '%s' within %d ms", any->text, PATIENCE_MS);
			kill(pid, SIGKILL);
			begin = now_ms();
		}
		pass_time(t);
	}
}

bool
trial_expect(struct trial *t, pid_t pid, const char *out, const char *text, int *status)
{
	return expect_any(t, pid, (const struct saying[]){{out, text}, {NULL, NULL}}, status);
}

bool
trial_expect_held(struct trial *t, pid_t pid, int *status)
{
	static const struct saying held[] = {{"run.err", "is started until"},
	    {"run.err", "waiting for "}, {"run.out", "waiting for "},
	    {"run.err", "until that works"}, {"run.out", "\"unanswered\""}, {NULL, NULL}};

	return expect_any(t, pid, held, status);
}

static int
lines_with(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

void
trial_expect_quiet(struct trial *t)
{
	long long begin = now_ms();

	for (;;) {
		char *agents = trial_read(t, "agents");
		int working = lines_with(agents, "start ") - lines_with(agents, "end ");

		free(agents);
		if (working == 0)
			return;
		if (is_late(begin, PATIENCE_MS)) {
			complain(t, "an agent does not end");
			return;
		}
		pass_time(t);
	}
}

/* Ends what should not be there, and says what it was. */
static void
end_children(struct trial *t)
{
	FILE *f = fopen("/proc/thread-self/children", "re");
	char list[4096] = "", *rest = list;

	if (f != NULL && fgets(list, sizeof(list), f) == NULL)
		list[0] = '\0';
	for (int pid; (pid = (int)strtol(rest, &rest, 10)) > 0;) {
		char path[64], name[64] = "";
		FILE *comm;

		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		comm = fopen(path, "re");
		if (comm != NULL && fgets(name, sizeof(name), comm) != NULL)
			name[strcspn(name, "\n")] = '\0';
		if (comm != NULL)
			fclose(comm);
		complain(t, "process %d (%s) is left behind", pid, name);
		kill(pid, SIGKILL);
	}
	if (f != NULL)
		fclose(f);
}

void
trial_all_gone(struct trial *t)
{
	long long begin = now_ms();

	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0 && errno == ECHILD)
			return;
		if (pid == 0 && is_late(begin, PATIENCE_MS / 3))
			end_children(t);
		if (pid == 0)
			pass_time(t);
	}
}
