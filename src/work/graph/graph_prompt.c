/*
 * graph_prompt.c - what an agent is told about its task.
 *
 * The prompt names files instead of copying them: the agent reads what it needs.  The agent
 * never has to edit the graph: the prompt names a command for each change.
 */
#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include "base/text.h"
#include <fcntl.h>

#define MILESTONES "docs/active/MILESTONES.md"

struct reading_list {
	const struct graph_place *p;
	struct buf *out;
	int n;
};

static void
name_file(struct reading_list *r, const char *path, const char *what)
{
	if (path == NULL || faccessat(r->p->fd, path, F_OK, 0) < 0)
		return;
	text_addf(r->out, "%d. %s - %s\n", ++r->n, path, what);
}

/* The path of the task's story, as the graph has it. */
static const char *
story_path(const struct graph *g, const char *story)
{
	const struct ynode *n = ynode_items(ynode_get(g->tree.root, "stories"));

	for (; n != NULL; n = n->next) {
		const char *id = ynode_text(ynode_get(n, "id"));

		if (id != NULL && story != NULL && strcmp(id, story) == 0)
			return ynode_text(ynode_get(n, "path"));
	}
	return NULL;
}

static void
graph_prompt_add_line(struct buf *out, const char *label, const char *value)
{
	if (value != NULL)
		text_addf(out, "%s: %s\n", label, value);
}

static void
add_files(const struct graph_place *p, const struct graph *g, const struct graph_task *t,
    const char *ticket, struct buf *out)
{
	AUTO_FREE char *story =
	    t->story != NULL ? xasprintf("docs/active/stories/%s.md", t->story) : NULL;
	struct reading_list r = {.p = p, .out = out};

	buf_adds(out, "Read first:\n\n");
	name_file(&r, ticket, "the ticket of this task");
	name_file(&r, story_path(g, t->story), "the story it belongs to");
	if (story_path(g, t->story) == NULL)
		name_file(&r, story, "the story it belongs to");
	if (t->milestone != NULL)
		name_file(&r, MILESTONES, "what its milestone asks for");
	name_file(&r, "CLAUDE.md", "the rules of this project");
	name_file(&r, "AGENTS.md", "the rules of this project");
	name_file(&r, GRAPH_FILE, "all tasks and their order; do not edit it");
	buf_addc(out, '\n');
}

static void
add_endings(const struct graph_task *t, const char *ticket, struct buf *out)
{
	buf_adds(out, "When the task is done:\n\n1. Commit your work.\n");
	if (t->output != NULL)
		text_addf(out, "2. See that this is there, and not empty: %s\n", t->output);
	buf_addf(out,
	    "%d. Run this command, and nothing else, to mark it complete:\n\n"
	    "       ralph graph complete %s\n\n"
	    "   It updates the graph, the ticket and what waits for this task. Commit what it "
	    "changed.\n\n",
	    t->output != NULL ? 3 : 2, t->id);
	buf_addf(out,
	    "If you cannot finish it: do not mark it complete. Commit what is worth keeping, "
	    "write down %s what is missing and why, and stop. The task stays in progress until "
	    "somebody has looked at it and runs\n"
	    "'ralph graph reset %s' (to do it again) or 'ralph graph complete %s'.\n",
	    ticket != NULL ? "in the ticket" : "in your last words", t->id, t->id);
}

void
graph_prompt(const struct graph_place *p, const struct graph *g, const struct graph_task *t,
    struct buf *out)
{
	AUTO_FREE char *ticket = graph_ticket_path(p->fd, t);

	text_addf(out, "Your task: %s - %s\n", t->id, t->title);
	buf_addc(out, '\n');
	graph_prompt_add_line(out, "Ticket", ticket);
	graph_prompt_add_line(out, "Story", t->story);
	graph_prompt_add_line(out, "Milestone", t->milestone);
	graph_prompt_add_line(out, "Complexity", t->complexity);
	graph_prompt_add_line(out, "Output", t->output);
	buf_addc(out, '\n');
	if (t->description != NULL) {
		text_show(out, t->description, strlen(t->description), true);
		buf_adds(out, "\n\n");
	}
	add_files(p, g, t, ticket, out);
	buf_adds(out, "Do this task, and only this one.\n\n");
	add_endings(t, ticket, out);
}
