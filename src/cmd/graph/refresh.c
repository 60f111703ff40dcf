/*
 * refresh.c - ralph graph refresh and validate: the graph, its tickets, and what is wrong.
 */
#include "cmd/graph/graph.h"

#include "base/log.h"

/* Says every problem, a line each; returns the exit code of the first. */
static int
say_problems(enum claim_result rc, const struct buf *problems, const struct err *err)
{
	const char *p = problems->data;

	if (rc == CLAIM_CLAIMED || problems->len == 0)
		return graph_failed(rc, err);
	while (*p != '\0') {
		size_t len = strcspn(p, "\n");

		error("%.*s", (int)len, p);
		p += len + (p[len] != '\0');
	}
	return EX_QUERY;
}

static int
run_refresh(const struct cmd_args *args)
{
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	struct err err = ERR_INIT;
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;
	enum claim_result result;
	int rc = graph_session_open(&s, args);

	if (rc != EX_OK)
		return rc;
	result = graph_refresh(&s.place, &problems, &notes, &err);
	rc = say_problems(result, &problems, &err);
	if (rc == EX_OK)
		cmd_print(&notes);
	return rc;
}

/* Checks graph and tickets, and the graph that a refresh would make of both. */
static int
run_validate(const struct cmd_args *args)
{
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	AUTO_GRAPH g = {.text = BUF_INIT};
	struct graph_tickets tickets;
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT, of_tickets = ERR_INIT;
	enum claim_result rc;
	int t = graph_session_open(&s, args);

	if (t != EX_OK)
		return t;
	rc = graph_look(&s.place, &g, &problems, &err);
	t = graph_tickets_load(
	    &tickets, s.place.fd, rc == CLAIM_CLAIMED ? &g : NULL, &problems, &of_tickets);
	if (rc == CLAIM_CLAIMED && t < 0) {
		rc = problems.len > 0 ? CLAIM_INVALID : CLAIM_IO_ERROR;
		err = of_tickets;
	}
	if (rc == CLAIM_CLAIMED)
		buf_addf(&out, "%s: %zu tasks, %zu edges, %zu tickets: nothing is wrong\n",
		    GRAPH_FILE, g.ntasks, g.nedges, tickets.n);
	graph_tickets_release(&tickets);
	cmd_print(&out);
	return say_problems(rc, &problems, &err);
}

const struct cmd cmd_graph_refresh = {
    .name = "graph refresh",
    .usage = "",
    .summary = "Bring the tickets into the graph",
    .about =
	"Reads docs/active/tickets/*.md and makes the graph say what they say: new tasks, "
	"titles, priorities, order. Claims survive it; what either of them says is complete, "
	"stays complete, in both. Tasks without a ticket stay as they are. Nothing is changed "
	"when a ticket is wrong, names an unknown id, or closes a cycle; every such mistake is "
	"told with file and line (exit code 13).",
    .examples = "  ralph graph refresh\n",
    .run = run_refresh,
};

const struct cmd cmd_graph_validate = {
    .name = "graph validate",
    .usage = "",
    .summary = "Say everything that is wrong with graph and tickets",
    .about = "A line for each mistake, with file and line; cycles as a path. Exit code 13 when "
	     "there is one.",
    .examples = "  ralph graph validate\n",
    .run = run_validate,
};
