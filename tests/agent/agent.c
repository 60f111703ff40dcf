/*
 * agent.c - a coding agent that does what a script says, for tests.
 *
 *      agent SCRIPT [ARG...]
 *      agent -e 'COMMAND; COMMAND...' [ARG...]
 *
 * One command a line; with -e also a ";" before a blank or the end separates.  Empty
 * lines and lines that begin with "#" are skipped.  It exits with 0 after the last one.
 *
 *   print TEXT, half TEXT   TEXT without a newline
 *   println TEXT            TEXT and a newline
 *   printf TEXT             TEXT with \n \r \t \a \e \\ \xHH understood
 *   err TEXT                TEXT and a newline, to stderr
 *   colour TEXT             TEXT in bold green, and a newline
 *   paint FILE              the bytes of FILE
 *   flood BYTES [TEXT]      lines of TEXT until so many bytes are written
 *   spinner MS              redraws a spinner in place for so long
 *   bracketed on|off        switches bracketed paste
 *   raw                     switches the terminal to raw mode
 *   read-stdin-to FILE [N]  copies stdin to FILE: to its end, to a ^D in raw mode, or N bytes
 *   sleep MS                does nothing
 *   burn MS                 uses the CPU
 *   hang                    does nothing, for ever
 *   wait-file FILE          waits until FILE exists
 *   touch FILE              makes FILE
 *   count FILE              appends "ITERATION PID NANOSECONDS"
 *   env VAR FILE            writes the value of VAR; an unset one makes no FILE
 *   args FILE               writes ARG..., one a line
 *   fds FILE                writes "FD TARGET" for every open descriptor
 *   size FILE               writes "ROWS COLUMNS" of the terminal on stdin
 *   sh COMMAND              runs a shell command; its failure is not ours
 *   ignore SIGNAL           ignores it, and so will what is started later
 *   fork-child [FILE]       starts a child that hangs; its pid goes to FILE
 *   fork-daemon [FILE]      the same in a session of its own, without a parent
 *   freeze-parent           its parent stands still, and no signal but KILL reaches it
 *   die SIGNAL              dies by it
 *   exit N                  exits
 *   led DIR                 is led through tasks (led.c)
 *   when-iteration N CMD    does CMD when RALPH_ITERATION is N; "N+": N or more
 *
 * Files appear whole: they are written under another name first.  "For ever" ends after ten
 * minutes.
 */
#include "deeds.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIFE_SECONDS = 600, SCRIPT_MAX = 1 << 20 };

void
broken(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("agent: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	_exit(AGENT_BROKEN);
}

long long
number(const char *text)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || n < 0)
		broken("not a number: '%s'", text);
	return n;
}

char *
word_take(char **rest)
{
	char *word = *rest;
	size_t len = strcspn(word, " \t");

	*rest = word + len;
	if (**rest != '\0') {
		*(*rest)++ = '\0';
		*rest += strspn(*rest, " \t");
	}
	return word;
}

static void run_command(char *line);

static void
when_iteration(char *arg)
{
	char *wanted = word_take(&arg);
	size_t len = strlen(wanted);
	bool or_more = len > 0 && wanted[len - 1] == '+';
	const char *env = getenv("RALPH_ITERATION");
	long long now = number(env != NULL ? env : "1");
	long long n;

	if (or_more)
		wanted[len - 1] = '\0';
	n = number(wanted);
	if (now == n || (or_more && now > n))
		run_command(arg);
}

static void
run_command(char *line)
{
	char *arg = line + strspn(line, " \t");
	char *name = word_take(&arg);
	const struct deed *d;

	if (*name == '\0' || *name == '#')
		return;
	if (strcmp(name, "when-iteration") == 0) {
		when_iteration(arg);
		return;
	}
	for (d = deeds; d->name != NULL; d++) {
		if (strcmp(d->name, name) == 0) {
			d->fn(arg);
			return;
		}
	}
	broken("no such command: '%s'", name);
}

/* The end of the command that starts at s: a newline, or ";" where that separates. */
static char *
command_end(char *s, bool semicolons)
{
	for (; *s != '\0' && *s != '\n'; s++) {
		if (semicolons && *s == ';' && (s[1] == '\0' || isspace((unsigned char)s[1])))
			break;
	}
	return s;
}

static void
run_script(char *script, bool semicolons)
{
	while (*script != '\0') {
		char *end = command_end(script, semicolons);
		bool last = *end == '\0';

		*end = '\0';
		run_command(script);
		if (last)
			return;
		script = end + 1;
	}
}

static char *
script_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = calloc(1, SCRIPT_MAX);

	if (f == NULL || text == NULL)
		broken("cannot read %s: %s", path, strerror(errno));
	if (fread(text, 1, SCRIPT_MAX - 1, f) == SCRIPT_MAX - 1)
		broken("%s is too long", path);
	fclose(f);
	return text;
}

int
main(int argc, char **argv)
{
	bool inlined = argc > 2 && strcmp(argv[1], "-e") == 0;
	char *script;

	if (argc < 2)
		broken("usage: agent SCRIPT [ARG...], or agent -e COMMANDS [ARG...]");
	alarm(LIFE_SECONDS);
	deeds_args = argv + (inlined ? 3 : 2);
	script = inlined ? strdup(argv[2]) : script_read(argv[1]);
	if (script == NULL)
		broken("out of memory");
	run_script(script, inlined);
	free(script);
	return 0;
}
