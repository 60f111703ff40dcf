#include "agent.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define WORK_MS 10
#define LIFE_SECONDS 60

static int iteration;

static void
rest_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* One write: lines of several agents never mix. */
static void
tell(const char *dir, const char *what)
{
	char path[PATH_MAX], line[64];
	int fd, len;

	snprintf(path, sizeof(path), "%s/agents", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	len = snprintf(line, sizeof(line), "%s %d %d\n", what, iteration, (int)getpid());
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		_exit(99);
	close(fd);
}

/* Held until we die, however that happens. */
static void
be_alone(const char *dir)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/alone", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		tell(dir, "overlap");
}

static void
read_prompt(const char *dir)
{
	char text[16];
	size_t len = 0;
	ssize_t n;

	while (
	    len < sizeof(text) && (n = read(STDIN_FILENO, text + len, sizeof(text) - len)) > 0)
		len += (size_t)n;
	if (len != 5 || memcmp(text, "work\n", 5) != 0)
		tell(dir, "prompt");
}

static void
leave_daemon(void)
{
	if (fork() != 0)
		return;
	setsid();
	if (fork() == 0) {
		alarm(LIFE_SECONDS);
		for (;;)
			pause();
	}
	_exit(0);
}

static void
wait_for_go(const char *dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/go%d", dir, iteration);
	while (access(path, F_OK) != 0)
		rest_ms(2);
}

int
agent_main(const char *dir, const char *kind)
{
	const char *env = getenv("RALPH_ITERATION");
	int code = 0;

	alarm(LIFE_SECONDS);
	iteration = env != NULL ? (int)strtol(env, NULL, 10) : 0;
	be_alone(dir);
	tell(dir, "start");
	read_prompt(dir);
	if (strcmp(kind, "daemon") == 0)
		leave_daemon();
	if (strcmp(kind, "wait") == 0)
		wait_for_go(dir);
	else
		rest_ms(WORK_MS);
	if (strcmp(kind, "work") == 0 && iteration == 2)
		code = 1;
	if (iteration >= (strcmp(kind, "work") == 0 ? 3 : 2))
		puts("FINISHED");
	fflush(stdout);
	tell(dir, "end");
	return code;
}
