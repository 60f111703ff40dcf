#include "scenarios.h"
#include "graph.h"
#include "run.h"
#include "tickets.h"
#include "todo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the disk, or the system, may say: once, and from then on. */
#define ERRORS "ENOSPC EIO EDQUOT EROFS EMFILE FORK"
#define LASTING "ENOSPC+ EIO+ EDQUOT+ EROFS+ EMFILE+"

static const struct scenario scenarios[] = {
    {"run", "supervisor", "KILL", run_kill, false},
    {"run", "supervisor", ERRORS " SHORT", run_error, false},
    {"run", "supervisor", LASTING, run_lasting, false},
    {"run", "supervisor", "STOP", run_stopped, false},
    {"run", "keeper", "STOP", run_stopped, false},
    {"run", "keeper", "KILL", run_kill_keeper, false},
    {"run", "keeper", ERRORS " " LASTING, run_error_keeper, false},
    {"control", "supervisor", "KILL", run_control, false},
    {"resume", "supervisor", "KILL", run_resume, false},
    {"stop", "supervisor", "KILL", run_stop, false},
    {"pause", "other", "KILL", run_pause, false},
    {"archive", "supervisor", "KILL", run_archive, false},
    {"prompt", "supervisor", "KILL", run_kill, true},
    {"prompt", "supervisor", ERRORS, run_error, true},
    {"prompt", "supervisor", LASTING, run_lasting, true},
    {"prompt", "supervisor", "STOP", run_stopped, true},
    {"prompt", "keeper", "STOP", run_stopped, true},
    {"prompt", "keeper", "KILL", run_kill_keeper, true},
    {"prompt", "keeper", ERRORS " " LASTING, run_error_keeper, true},
    {"prompt", "other", "KILL " ERRORS " " LASTING, run_held, true},
    {"tickets", "supervisor", "KILL", tickets_kill, false},
    {"tickets", "supervisor", ERRORS, tickets_error, false},
    {"tickets", "supervisor", LASTING, tickets_held, false},
    {"tickets", "supervisor", "STOP", tickets_stopped, false},
    {"tickets", "keeper", "STOP", tickets_stopped, false},
    {"tickets", "keeper", "KILL", tickets_below, false},
    {"tickets", "keeper", ERRORS " " LASTING, tickets_held, false},
    {"tickets", "other", "KILL", tickets_below, false},
    {"tickets", "other", "ENOSPC EIO EDQUOT", tickets_full, false},
    {"tickets-again", "supervisor", "KILL", tickets_kill_again, false},
    {"tickets-merge", "other", "KILL", tickets_shots, false},
    {"graph", "supervisor", "KILL", graph_kill, false},
    {"graph", "supervisor", ERRORS, graph_error, false},
    {"graph", "supervisor", LASTING, graph_held, false},
    {"graph", "supervisor", "STOP", graph_stopped, false},
    {"graph", "keeper", "STOP", graph_stopped, false},
    {"graph", "keeper", "KILL " ERRORS " " LASTING, graph_held, false},
    {"todo", "supervisor", "KILL", todo_kill, false},
    {"todo", "supervisor", ERRORS, todo_error, false},
    {"todo", "supervisor", LASTING, todo_held, false},
    {"todo", "supervisor", "STOP", todo_stopped, false},
    {"todo", "keeper", "STOP", todo_stopped, false},
    {"todo", "keeper", "KILL", todo_below, false},
    {"todo", "keeper", ERRORS " " LASTING, todo_held, false},
    {"todo", "other", "KILL", todo_below, false},
    {"todo", "other", "ENOSPC EIO EDQUOT", todo_held, false},
    {"todo-again", "supervisor", "KILL", todo_kill_again, false},
};

/* In a title. */
static const char *const kinds[][2] = {
    {"run", "a loop over a prompt file"},
    {"prompt", "a loop over a prompt command"},
    {"control", "a loop that is told to pause, resume and stop"},
    {"resume", "a resume after a crash"},
    {"stop", "a stop after a crash"},
    {"pause", "a pause after a crash"},
    {"archive", "a loop that takes over a used name"},
    {"tickets", "a loop over tickets"},
    {"tickets-again", "a loop over tickets that goes on after a crash"},
    {"tickets-merge", "a merge: the job, its watcher, the supervisor, or several of them"},
    {"graph", "a loop over a graph"},
    {"todo", "a loop over a todo list"},
    {"todo-again", "a loop over a todo list that goes on after a crash"},
};

static bool
has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at++)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

static void
fault_parse(struct fault_name *fault, const char *text)
{
	size_t len = strlen(text);

	snprintf(fault->text, sizeof(fault->text), "%s", text);
	snprintf(fault->name, sizeof(fault->name), "%s", text);
	fault->onward = len > 0 && len < sizeof(fault->name) && text[len - 1] == '+';
	if (fault->onward)
		fault->name[len - 1] = '\0';
	fault->fork = strcmp(fault->name, "FORK") == 0;
}

const struct scenario *
scenario_find(const char *name, struct fault_name *fault)
{
	char *words = strdup(name), *rest = words;
	const char *kind = strsep(&rest, "/"), *role = strsep(&rest, "/");
	const struct scenario *found = NULL;

	for (size_t i = 0; rest != NULL && i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (strcmp(scenarios[i].kind, kind) == 0 &&
		    strcmp(scenarios[i].role, role) == 0 && has_word(scenarios[i].faults, rest))
			found = &scenarios[i];
	if (found != NULL)
		fault_parse(fault, rest);
	free(words);
	return found;
}

static const char *
kind_words(const char *kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i][0], kind) == 0)
			return kinds[i][1];
	return kind;
}

char *
scenario_title(const struct scenario *sc, const struct fault_name *fault)
{
	static const char *const words[][2] = {{"KILL", "kill -9 of"},
	    {"STOP", "SIGSTOP for a moment of"}, {"SHORT", "a short write in"},
	    {"FORK", "a process that cannot be started in"}};
	const char *who = strcmp(sc->role, "supervisor") == 0 ? "the supervisor"
			  : strcmp(sc->role, "keeper") == 0   ? "every keeper"
							      : "every other process";
	char error[64], *title = NULL;
	const char *what = error;

	snprintf(error, sizeof(error), "%s %s in", fault->name,
	    fault->onward ? "from then on" : "once");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i][0], fault->name) == 0)
			what = words[i][1];
	if (asprintf(&title, "%s %s of %s", what, who, kind_words(sc->kind)) < 0)
		abort();
	return title;
}
