#include "graph.h"
#include "checker.h"
#include "lives.h"
#include "shell.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRAPH "RALPH_HOME=../home $RALPH graph"

static void
graph_make(struct trial *t)
{
	char *project = trial_path(t, "project");

	if (mkdir(project, 0700) < 0)
		abort();
	free(project);
	t->project = true;
	CHECK_SHELL(t, "",
	    "git init -q -b main && printf '%%s\\n' 'nodes:' '  - id: T-1' '    status: ready'"
	    " '  - id: T-2' '    status: pending' '  - id: T-3' '    status: ready'"
	    " 'edges:' '  - {from: T-1, to: T-2}' >task-graph.yaml");
}

static pid_t
graph_start(struct trial *t, enum fault fault, const char *out)
{
	char self[PATH_MAX] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		abort();
	return trial_start(t, fault, out,
	    (const char *const[]){"graph", "run", "--name", LOOP, "--json", "--delay", "0",
		"--", self, "--grapher", t->dir, getenv("RALPH"), NULL});
}

/* Resume, where there is something to go on with; then what failed is looked after, as a user
 * does who reads why, and is run anew. */
static void
graph_go_on(struct trial *t)
{
	size_t lines;
	json_t *facts = journal_facts(t, &lines);
	int code = 0;

	if (lines > 0 && facts_count(facts, "finished", NULL, NULL) == 0)
		code = trial_do(t, SOUND, "resumed", "resume --foreground --json " LOOP);
	json_decref(facts);
	if (code != 0 && code != 11)
		complain(t, "resume: exit code %d", code);
	free(shell(t, "for id in $(" GRAPH " status --json |"
		      " jq -r '.tasks[] | select(.status == \"in-progress\") | .id'); do " GRAPH
		      " reset $id; done"));
	code = trial_wait(t, graph_start(t, SOUND, "again"));
	if (code != 0)
		complain(t, "going on afterwards: exit code %d", code);
}

/* After a kill there is nothing that somebody would have to look after.  One whose last words
 * are missing is over; the next loop cleans up behind it. */
static void
graph_resume(struct trial *t)
{
	size_t lines;
	json_t *facts = journal_facts(t, &lines);
	int code;

	if (lines == 0 || facts_count(facts, "finished", NULL, NULL) > 0)
		code = trial_wait(t, graph_start(t, SOUND, "again"));
	else
		code = trial_do(t, SOUND, "again", "resume --foreground --json " LOOP);
	json_decref(facts);
	if (code != 0)
		complain(t, "going on afterwards: exit code %d", code);
}

static void
check_graph(struct trial *t)
{
	bool killed = strcmp(t->kind, "KILL") == 0 && strcmp(t->role, "keeper") == 0;

	trial_all_gone(t);
	CHECK_SHELL(t, "[\"complete\",\"complete\",\"complete\"]",
	    GRAPH " status --json | jq -c '[.tasks[].status]'");
	CHECK_SHELL(t, "", "grep overlap ../agents");
	/* One waits for the other.  An agent that was killed with its keeper had no time to say
	 * that it ends. */
	CHECK_SHELL(t, killed ? "start T-1" : "end T-1",
	    "grep -E '%s T-1|start T-2' ../agents | cut -d ' ' -f 1,2 | head -n 1",
	    killed ? "start" : "end");
	CHECK_SHELL(t, "", "find . \\( -name '*.tmp.*' -o -name '*.corrupt.*' \\)");
	CHECK_SHELL(t, "", "jq -e . logs/ralph.jsonl >/dev/null || echo no log");
	check_litter(t);
}

static void
check_graph_once(struct trial *t)
{
	CHECK_SHELL(t, "T-1\nT-2\nT-3", "grep start ../agents | cut -d ' ' -f 2 | sort");
	/* What a killed supervisor had not told its log yet is missing there. */
	CHECK_SHELL(t, strcmp(t->kind, "KILL") == 0 ? "" : "T-1\nT-2\nT-3",
	    "jq -r 'select(.action == \"completed\") | .task_id' logs/ralph.jsonl | sort%s",
	    strcmp(t->kind, "KILL") == 0 ? " | uniq -d" : "");
}

const struct life graph_life = {
    graph_make, graph_start, 0, graph_go_on, check_graph, check_graph_once};

void
graph_kill(struct trial *t)
{
	struct life life = graph_life;

	life.go_on = graph_resume;
	life_killed(t, &life);
}

void
graph_error(struct trial *t)
{
	life_error(t, &graph_life);
}

void
graph_held(struct trial *t)
{
	life_held(t, &graph_life);
}

void
graph_stopped(struct trial *t)
{
	life_stopped(t, &graph_life);
}
