#include "todo.h"
#include "checker.h"
#include "lives.h"
#include "shell.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KILLED (-SIGKILL)
#define SOME_FAILED 11
#define NOT_COMMITTED 14

/* ---- the project ------------------------------------------------------------------- */

static void
list_make(struct trial *t)
{
	char *project = trial_path(t, "project"), *led = trial_path(t, "led");

	if (mkdir(project, 0700) < 0 || mkdir(led, 0700) < 0)
		abort();
	t->project = true;
	CHECK_SHELL(t, "",
	    "git init -q -b main && mkdir ai && echo ai >.gitignore && echo one >README.md &&"
	    " git add -A && git commit -qm first && echo mine >>README.md &&"
	    " printf '## Claude Tasks\\r\\n- [ ] T001: One @ada\\r\\n- [ ] T002: Two' "
	    ">ai/todo.md &&"
	    " printf '%%s\\n' 'case $KIND in task | again) echo $TASK >$TASK.txt;"
	    " %s done --turn \"$TURN\" --summary \"write $TASK\" ;; esac' >%s/script",
	    getenv("RALPH"), led);
	free(project);
	free(led);
}

static pid_t
list_start(struct trial *t, enum fault fault, const char *out)
{
	char *led = trial_path(t, "led"), *script = NULL;
	pid_t pid;

	if (getenv("AGENT") == NULL || asprintf(&script, "led %s", led) < 0)
		abort();
	pid = trial_start(t, fault, out,
	    (const char *const[]){"todo", "--name", LOOP, "--json", "--grace", "1s", "--",
		getenv("AGENT"), "-e", script, NULL});
	free(script);
	free(led);
	return pid;
}

static void
list_go_on(struct trial *t)
{
	int code = trial_wait(t, list_start(t, SOUND, "again"));

	if (code != 0)
		complain(t, "going on afterwards: exit code %d", code);
}

/* ---- what must be true ------------------------------------------------------------- */

/* Both tasks are done, none twice, and nothing else has changed. */
static void
check_list(struct trial *t)
{
	trial_all_gone(t);
	CHECK_SHELL(t, "## Claude Tasks\r\n- [x] T001: One @ada (NOW)\r\n- [x] T002: Two (NOW)",
	    "sed -E 's/\\(completed: [0-9 :-]+\\)/(NOW)/' ai/todo.md");
	CHECK_SHELL(t, "T001\nT002", "cat T001.txt T002.txt");
	CHECK_SHELL(t, "",
	    "git log --format='%%(trailers:key=Task,valueonly)' | grep . | sort | uniq -d");
	CHECK_SHELL(t, "one", "git show HEAD:README.md");
	CHECK_SHELL(t, "one\nmine", "cat README.md");
	CHECK_SHELL(t, " M README.md", "git status --porcelain | grep -v 'T00[12].txt'");
	CHECK_SHELL(t, "", "git fsck --no-dangling --no-progress");
	CHECK_SHELL(t, "", "grep '^## Iteration' ai/ralph/activity.md | sort | uniq -d");
	CHECK_SHELL(t, "complete", "jq -r .status ai/ralph/state.json");
	CHECK_SHELL(t, "",
	    "find .git ai \\( -name index.lock -o -name '*.tmp.*' -o -name '*.corrupt.*' \\)");
}

/* By one loop that nobody but its supervisor let down: each task was given once, committed by
 * itself, and told. */
static void
check_one_life(struct trial *t)
{
	CHECK_SHELL(t, "task T001\ntask T002", "cut -d ' ' -f 1,2 ../led/log | grep -v clear");
	CHECK_SHELL(t, "1", "cut -d ' ' -f 3 ../led/log | sort -u | wc -l");
	CHECK_SHELL(t, "T002: write T002\nT001: write T001\nfirst", "git log --format=%%s");
	CHECK_SHELL(t, "T002.txt\n\nT001.txt",
	    "git log -n 2 --name-only --format= --reverse | tac |"
	    " sed '2i\\\\'");
	CHECK_SHELL(t, "2", "grep -c 'Status:.. complete' ai/ralph/activity.md");
	CHECK_SHELL(t, "", "git for-each-ref refs/ralph");
	CHECK_SHELL(t, "true",
	    "jq '.tasks.T001.commit_hash == \"'$(git rev-parse --short HEAD~1)'\" and"
	    " .tasks.T002.commit_hash == \"'$(git rev-parse --short HEAD)'\"' "
	    "ai/task-meta.json");
}

/* ---- lives -------------------------------------------------------------------------- */

static void
kill_and_go_on(struct trial *t)
{
	int code = trial_wait(t, list_start(t, FAULTY, "run"));

	if (code != (trial_was_hit(t) ? KILLED : 0))
		complain(t, "run: exit code %d", code);
	check_opens(t);
	if (code == KILLED)
		list_go_on(t);
	check_list(t);
	check_one_life(t);
}

void
todo_kill(struct trial *t)
{
	list_make(t);
	kill_and_go_on(t);
}

/* Until the worker has its first task; then the supervisor is killed, and the next one, too. */
void
todo_kill_again(struct trial *t)
{
	pid_t run;
	int code;

	list_make(t);
	run = list_start(t, SOUND, "first");
	if (!trial_expect(t, run, "led/log", "task ", &code) || code != -1)
		complain(t, "the loop does not run");
	kill(run, SIGKILL);
	(void)trial_wait(t, run);
	kill_and_go_on(t);
}

/* Whatever it was that died each time: the run ends and says so, and the next one does the
 * rest.  What a task left then is there, though perhaps not committed. */
void
todo_below(struct trial *t)
{
	int code;

	list_make(t);
	code = trial_wait(t, list_start(t, FAULTY, "run"));
	if (code != 0 && code != 1 && code != SOME_FAILED && code != NOT_COMMITTED &&
	    code != KILLED)
		complain(t, "run: exit code %d", code);
	check_opens(t);
	if (code != 0)
		list_go_on(t);
	check_list(t);
}

/* One error: before there is a run it is the end; later the run goes on. */
void
todo_error(struct trial *t)
{
	int code;

	list_make(t);
	code = trial_wait(t, list_start(t, FAULTY, "run"));
	if (trial_was_hit(t))
		life_told(t);
	if (code != 0 && code != 1 && code != SOME_FAILED)
		complain(t, "run: exit code %d", code);
	if (code != 0)
		list_go_on(t);
	check_list(t);
}

/* ---- as every kind ------------------------------------------------------------------ */

const struct life todo_life = {
    list_make, list_start, 0, list_go_on, check_list, check_one_life};

void
todo_held(struct trial *t)
{
	life_held(t, &todo_life);
}

void
todo_stopped(struct trial *t)
{
	life_stopped(t, &todo_life);
}
