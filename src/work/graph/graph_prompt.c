/*
 * graph_prompt.c - what an agent is told about its task.
 *
 * The prompt names files instead of copying them: the agent reads what it needs.  The agent
 * never has to edit the graph: the prompt names a command for each change.
 */
#include "work/graph/graph_work.h"

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
	buf_addf(r->out, "%d. ", ++r->n);
	text_show(r->out, path, strlen(path), false);
	buf_addf(r->out, " - %s\n", what);
}

/* The path of the task's story, as the graph has it. */
static const char *
story_path(const struct graph *g, const char *story)
{
	const struct ynode *list = ynode_get(g->tree.root, "stories");

	if (story == NULL || list == NULL || list->kind != YNODE_LIST)
		return NULL;
	for (const struct ynode *n = list->child; n != NULL; n = n->next) {
		const char *id = ynode_text(ynode_get(n, "id"));

		if (id != NULL && strcmp(id, story) == 0)
			return ynode_text(ynode_get(n, "path"));
	}
	return NULL;
}

static void
graph_prompt_add_line(struct buf *out, const char *label, const char *value)
{
	if (value == NULL)
		return;
	buf_addf(out, "%s: ", label);
	text_show(out, value, strlen(value), false);
	buf_addc(out, '\n');
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
	if (t->output != NULL) {
		buf_adds(out, "2. See that this is there, and not empty: ");
		text_show(out, t->output, strlen(t->output), false);
		buf_addc(out, '\n');
	}
	buf_addf(out,
	    "%d. Run this command, and nothing else, to mark it complete:\n\n"
	    "       ralph graph complete %s\n\n"
	    "   It updates the graph, the ticket and what waits for this task. Commit what it "
	    "changed.\n\n",
	    t->output != NULL ? 3 : 2, t->id);
	buf_adds(out, "If you cannot finish it: do not mark it complete. Commit what is worth "
		      "keeping, write down ");
	buf_addf(out, "%s what is missing and why, and stop",
	    ticket != NULL ? "in the ticket" : "in your last words");
	buf_addf(out,
	    ". The task stays in progress until somebody has looked at it and runs\n"
	    "'ralph graph reset %s' (to do it again) or 'ralph graph complete %s'.\n",
	    t->id, t->id);
}

void
graph_prompt(const struct graph_place *p, const struct graph *g, const struct graph_task *t,
    struct buf *out)
{
	AUTO_FREE char *ticket = graph_ticket_path(p->fd, t);
	AUTO_BUF title = BUF_INIT;

	text_show(&title, t->title, strlen(t->title), false);
	buf_addf(out, "Your task: %s - %s\n\n", t->id, title.data);
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
