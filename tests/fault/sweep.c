/*
 * sweep.c - the same life again and again, with a fault at its first point, at its second ...
 *
 *	sweep DIR SCENARIO [STRIDE [POINT]]
 *
 * It is over when a life went by in which the point did not come any more.  The first line
 * says what was done, the rest what is wrong; the exit status is 0 when nothing is.  With a
 * STRIDE only every so many points are visited, from POINT on; stride 0 visits just that
 * point.  $RALPH is the program.  What the lives left is in DIR.
 */
#include "agent.h"
#include "scenarios.h"
#include "worker.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS 6
#define POINTS_MAX 1000
#define BAD_MAX 8 /* more of the same teach nothing */

enum outcome { HIT, BAD, MISSED };

struct sweep {
	const struct scenario *scenario;
	char dir[PATH_MAX];
	int running;
	bool over;	  /* a life went by without the fault */
	unsigned visited; /* points that came */
	unsigned bad;
};

/* ------------------------------------------------------ in the trial */

static void
show_log(const struct trial *t, const char *name)
{
	char *text = trial_read(t, name);

	if (*text != '\0')
		printf("  %s:\n%s", name, text);
	free(text);
}

static void
show_point(const struct trial *t)
{
	char *points = trial_read(t, "points"), *end, *from;
	char line[32];

	snprintf(line, sizeof(line), "\n%u ", t->point);
	from = strstr(points, line);
	if (from != NULL) {
		end = strchrnul(from + 1, '\n');
		printf("  the point: %.*s\n", (int)(end - from - 1), from + 1);
	}
	free(points);
}

static enum outcome
trial_main(struct sweep *s, unsigned point)
{
	const struct scenario *sc = s->scenario;
	struct trial t = {
	    .kind = sc->kind, .role = sc->role, .onward = sc->onward, .point = point};
	bool hit;

	snprintf(t.dir, sizeof(t.dir), "%.3000s/%s.%u", s->dir, sc->name, point);
	if (mkdir(t.dir, 0700) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		abort();
	sc->run(&t);
	trial_all_gone(&t);
	hit = trial_was_hit(&t);
	if (t.failed) {
		show_point(&t);
		show_log(&t, "run.out");
		show_log(&t, "run.err");
		show_log(&t, "again.err");
		show_log(&t, "agents");
	}
	fflush(stdout);
	return t.failed ? BAD : hit ? HIT : MISSED;
}

/* ------------------------------------------------------ in the sweep */

static void
launch(struct sweep *s, unsigned point)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0) {
		char path[PATH_MAX];
		int fd;

		snprintf(path, sizeof(path), "%.3000s/%s.%u.report", s->dir, s->scenario->name,
		    point);
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
			abort();
		setvbuf(stdout, NULL, _IOFBF, 1 << 20);
		exit((int)trial_main(s, point));
	}
	s->running++;
}

static void
collect(struct sweep *s)
{
	int status;

	if (wait(&status) < 0)
		abort();
	s->running--;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == BAD)
		s->bad++;
	else if (WEXITSTATUS(status) == MISSED)
		s->over = true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == HIT)
		s->visited++;
}

static void
show_report(const struct sweep *s, unsigned point)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%.3000s/%s.%u.report", s->dir, s->scenario->name, point);
	f = fopen(path, "re");
	while (f != NULL && getline(&line, &size, f) > 0)
		fputs(line, stdout);
	free(line);
	if (f != NULL)
		fclose(f);
}

static bool
sweep_run(struct sweep *s, unsigned first, unsigned stride)
{
	unsigned last = stride == 0 ? first : POINTS_MAX;

	for (unsigned point = first; point <= last && !s->over && s->bad < BAD_MAX;
	     point += stride + !stride) {
		launch(s, point);
		while (s->running >= JOBS)
			collect(s);
	}
	while (s->running > 0)
		collect(s);
	printf("%s (%u points)\n", s->scenario->what, s->visited);
	for (unsigned point = first; point <= last && s->bad > 0; point++)
		show_report(s, point);
	return s->bad == 0 && s->visited > 0;
}

int
main(int argc, char **argv)
{
	struct sweep s = {0};

	if (argc == 4 && strcmp(argv[1], "--agent") == 0)
		return agent_main(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--worker") == 0)
		return worker_main(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--shoot") == 0)
		return shoot_main(argv[2], argv[3]);
	s.scenario = argc > 2 ? scenario_find(argv[2]) : NULL;
	if (s.scenario == NULL || getenv("RALPH") == NULL) {
		fputs("usage: RALPH=PROGRAM sweep DIR SCENARIO [STRIDE [POINT]]\n", stderr);
		return 2;
	}
	snprintf(s.dir, sizeof(s.dir), "%s", argv[1]);
	return sweep_run(&s, argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1,
		   argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1)
		   ? 0
		   : 1;
}
