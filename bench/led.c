/*
 * led - a worker for `ralph todo` that costs next to nothing itself.
 *
 *   led TAGS TURNS N RALPH
 *
 * Prints N tags of progress for its first task, noting in TAGS when; says of the first and
 * every second task after it by RALPH done that it is done, of the others by a tag, noting in
 * TURNS when the prompt came and when that was.  A note is an int64_t, ns of boot time;
 * bench_react reads them.  The tasks are T001, T002 and so on.
 */
#include "notes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { TOKEN_SIZE = 64 };

static void
rest_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Each on a screen at rest, as a worker does that thinks in between. */
static int
say_tags(const char *path, int n)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	for (int i = 0; i < n; i++) {
		int64_t at = note_now();

		if (dprintf(STDOUT_FILENO, "\r\n<promise>PROGRESS:%d</promise>\r\n", i % 101) <
			0 ||
		    write(fd, &at, sizeof(at)) != sizeof(at))
			return 1;
		rest_ms(60);
	}
	close(fd);
	return 0;
}

/* As an agent does that has no command: its own done file, then the tag. */
static int
tag_done(const char *turns, int task, int64_t came)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "ai/ralph/results/T%03d.done.json", task);
	f = fopen(path, "we");
	if (f == NULL)
		return 1;
	fprintf(f, "{\"task_id\":\"T%03d\",\"status\":\"done\",\"summary\":\"did it\"", task);
	fprintf(f, ",\"files_modified\":[]}\n");
	if (fclose(f) != 0)
		return 1;
	rest_ms(60);
	if (note_span(turns, came) != 0)
		return 1;
	return dprintf(STDOUT_FILENO, "\r\n<promise>DONE</promise>\r\n") < 0;
}

static int
say_done(const char *turns, const char *ralph, const char *token, int64_t came)
{
	static int task;
	int status = 0;
	pid_t pid;

	if (++task % 2 == 0)
		return tag_done(turns, task, came);
	if (note_span(turns, came) != 0)
		return 1;
	pid = fork();
	if (pid == 0) {
		execl(ralph, "ralph", "done", "--turn", token, (char *)NULL);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0;
}

static void
show(const char *text)
{
	(void)!write(STDOUT_FILENO, text, strlen(text));
}

/* The token that stands in the prompt's commands, which fits one read. */
static void
find_token(const char *text, char token[TOKEN_SIZE])
{
	static const char before[] = "`ralph done --turn ";
	const char *at = strstr(text, before);

	if (at != NULL)
		snprintf(token, TOKEN_SIZE, "%.*s", (int)strcspn(at + strlen(before), "`"),
		    at + strlen(before));
}

/* Pastes are in brackets, so that a lone return is Enter. */
static int
led(const char *tags, const char *turns, int n, const char *ralph)
{
	struct termios tio;
	bool pasting = false, task = false;
	char c[65537], token[TOKEN_SIZE] = "";
	ssize_t len;

	if (tcgetattr(STDIN_FILENO, &tio) < 0)
		return 1;
	cfmakeraw(&tio);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &tio);
	show("\033[?2004h> ");
	while ((len = read(STDIN_FILENO, c, sizeof(c) - 1)) > 0) {
		c[len] = '\0';
		task = task || strstr(c, "Task Assignment") != NULL;
		find_token(c, token);
		pasting = strstr(c, "\033[200~") != NULL || pasting;
		if (strstr(c, "\033[201~") != NULL) {
			pasting = false;
			show("text");
		}
		if (pasting || c[len - 1] != '\r')
			continue;
		if (task) {
			int64_t came = note_now();

			if (say_tags(tags, n) != 0 || say_done(turns, ralph, token, came) != 0)
				return 1;
			n = 0;
		}
		task = false;
		show("\r\n> ");
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: led TAGS TURNS N RALPH\n");
		return 2;
	}
	return led(argv[1], argv[2], (int)strtol(argv[3], NULL, 10), argv[4]);
}
