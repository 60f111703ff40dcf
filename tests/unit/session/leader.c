/*
 * leader.c - leads an agent through tasks by hand, for tests with real agents.
 *
 *   leader DIR TASK FILE COMMAND...
 *
 * Starts the command in a session below DIR, in a terminal, with the prompt in FILE for its
 * first task, turn 1.  Lines of its standard input:
 *
 *   assign TURN TASK FILE
 *   tell TURN NUMBER WORDS
 *   end
 *
 * Prints "TURN:signal=text" for each signal, and "ended" at the end.
 */
#include "base/alloc.h"
#include "base/fs.h"
#include "session/session.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#define PROMPT_MAX ((size_t)16 << 20)
#define ROOM 4096

struct leader {
	struct ev *ev;
	struct session *s;
	struct ev_io input;
	struct buf line;
};

static void
on_signal(void *ctx UNUSED, struct session *s UNUSED, const struct session_signal *sig)
{
	printf("%d:%s=%s\n", (int)sig->turn, signal_name(sig->kind), sig->text);
	fflush(stdout);
}

static void
on_ended(void *ctx, struct session *s UNUSED, struct exit_status status UNUSED,
    const char *text UNUSED)
{
	struct leader *l = ctx;

	puts("ended");
	ev_stop(l->ev);
}

static void
order(struct leader *l, char *line)
{
	const char *what = strsep(&line, " "), *turn = strsep(&line, " ");
	const char *which = strsep(&line, " ");
	AUTO_BUF prompt = BUF_INIT;
	struct err err = ERR_INIT;
	int rc = 0;

	if (strcmp(what, "assign") == 0 && line != NULL)
		rc = fs_read(AT_FDCWD, line, PROMPT_MAX, &prompt, &err) < 0
			 ? -1
			 : session_assign(
			       l->s, strtol(turn, NULL, 10), which, NULL, NULL, &prompt, &err);
	else if (strcmp(what, "tell") == 0 && line != NULL)
		rc = session_tell(l->s, strtol(turn, NULL, 10), strtol(which, NULL, 10), line,
		    strlen(line), &err);
	else
		session_end(l->s, true);
	if (rc < 0)
		printf("error: %s\n", err.text);
}

static void
on_input(struct ev_io *io, uint32_t events UNUSED)
{
	struct leader *l = io->ctx;
	char *end;
	ssize_t n;

	buf_reserve(&l->line, ROOM);
	n = read(0, l->line.data + l->line.len, ROOM);
	if (n <= 0) {
		ev_io_stop(io);
		session_end(l->s, false);
		return;
	}
	l->line.len += (size_t)n;
	l->line.data[l->line.len] = '\0';
	while ((end = strchr(l->line.data, '\n')) != NULL) {
		*end = '\0';
		order(l, l->line.data);
		buf_drop(&l->line, (size_t)(end + 1 - l->line.data));
	}
}

int
main(int argc, char **argv)
{
	struct leader l = {.line = BUF_INIT};
	char paste[] = "paste";
	struct settings set = {
	    .mode = MODE_PTY, .prompt_via = paste, .grace = INT64_C(5000000000)};
	struct session_callbacks cb = {.signal = on_signal, .ended = on_ended, .ctx = &l};
	struct session_spec spec = {.id = "s1", .iteration = 1, .settings = &set};
	AUTO_BUF prompt = BUF_INIT;
	AUTO_CLOSE int dir = -1;
	struct err err = ERR_INIT;

	if (argc > 1 && strcmp(argv[1], KEEPER_ARG) == 0)
		return keeper_main(argc, argv);
	if (argc < 5)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	l.ev = ev_new();
	dir = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	spec.task = argv[2];
	spec.prompt = &prompt;
	set.command = argv + 4;
	if (dir < 0 || fs_read(AT_FDCWD, argv[3], PROMPT_MAX, &prompt, &err) < 0 ||
	    (l.s = session_start(l.ev, dir, &spec, &cb, &err)) == NULL) {
		printf("error: %s\n", err.text);
		return 1;
	}
	ev_io_start(l.ev, &l.input, 0, EPOLLIN, on_input, &l);
	ev_run(l.ev);
	session_free(l.s);
	buf_release(&l.line);
	ev_io_stop(&l.input);
	ev_free(l.ev);
	return 0;
}
