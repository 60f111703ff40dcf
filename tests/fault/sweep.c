/*
 * sweep.c - the same life again and again, with a fault at one of its points, then at another.
 *
 *	sweep DIR KIND/ROLE/FAULT all
 *	sweep DIR KIND/ROLE/FAULT part SEED LEAST MS
 *	sweep DIR KIND/ROLE/FAULT at POINT
 *
 * all: at every point.  part: at points in an order that the seed tells, until as many as
 * LEAST have come and so many milliseconds have passed.  at: just there.  How many points
 * there are is counted in a life without the fault (points.h), and a point that such a life
 * passed may be missing in another: it is tried again, and counts only when it came.  Where all
 * are visited, it goes on behind the last one until none comes any more.
 *
 * The first line says what was done, the rest what is wrong, with the command that does it
 * again; the exit status is 0 when nothing is.  $RALPH is the program, $SWEEP_FILE the name of
 * the test, $SWEEP_TABLE a file that gets a line "KIND ROLE FAULT VISITED POINTS BAD".  DIR has
 * what the lives left.
 */
#include "agent.h"
#include "points.h"
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
#include <time.h>
#include <unistd.h>

#define JOBS_ALL 6
#define JOBS_PART 2
#define BAD_MAX 8 /* more of the same teach nothing */
#define TRIES 3	  /* to meet a point that does not come in every life */

enum outcome { HIT, BAD, MISSED };

struct sweep {
	const struct scenario *scenario;
	const char *name; /* KIND/ROLE/FAULT */
	struct fault_name fault;
	char dir[PATH_MAX];
	struct points points;
	pid_t pids[JOBS_ALL]; /* of the lives that go on, and where they have the fault */
	unsigned at[JOBS_ALL];
	int jobs, running;
	unsigned seed, least;
	long long begin, ms; /* part: how long */
	bool part;
	unsigned visited; /* points that came */
	unsigned missed;  /* that did not, though tried again */
	unsigned
	    counted; /* all: the last one of the life that was counted; some lives have more */
	bool over;   /* one went by that had not */
	unsigned bad;
};

static long long
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (long long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- in the trial -------------------------------------------------------------------- */

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

static void
show_trial(const struct sweep *s, const struct trial *t)
{
	const char *file = getenv("SWEEP_FILE");

	show_point(t);
	show_log(t, "run.out");
	show_log(t, "run.err");
	show_log(t, "again.err");
	show_log(t, "agents");
	if (t->point != COUNTING)
		printf("  again: SWEEP=%s@%u ./test %s\n", s->name, t->point,
		    file != NULL ? file : "fault");
}

static enum outcome
trial_main(const struct sweep *s, unsigned point)
{
	const struct scenario *sc = s->scenario;
	struct trial t = {.kind = s->fault.name,
	    .role = sc->role,
	    .onward = s->fault.onward,
	    .command = sc->command,
	    .point = point};
	char *project;
	bool hit;

	snprintf(t.dir, sizeof(t.dir), "%.3000s/%u", s->dir, point);
	if ((mkdir(t.dir, 0700) < 0 && errno != EEXIST) || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		abort();
	/* A loop over a prompt command leaves a log where it is. */
	project = trial_path(&t, "project");
	t.project = sc->command && mkdir(project, 0700) == 0;
	free(project);
	sc->run(&t);
	trial_all_gone(&t);
	hit = trial_was_hit(&t);
	if (t.failed)
		show_trial(s, &t);
	fflush(stdout);
	return t.failed ? BAD : hit ? HIT : MISSED;
}

/* Ends our process with the outcome. */
static _Noreturn void
trial_process(const struct sweep *s, unsigned point)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%.3000s/%u.report", s->dir, point);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		abort();
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	exit((int)trial_main(s, point));
}

/* ---- in the sweep -------------------------------------------------------------------- */

static void
launch(struct sweep *s, unsigned point)
{
	pid_t pid;
	int i = 0;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0)
		trial_process(s, point);
	while (s->pids[i] != 0)
		i++;
	s->pids[i] = pid;
	s->at[i] = point;
	s->running++;
}

/* Waits for the end of one; *point is where it had its fault. */
static enum outcome
collect(struct sweep *s, unsigned *point)
{
	int status, i = 0;
	pid_t pid = wait(&status);

	if (pid < 0)
		abort();
	while (s->pids[i] != pid)
		i++;
	*point = s->at[i];
	s->pids[i] = 0;
	s->running--;
	return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : BAD;
}

static void
forget_trial(const struct sweep *s, unsigned point)
{
	char *path = NULL;
	int status = -1;
	pid_t pid;

	if (asprintf(&path, "%s/%u", s->dir, point) < 0)
		abort();
	pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		abort();
	free(path);
}

static void
count_outcome(struct sweep *s)
{
	unsigned point;
	enum outcome outcome = collect(s, &point);
	bool more = s->counted > 0 && point > s->counted;

	if (outcome != MISSED) {
		s->visited++;
		s->points.total += more;
	} else if (more) {
		s->over = true;
	} else if (points_tries(&s->points, point) < TRIES) {
		points_again(&s->points, point);
	} else {
		s->missed++;
	}
	if (outcome == BAD) {
		s->bad++;
		return; /* what it left can be looked at */
	}
	/* What was well is of no use any more, and there are many of them. */
	forget_trial(s, point);
}

/* A life without the fault, where nobody has counted its points yet. */
static bool
count_points(struct sweep *s)
{
	char log[PATH_MAX], kept[PATH_MAX];
	unsigned point;

	snprintf(log, sizeof(log), "%.3000s/%u/points", s->dir, COUNTING);
	snprintf(kept, sizeof(kept), "%.3000s/../points.%s.%s%s", s->dir, s->scenario->kind,
	    s->scenario->role, s->fault.fork ? ".fork" : "");
	if (access(kept, F_OK) != 0) {
		launch(s, COUNTING);
		if (collect(s, &point) == BAD) {
			s->bad++;
			return false;
		}
		if (rename(log, kept) < 0)
			return false;
		forget_trial(s, COUNTING);
	}
	return points_read(&s->points, kept);
}

static bool
enough(const struct sweep *s)
{
	return s->bad >= BAD_MAX || (s->part && s->visited + (unsigned)s->running >= s->least &&
					now_ms() - s->begin >= s->ms);
}

/* 0: there is none any more. */
static unsigned
next_point(struct sweep *s)
{
	unsigned point = points_next(&s->points);

	return point == 0 && s->counted > 0 && !s->over ? ++s->points.last : point;
}

static void
visit(struct sweep *s)
{
	unsigned point;

	for (;;) {
		while (s->running < s->jobs && !enough(s) && (point = next_point(s)) != 0)
			launch(s, point);
		if (s->running == 0)
			return;
		count_outcome(s);
	}
}

static void
show_report(const struct sweep *s, unsigned point)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%.3000s/%u.report", s->dir, point);
	f = fopen(path, "re");
	while (f != NULL && getline(&line, &size, f) > 0)
		fputs(line, stdout);
	free(line);
	if (f != NULL)
		fclose(f);
}

static void
add_to_table(const struct sweep *s)
{
	const char *path = getenv("SWEEP_TABLE");
	char line[256];
	int fd, len;

	if (path == NULL || *path == '\0')
		return;
	len = snprintf(line, sizeof(line), "%s %s %s %u %u %u\n", s->scenario->kind,
	    s->scenario->role, s->fault.text, s->visited, s->points.total, s->bad);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		abort();
	close(fd);
}

/* How much of it was seen is said in the words of what was asked for. */
static void
show_title(const struct sweep *s, const char *how)
{
	char *title = scenario_title(s->scenario, &s->fault);

	if (strcmp(how, "at") == 0)
		printf("%s, at one point\n", title);
	else if (s->part)
		printf("%s: %u of %u points, seed %u\n", title, s->visited, s->points.total,
		    s->seed);
	else if (s->bad >= BAD_MAX)
		printf("%s: %u of %u points, then it was given up\n", title, s->visited,
		    s->points.total);
	else if (s->missed > 0)
		printf("%s: %u of %u points, the others do not come in every life\n", title,
		    s->visited, s->points.total);
	else
		printf("%s: all %u points\n", title, s->visited);
	free(title);
}

static bool
sweep_run(struct sweep *s, const char *how, unsigned point)
{
	bool counted = true;

	if (strcmp(how, "at") == 0)
		points_one(&s->points, point);
	else if ((counted = count_points(s)) && s->part)
		points_shuffle(&s->points, s->seed, s->name);
	if (strcmp(how, "all") == 0)
		s->counted = s->points.last;
	s->begin = now_ms();
	if (counted)
		visit(s);
	show_title(s, how);
	add_to_table(s);
	if (!counted && s->bad == 0)
		puts("no point was passed in a life without a fault");
	else if (s->visited == 0)
		puts("no point came");
	if (s->bad > 0)
		show_report(s, COUNTING);
	for (point = 1; s->bad > 0 && point <= s->points.last; point++)
		show_report(s, point);
	return s->bad == 0 && s->visited > 0;
}

static unsigned
number(const char *text)
{
	return text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
}

int
main(int argc, char **argv)
{
	struct sweep s = {.jobs = JOBS_ALL};

	if (argc == 4 && strcmp(argv[1], "--agent") == 0)
		return agent_main(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--worker") == 0)
		return worker_main(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--grapher") == 0)
		return grapher_main(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--shoot") == 0)
		return shoot_main(argv[2], argv[3]);
	s.scenario = argc > 3 ? scenario_find(argv[2], &s.fault) : NULL;
	if (s.scenario == NULL || getenv("RALPH") == NULL) {
		fputs("usage: RALPH=PROGRAM sweep DIR KIND/ROLE/FAULT"
		      " all | part SEED LEAST MS | at POINT\n",
		    stderr);
		return 2;
	}
	snprintf(s.dir, sizeof(s.dir), "%s", argv[1]);
	s.name = argv[2];
	s.part = strcmp(argv[3], "part") == 0;
	if (s.part) {
		s.jobs = JOBS_PART;
		s.seed = number(argv[4]);
		s.least = argc > 5 ? number(argv[5]) : 1;
		s.ms = argc > 6 ? number(argv[6]) : 0;
	}
	return sweep_run(&s, argv[3], argc > 4 ? number(argv[4]) : 0) ? 0 : 1;
}
