#include "backlog.h"
#include "checker.h"
#include "shell.h"
#include "worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRESS "project/.tf/ralph/progress.md"

static const char *const good[] = {"api-1", "api-2"};

/* ---- the project ------------------------------------------------------------------- */

void
backlog_make(struct trial *t)
{
	char *project = trial_path(t, "project");

	if (mkdir(project, 0700) < 0)
		abort();
	free(project);
	t->project = true;
	CHECK_SHELL(t, "",
	    "git init -q -b main && mkdir -p .tickets .tf/ralph && echo .tf >.gitignore &&"
	    " for id in api-1 api-2 " FAILING "; do"
	    " printf -- '---\\nid: %%s\\nstatus: open\\ndeps: []\\nlinks: []\\n"
	    "created: 2026-01-01T00:00:00Z\\ntype: task\\npriority: 2\\n"
	    "tags: [component:%%s]\\n---\\n# Ticket %%s\\n\\nDo it.\\n'"
	    " $id ${id%%-*} $id >.tickets/$id.md; done; git add -A; git commit -qm first");
}

pid_t
backlog_start(struct trial *t, enum fault fault, const char *out, const char *verify)
{
	char self[PATH_MAX] = "";
	const char *args[] = {"loop", "--name", LOOP, "--json", "--parallel", "2", "--verify",
	    verify != NULL ? verify : "test -e $RALPH_TICKET.txt", "--", self, "--worker",
	    t->dir, "{ticket}", NULL};

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		abort();
	return trial_start(t, fault, out, args);
}

void
backlog_go_on(struct trial *t)
{
	int code = trial_wait(t, backlog_start(t, SOUND, "again", NULL));

	if (code != SOME_FAILED)
		complain(t, "going on afterwards: exit code %d", code);
}

void
backlog_tidy(struct trial *t)
{
	char *err = trial_read(t, "run.err");
	char *out = trial_read(t, "run.out");
	bool reopened = strstr(err, "it is open again") != NULL;
	bool stays = strstr(err, " stays: ") != NULL || strstr(out, "cannot land: ") != NULL;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (reopened || stays)
			free(shell(t,
			    "git merge-base --is-ancestor ralph/%s main &&"
			    " git worktree remove --force .tf/ralph/worktrees/%s;"
			    " git branch -d ralph/%s",
			    good[i], good[i], good[i]));
	if (reopened)
		CHECK_SHELL(t, "", "git checkout -q -- .tickets");
	free(err);
	free(out);
}

/* ---- what must be true ------------------------------------------------------------- */

static int
occurrences(struct trial *t, const char *file, const char *text)
{
	char *all = trial_read(t, file);
	int n = 0;

	for (const char *at = all; (at = strstr(at, text)) != NULL; at++)
		n++;
	free(all);
	return n;
}

int
backlog_starts(struct trial *t, const char *ticket)
{
	char line[64];

	snprintf(line, sizeof(line), "start %s ", ticket);
	return occurrences(t, "agents", line);
}

static void
check_ticket_is_in(struct trial *t, const char *id)
{
	CHECK_SHELL(
	    t, "1", "git log --merges --format=%%s main | grep -cx 'Merge ralph/%s'", id);
	CHECK_SHELL(t, id, "git show main:%s.txt", id);
	CHECK_SHELL(t, "status: closed", "git show main:.tickets/%s.md | grep ^status:", id);
	CHECK_SHELL(t, "status: closed", "grep ^status: .tickets/%s.md", id);
}

static void
check_repository(struct trial *t)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_ticket_is_in(t, good[i]);
	CHECK_SHELL(t, "",
	    "git log --merges --format='%%(trailers:key=Ralph-Session,valueonly)' main |"
	    " grep . | sort | uniq -d");
	CHECK_SHELL(t, FAILING,
	    "for ref in $(git for-each-ref --format='%%(refname)' refs/ralph/failed/" FAILING
	    "); do git show $ref:" FAILING ".txt; done | sort -u");
	CHECK_SHELL(t, "status: open", "grep ^status: .tickets/" FAILING ".md");
	/* The user's checkout is what the branch says, and nobody is in the middle of
	 * something. */
	CHECK_SHELL(t, "## main", "git status --porcelain --branch");
	CHECK_SHELL(t, "refs/heads/main",
	    "git for-each-ref --format='%%(refname)' refs/heads refs/ralph/land");
	CHECK_SHELL(t, "",
	    "find .git/worktrees .tf/ralph/worktrees -mindepth 1 ! -name .gitignore "
	    "2>/dev/null");
	CHECK_SHELL(t, "",
	    "find .git .tf -name '*.lock' -size +0 -o -name MERGE_HEAD -o -name '*.tmp.*' -o"
	    " -name dispatch-loop-state* -o -name '*.corrupt.*'");
	CHECK_SHELL(t, "", "git fsck --no-dangling --no-progress");
}

void
check_backlog(struct trial *t)
{
	json_t *facts = journal_facts(t, NULL);

	trial_all_gone(t);
	if (occurrences(t, "agents", "overlap ") > 0)
		complain(t, "two agents worked on the same");
	if (facts_count(facts, "finished", "reason", "some_failed") !=
	    facts_count(facts, "reopened", NULL, NULL) + 1)
		complain(t, "not finished once with some_failed");
	json_decref(facts);
	check_repository(t);
	/* Every session that came to its end has its block, and just one. */
	CHECK_SHELL(t, "",
	    "awk '/^### / { ticket = $0 } /^- Session: / { print ticket, $0 }'"
	    " .tf/ralph/progress.md | sort | uniq -d");
	check_litter(t);
}

void
check_one_run(struct trial *t)
{
	json_t *facts = journal_facts(t, NULL);

	if (facts_count(facts, "landed", "verdict", "done") != 2 ||
	    facts_count(facts, "landed", "verdict", "failed") != 1)
		complain(t, "not two landed and one failed");
	json_decref(facts);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (backlog_starts(t, good[i]) != 1)
			complain(t, "%s has %d agents", good[i], backlog_starts(t, good[i]));
	if (backlog_starts(t, FAILING) != 1)
		complain(t, FAILING " has %d agents", backlog_starts(t, FAILING));
	CHECK_SHELL(t, "- Iterations: 3\n- Completed: 2\n- Failed: 1",
	    "sed -n '/^## Statistics/,/^- Failed/p' .tf/ralph/progress.md | grep ^-");
	CHECK_SHELL(t, "3", "grep -c '^### ' .tf/ralph/progress.md");
	CHECK_SHELL(t, "1", "grep -c '^## Loop Ended' .tf/ralph/progress.md");
}
