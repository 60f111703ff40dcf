/*
 * led.c - an agent that is led through tasks: it is given a text, does what a script says, and
 * waits for the next.
 *
 *   led DIR
 *
 * In a terminal it is in raw mode and understands bracketed paste; a text ends with Enter.  It
 * shows how long a text is, or, where DIR/echo exists, the text itself, as programs do that
 * show what was pasted.  With a pipe the text is all of stdin, and then it exits.
 *
 * Every text is kept in DIR/TASK.N.KIND, N counted within the task, and told in DIR/log as
 * "KIND TASK PID".  Then /bin/sh runs DIR/script with KIND, TASK, N and the TURN that stands in
 * the commands of its task in its environment, and this terminal for its output.  KIND is one
 * of task, again (the same task once more), clear, reminder, unverified, probe, help, other.
 */
#include "deeds.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { TEXT_MAX_SIZE = 1 << 20, NAME_SIZE = 64 };

static const char paste_begins[] = "\033[200~", paste_ends[] = "\033[201~";

struct led {
	const char *dir;
	char *text; /* since the last Enter */
	size_t len;
	bool pasting, tty;
	char task[NAME_SIZE], turn[NAME_SIZE];
	bool cleared;
	int n;
};

/* One write: lines of several processes never mix. */
static void
led_log(const struct led *l, const char *kind)
{
	char path[PATH_MAX], line[256];
	int len, fd;

	snprintf(path, sizeof(path), "%s/log", l->dir);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	len = snprintf(line, sizeof(line), "%s %s %d\n", kind, l->task, (int)getpid());
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		broken("%s: %s", path, strerror(errno));
	close(fd);
}

/* Whole, as everything that tests wait for. */
static void
led_keep(const struct led *l, const char *kind)
{
	char path[PATH_MAX], hidden[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%.3000s/%s.%d.%s", l->dir, l->task, l->n, kind);
	snprintf(hidden, sizeof(hidden), "%.3000s/kept~", l->dir);
	f = fopen(hidden, "we");
	if (f == NULL || fwrite(l->text, 1, l->len, f) != l->len || fclose(f) != 0 ||
	    rename(hidden, path) < 0)
		broken("%s: %s", path, strerror(errno));
}

/* ---- what it was told ----------------------------------------------------------------- */

static bool
begins(const struct led *l, const char *with)
{
	return strncmp(l->text, with, strlen(with)) == 0;
}

/* What stands behind these words, up to one of the marks; "" when there are none. */
static void
find(const struct led *l, const char *before, const char *marks, char out[NAME_SIZE])
{
	const char *at = strstr(l->text, before);

	at = at == NULL ? "" : at + strlen(before);
	snprintf(out, NAME_SIZE, "%.*s", (int)strcspn(at, marks), at);
}

static const char *
task_kind(struct led *l)
{
	char task[NAME_SIZE];
	bool again;

	find(l, "**Task ID:** ", "\n", task);
	find(l, "`ralph done --turn ", "`", l->turn);
	again = !l->cleared && strcmp(task, l->task) == 0;
	snprintf(l->task, sizeof(l->task), "%s", task);
	l->cleared = false;
	if (!again)
		l->n = 1;
	return again ? "again" : "task";
}

static const char *
kind_of(struct led *l)
{
	l->n++;
	if (begins(l, "# Ralph Task Assignment\n"))
		return task_kind(l);
	l->cleared = strcmp(l->text, "/clear") == 0;
	if (l->cleared)
		return "clear";
	if (begins(l, "[Ralph] You signalled"))
		return "reminder";
	if (begins(l, "[Ralph] ") && strstr(l->text, "the check of this project") != NULL)
		return "unverified";
	if (begins(l, "[Ralph] Nothing has moved"))
		return "probe";
	return strstr(l->text, "Ralph") != NULL ? "help" : "other";
}

/* ---- what it does ---------------------------------------------------------------------- */

static void
led_act(const struct led *l, const char *kind)
{
	char path[PATH_MAX], n[16];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/script", l->dir);
	snprintf(n, sizeof(n), "%d", l->n);
	pid = fork();
	if (pid == 0) {
		if (setenv("KIND", kind, 1) < 0 || setenv("TASK", l->task, 1) < 0 ||
		    setenv("TURN", l->turn, 1) < 0 || setenv("N", n, 1) < 0 ||
		    setenv("LED", l->dir, 1) < 0 || freopen("/dev/null", "r", stdin) == NULL)
			_exit(AGENT_BROKEN);
		execl("/bin/sh", "sh", path, (char *)NULL);
		_exit(AGENT_BROKEN);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			broken("no child: %s", strerror(errno));
}

static void
led_prompt(const struct led *l)
{
	if (l->tty)
		dprintf(STDOUT_FILENO, "\r\n> ");
}

static void
led_take(struct led *l)
{
	const char *kind;

	l->text[l->len] = '\0';
	kind = kind_of(l);
	led_keep(l, kind);
	led_log(l, kind);
	if (l->tty)
		dprintf(
		    STDOUT_FILENO, "%s", strcmp(kind, "clear") == 0 ? "\033[2J\033[H" : "\r\n");
	led_act(l, kind);
	l->len = 0;
	led_prompt(l);
}

/* ---- what is typed --------------------------------------------------------------------- */

static void
led_show(const struct led *l)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/echo", l->dir);
	if (access(path, F_OK) != 0)
		dprintf(STDOUT_FILENO, "[%zu bytes]", l->len);
	else
		dprintf(STDOUT_FILENO, "%.*s", (int)l->len, l->text);
}

/* True when the text now ends with that sequence, which is none of it. */
static bool
strip(struct led *l, const char *sequence)
{
	size_t len = strlen(sequence);

	if (l->len < len || memcmp(l->text + l->len - len, sequence, len) != 0)
		return false;
	l->len -= len;
	return true;
}

static void
led_byte(struct led *l, char c)
{
	if (l->tty && !l->pasting && c == '\r') {
		if (l->len > 0)
			led_take(l);
		return;
	}
	if (l->len + 1 >= TEXT_MAX_SIZE)
		broken("a text is too long");
	l->text[l->len++] = l->tty && c == '\r' ? '\n' : c;
	if (!l->pasting && strip(l, paste_begins)) {
		l->pasting = true;
	} else if (l->pasting && strip(l, paste_ends)) {
		l->pasting = false;
		led_show(l);
	}
}

/* Raw for what comes in; what the script prints has its line ends. */
static void
led_terminal(void)
{
	struct termios tio;

	if (tcgetattr(STDIN_FILENO, &tio) < 0)
		broken("stdin is no terminal");
	cfmakeraw(&tio);
	tio.c_oflag |= OPOST;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &tio) < 0)
		broken("cannot switch to raw mode: %s", strerror(errno));
	dprintf(STDOUT_FILENO, "\033[?2004h");
}

void
do_led(char *arg)
{
	struct led l = {.dir = arg, .text = calloc(1, TEXT_MAX_SIZE), .task = "none"};
	char chunk[4096];
	ssize_t n;

	if (l.text == NULL)
		broken("out of memory");
	l.tty = isatty(STDIN_FILENO);
	if (l.tty)
		led_terminal();
	led_prompt(&l);
	while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++)
			led_byte(&l, chunk[i]);
	if (!l.tty && l.len > 0)
		led_take(&l);
	free(l.text);
}
