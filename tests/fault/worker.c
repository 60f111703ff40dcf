#include "worker.h"
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORK_MS 10
#define LIFE_SECONDS 60
#define TEXT_SIZE 4096

/* One write: lines of several processes never mix. */
static void
add_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		_exit(99);
	close(fd);
}

static void
tell(const char *dir, const char *what, const char *ticket)
{
	char path[PATH_MAX], line[64];

	snprintf(path, sizeof(path), "%s/agents", dir);
	snprintf(line, sizeof(line), "%s %s %d\n", what, ticket, (int)getpid());
	add_line(path, line);
}

/* Held until we die, however that happens. */
static void
be_alone_on(const char *dir, const char *ticket, int len)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/alone-%.*s", dir, len, ticket);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		tell(dir, "overlap", ticket);
}

static void
read_text(const char *path, char text[TEXT_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, TEXT_SIZE - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

static void
work_on(const char *ticket)
{
	char path[PATH_MAX], line[64];

	snprintf(line, sizeof(line), "%s\n", ticket);
	snprintf(path, sizeof(path), "%s.txt", ticket);
	(void)unlink(path); /* an earlier attempt came this far */
	add_line(path, line);
}

/* As tk does, on one line of the head. */
static void
close_ticket(const char *ticket)
{
	static const char open_status[] = "\nstatus: open\n";
	char path[PATH_MAX], text[TEXT_SIZE], *at;

	snprintf(path, sizeof(path), ".tickets/%s.md", ticket);
	read_text(path, text);
	at = strstr(text, open_status);
	if (at == NULL)
		return;
	(void)unlink(path);
	at[1] = '\0';
	at += sizeof(open_status) - 1;
	add_line(path, text);
	add_line(path, "status: closed\n");
	add_line(path, at);
}

int
worker_main(const char *dir, const char *ticket)
{
	alarm(LIFE_SECONDS);
	be_alone_on(dir, ticket, (int)strlen(ticket));
	be_alone_on(dir, ticket, (int)strcspn(ticket, "-"));
	tell(dir, "start", ticket);
	work_on(ticket);
	nanosleep(&(struct timespec){.tv_nsec = WORK_MS * 1000000}, NULL);
	if (strcmp(ticket, FAILING) != 0)
		close_ticket(ticket);
	tell(dir, "end", ticket);
	return strcmp(ticket, FAILING) == 0 ? 1 : 0;
}

/* ---- tasks of a graph --------------------------------------------------------------- */

int
grapher_main(const char *dir, const char *ralph)
{
	const char *task = getenv("RALPH_TASK");
	int status = 0;
	pid_t pid;

	alarm(LIFE_SECONDS);
	if (task == NULL)
		task = "none";
	be_alone_on(dir, task, (int)strlen(task));
	be_alone_on(dir, "graph", 5);
	tell(dir, "start", task);
	nanosleep(&(struct timespec){.tv_nsec = WORK_MS * 1000000}, NULL);
	pid = fork();
	if (pid == 0) {
		execl(ralph, "ralph", "graph", "complete", task, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		tell(dir, "incomplete", task);
	tell(dir, "end", task);
	return status == 0 ? 0 : 1;
}

/* ---- shots ------------------------------------------------------------------------ */

/* "PID (NAME) STATE PPID ..." */
static pid_t
parent_of(pid_t pid, bool *is_ralph)
{
	char path[64], text[TEXT_SIZE], *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	read_text(path, text);
	*is_ralph = strstr(text, "(ralph)") != NULL;
	end = strrchr(text, ')');
	return end == NULL || strlen(end) < 4 ? 0 : (pid_t)strtol(end + 4, NULL, 10);
}

int
shoot_main(const char *dir, const char *point)
{
	unsigned long whom = strtoul(point, NULL, 10);
	pid_t found[3] = {0};
	char path[PATH_MAX], line[64];
	int n = 0;

	snprintf(path, sizeof(path), "%s/points", dir);
	if (whom >= SHOTS || access(path, F_OK) == 0)
		return 0;
	snprintf(line, sizeof(line), "%lu shot\n", whom);
	add_line(path, line);
	for (pid_t pid = getppid(); pid > 1 && n < 3;) {
		bool is_ralph;
		pid_t parent = parent_of(pid, &is_ralph);

		if (is_ralph)
			found[n++] = pid;
		pid = parent;
	}
	/* The highest first: nobody can do anything about it. */
	for (int i = 2; i >= 0; i--)
		if (found[i] > 0 && (whom & (1UL << i)) != 0)
			kill(found[i], SIGKILL);
	return n == 3 ? 0 : 1;
}
