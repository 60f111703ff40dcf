/*
 * Working through a graph: claims, completions, resets and refreshes leave graph, tickets and
 * claims in agreement, whoever asks in between.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/graph/graph_place.h"
#include <signal.h>
#include <sys/wait.h>

static struct err err;
static struct graph_place place;

static void
put(const char *name, const char *text)
{
	assert_int_equal(fs_replace(scratch.fd, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
put_ticket(const char *name, const char *text)
{
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *path = xasprintf("%s/%s", scratch.path, GRAPH_TICKETS);

	assert_int_equal(fs_mkdirs(path, &err), 0);
	dir = fs_open_dir(AT_FDCWD, path, &err);
	assert_int_equal(fs_replace(dir, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
assert_file(const char *name, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	assert_int_equal(fs_read(scratch.fd, name, 1 << 20, &text, &err), 0);
	assert_string_equal(text.data, expected);
}

/* The times that something was done at are replaced by "NOW". */
static void
assert_graph(const char *expected)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF out = BUF_INIT;

	assert_int_equal(fs_read(scratch.fd, GRAPH_FILE, 1 << 20, &text, &err), 0);
	for (const char *p = text.data; *p != '\0'; p++) {
		buf_addc(&out, *p);
		if (*p == '\'' && strncmp(p + 1, "20", 2) == 0) {
			buf_adds(&out, "NOW");
			p += strcspn(p + 1, "'");
		}
	}
	assert_string_equal(out.data, expected);
}

static int
enter(void **state)
{
	unsetenv("WORKTREE_STORY");
	place.fd = -1;
	setenv("WORKTREE", "wt", 1);
	return scratch_setup(state);
}

static int
leave(void **state)
{
	graph_place_close(&place);
	return scratch_teardown(state);
}

static void
begin(const char *graph)
{
	put(GRAPH_FILE, graph);
	if (graph_place_open(&place, scratch.path, &err) < 0)
		fail_msg("%s", err.text);
}

static enum claim_result
claim(const char *id, pid_t owner, char **got, struct buf *notes)
{
	const struct graph_request request = {.id = id, .owner = owner};
	struct graph_offer offer;
	enum claim_result rc;

	graph_offer_init(&offer);
	rc = graph_claim(&place, &request, &offer, &err);
	if (got != NULL)
		*got = take_ptr(offer.id);
	if (notes != NULL)
		buf_add(notes, offer.notes.data, offer.notes.len);
	graph_offer_release(&offer);
	return rc;
}

static void
assert_claims(const char *id)
{
	AUTO_FREE char *got = NULL;

	if (claim(NULL, 0, &got, NULL) != CLAIM_CLAIMED)
		fail_msg("%s", err.text);
	assert_string_equal(got, id);
}

#define work_test(fn) cmocka_unit_test_setup_teardown(fn, enter, leave)

static const char chain[] =
    "# mine\nversion: \"1.0\"\nlast_updated: 2026-01-27\nnodes:\n"
    "  - id: a   # first\n    title: 'A'\n    status: ready\n    output: x\n"
    "  - id: b\n    status: pending\n"
    "edges:\n  - {from: a, to: b}\nmeta:\n  total_tasks: 7\n  by_status:\n"
    "    ready: 1\n    in_progress: 0\n    complete: 0\n    pending: 1\n";

static void
test_claim_and_complete(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	begin(chain);
	assert_claims("a");
	assert_graph("# mine\nversion: \"1.0\"\nlast_updated: 'NOW'\nnodes:\n"
		     "  - id: a   # first\n    title: 'A'\n    status: in-progress\n"
		     "    claimed_at: 'NOW'\n    claimed_by: wt\n    output: x\n"
		     "  - id: b\n    status: pending\n"
		     "edges:\n  - {from: a, to: b}\nmeta:\n  total_tasks: 2\n  by_status:\n"
		     "    ready: 0\n    in_progress: 1\n    complete: 0\n    pending: 1\n");
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_string_equal(err.text, "blocked: 1 in progress (a); 1 waiting (b for a)");
	assert_int_equal(graph_complete(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "");
	assert_graph("# mine\nversion: \"1.0\"\nlast_updated: 'NOW'\nnodes:\n"
		     "  - id: a   # first\n    title: 'A'\n    status: complete\n"
		     "    claimed_at: 'NOW'\n    claimed_by: wt\n    completed_at: 'NOW'\n    "
		     "output: x\n"
		     "  - id: b\n    status: ready\n"
		     "edges:\n  - {from: a, to: b}\nmeta:\n  total_tasks: 2\n  by_status:\n"
		     "    ready: 1\n    in_progress: 0\n    complete: 1\n    pending: 0\n");
	assert_claims("b");
	assert_int_equal(graph_complete(&place, "b", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_ALL_COMPLETE);
	assert_string_equal(err.text, "all tasks complete");
	assert_int_equal(graph_complete(&place, "b", false, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "b is complete already\n");
}

static void
test_reset(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;
	static const char graph[] = "nodes:\n- id: a\n  status: ready\n- id: b\n  status: "
				    "pending\nedges: [{from: a, to: b}]\n";

	begin(graph);
	assert_claims("a");
	assert_int_equal(graph_reset(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_file(GRAPH_FILE, graph);
	assert_claims("a");
	assert_int_equal(graph_complete(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_claims("b");
	/* A task that is complete, with another one behind it. */
	assert_int_equal(graph_reset(&place, "b", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_reset(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_file(GRAPH_FILE, graph);
	assert_int_equal(graph_reset(&place, "zz", false, &notes, &err), CLAIM_REFUSED);
	assert_string_equal(err.text, "no task has the id 'zz'");
}

static void
test_refusals(void **state UNUSED)
{
	begin("nodes:\n- {id: a, status: complete}\n- {id: b, status: blocked}\n- {id: c}\n"
	      "- {id: d}\n- {id: e, status: in-progress}\nedges: [{from: c, to: d}]\n");
	assert_int_equal(claim("x", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "no task has the id 'x'");
	assert_int_equal(claim("a", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "a is complete");
	assert_int_equal(claim("b", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "b has the status blocked");
	assert_int_equal(claim("d", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "d waits for c, which is pending");
	assert_int_equal(claim("e", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(
	    err.text, "e is in progress: by whom is not known; 'ralph graph reset e' frees it");
	assert_int_equal(claim("c", 0, NULL, NULL), CLAIM_CLAIMED);
	assert_int_equal(claim("c", 0, NULL, NULL), CLAIM_REFUSED);
	assert_non_null(strstr(err.text, "c is in progress: "));
}

static void
test_stories(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	setenv("WORKTREE_STORY", "S-1", 1);
	begin("nodes:\n- {id: a, story: S-2}\n- {id: b, story: S-1}\n- {id: c, story: S-1}\n"
	      "edges: [{from: a, to: c}]\n");
	assert_int_equal(claim("a", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(
	    err.text, "a is not of story S-1 (WORKTREE_STORY); --force takes it");
	assert_claims("b");
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_int_equal(graph_complete(&place, "b", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_string_equal(err.text, "blocked: 1 waiting (c for a)");
	assert_int_equal(graph_complete(&place, "c", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_ALL_COMPLETE);
	free(place.story);
	place.story = xstrdup("S-l");
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "no task is of story S-l (WORKTREE_STORY)");
}

static void
test_failures_stay(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	begin("nodes:\n- {id: a}\n- {id: b}\n");
	assert_int_equal(claim(NULL, getpid(), NULL, NULL), CLAIM_CLAIMED);
	assert_int_equal(graph_fail(&place, "a", "exit code 1", &err), CLAIM_CLAIMED);
	assert_claims("b");
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_string_equal(err.text, "blocked: 1 in progress (b); 1 failed (a)");
	assert_int_equal(graph_reset(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_claims("a");
	/* A verdict is not taken back by a loop that comes late. */
	assert_int_equal(graph_complete(&place, "a", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_fail(&place, "a", "late", &err), CLAIM_CLAIMED);
	assert_int_equal(claim("a", 0, NULL, NULL), CLAIM_REFUSED);
	assert_string_equal(err.text, "a is complete");
}

static void
test_owners(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;
	AUTO_FREE char *got = NULL;
	pid_t pid;

	begin("nodes:\n- {id: a}\n");
	pid = fork();
	if (pid == 0)
		for (;;)
			pause();
	assert_int_equal(claim(NULL, pid, NULL, NULL), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_int_equal(graph_reset(&place, "a", false, &notes, &err), CLAIM_REFUSED);
	assert_non_null(strstr(err.text, "a is being worked on by pid "));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(claim(NULL, getpid(), &got, &notes), CLAIM_CLAIMED);
	assert_string_equal(got, "a");
	assert_non_null(strstr(notes.data, "a was claimed and left without a verdict: pid "));
	assert_non_null(strstr(notes.data, "it is taken over"));
	assert_int_equal(graph_hand_over(&place, "a", 0, 0, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_release_task(&place, "a", &err), CLAIM_CLAIMED);
	assert_claims("a");
	assert_int_equal(claim(NULL, 0x3fffff, NULL, NULL), CLAIM_BLOCKED);
	assert_int_equal(graph_release_task(&place, "a", &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0x3fffff, NULL, NULL), CLAIM_IO_ERROR);
	assert_string_equal(err.text, "there is no process 4194303 to own the claim");
}

static void
test_wrong_and_busy(void **state UNUSED)
{
	struct graph_place other;

	begin("nodes:\n- {id: a\n");
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_INVALID);
	assert_non_null(strstr(err.text, "task-graph.yaml:3: "));
	put(GRAPH_FILE, "nodes:\n- {id: a}\n");
	assert_int_equal(graph_place_open(&other, scratch.path, &err), 0);
	assert_int_equal(claims_lock(other.claims, 0, &err), 0);
	place.wait = NSEC_PER_MSEC;
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BUSY);
	graph_place_close(&other);
	assert_claims("a");
	assert_int_equal(fs_unlink(scratch.fd, GRAPH_FILE, &err), 0);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_IO_ERROR);
}

/* ---- tickets ------------------------------------------------------------------------- */

static const char ticket_a[] =
    "---\nid: T-1\ntitle: \"One: first\"\nstory: S-1\nstatus: ready   # now\npriority: 1\n"
    "complexity: S\n---\n\n# T-1\n\n## Context\n\nWhat is\nto be done.\n\n## More\n\nx\n";

static void
test_refresh_makes_nodes(void **state UNUSED)
{
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;

	begin("nodes: []\nedges: []\n");
	put_ticket("T-1.md", ticket_a);
	put_ticket("T-2.md",
	    "---\r\nid: T-2\r\ntitle: Two\r\nstory: S-1\r\nstatus: pending\r\n"
	    "priority: 0\r\ncomplexity: M\r\ndepends_on:\r\n  - T-1\r\n  - T-1\r\n"
	    "output: y.md\r\n---\r\nJust text.\r\n");
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "T-1 is new\nT-2 is new\n");
	assert_file(GRAPH_FILE,
	    "nodes: \n"
	    "  - id: T-1\n    title: 'One: first'\n    story: S-1\n"
	    "    description: \"What is\\nto be done.\"\n    priority: 1\n    complexity: S\n"
	    "    status: ready\n    path: docs/active/tickets/T-1.md\n"
	    "  - id: T-2\n    title: Two\n    story: S-1\n    description: Just text.\n"
	    "    priority: 0\n    complexity: M\n    status: pending\n    output: y.md\n"
	    "    path: docs/active/tickets/T-2.md\n"
	    "edges: \n  - from: T-1\n    to: T-2\n");
	buf_clear(&notes);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "");
}

static void
test_claims_survive_a_refresh(void **state UNUSED)
{
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;

	begin("nodes: []\n");
	put_ticket("T-1.md", ticket_a);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_claims("T-1");
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_BLOCKED);
	assert_int_equal(graph_complete(&place, "T-1", false, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_ALL_COMPLETE);
}

static void
test_either_says_complete(void **state UNUSED)
{
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF text = BUF_INIT;

	/* An agent edited the graph, and not the ticket. */
	begin("nodes:\n  - {id: T-1, status: complete}\n");
	put_ticket("T-1.md", ticket_a);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "T-1 is complete; now its ticket says so\n");
	assert_int_equal(fs_read(scratch.fd, GRAPH_TICKETS "/T-1.md", 1 << 20, &text, &err), 0);
	assert_non_null(strstr(text.data, "\nstatus: complete   # now\ncompleted_at: '20"));
	assert_int_equal(claim(NULL, 0, NULL, NULL), CLAIM_ALL_COMPLETE);
	assert_int_equal(graph_reset(&place, "T-1", false, &notes, &err), CLAIM_CLAIMED);
	assert_file(GRAPH_TICKETS "/T-1.md", ticket_a);
}

static void
test_edges_follow_the_tickets(void **state UNUSED)
{
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF text = BUF_INIT;

	begin(
	    "nodes:\n  - id: old\n    path: docs/active/tickets/old.md\n  - id: T-1\n"
	    "edges:\n  - from: old # gone\n    to: T-1\n  # kept\n  - {from: T-1, to: old}\n");
	put_ticket("T-1.md", ticket_a);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_INVALID);
	put(GRAPH_FILE,
	    "nodes:\n  - id: old\n    path: docs/active/tickets/old.md\n  - id: T-1\n"
	    "edges:\n  - from: old # gone\n    to: T-1\n  # kept\n");
	buf_clear(&problems);
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_CLAIMED);
	assert_string_equal(notes.data, "the ticket of old is gone; the task stays\n");
	assert_int_equal(fs_read(scratch.fd, GRAPH_FILE, 1 << 20, &text, &err), 0);
	assert_non_null(strstr(text.data, "edges:\n  # kept\n"));
}

static void
test_wrong_tickets_change_nothing(void **state UNUSED)
{
	static const char graph[] = "nodes:\n  - id: T-9\n    status: ready\n";
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;

	begin(graph);
	put_ticket("a.md", ticket_a);
	put_ticket("b.md", ticket_a);
	put_ticket("c.md", "no front matter\n");
	put_ticket("d.md", "---\nid: T-4\nstatus: done\npriority: 7\n---\n");
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_INVALID);
	assert_string_equal(problems.data,
	    "docs/active/tickets/b.md:2: the id 'T-1' is there twice: also in "
	    "docs/active/tickets/a.md\n"
	    "docs/active/tickets/c.md:1: it does not begin with front matter (a line '---')\n"
	    "docs/active/tickets/d.md:1: title is missing\n"
	    "docs/active/tickets/d.md:1: story is missing\n"
	    "docs/active/tickets/d.md:1: complexity is missing\n"
	    "docs/active/tickets/d.md:3: no such status; there are pending, ready, "
	    "in-progress, "
	    "complete and blocked\n"
	    "docs/active/tickets/d.md:4: a priority is 0 to 5\n");
	assert_file(GRAPH_FILE, graph);
}

#define TICKET(id, depends)                                                                \
	"---\nid: " id "\ntitle: t\nstory: s\nstatus: ready\npriority: 1\ncomplexity: S\n" \
	"depends_on: " depends "\n---\ntext\n"

static void
test_cycles_of_tickets(void **state UNUSED)
{
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF notes = BUF_INIT;

	begin("nodes: []\n");
	put_ticket("a.md", TICKET("a", "[b]"));
	put_ticket("b.md", TICKET("b", "[a, x]"));
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_INVALID);
	assert_string_equal(
	    problems.data, "docs/active/tickets/b.md:8: no task has the id 'x'\n");
	put_ticket("b.md", TICKET("b", "[a]"));
	assert_int_equal(graph_refresh(&place, &problems, &notes, &err), CLAIM_INVALID);
	assert_non_null(strstr(err.text, "a cycle: a -> b -> a"));
	assert_file(GRAPH_FILE, "nodes: []\n");
}

static void
test_prompt(void **state UNUSED)
{
	const struct graph_request request = {.id = NULL};
	struct graph_offer offer;

	begin("nodes:\n  - id: T-1\n    title: \"One\\x1b[31m\"\n    output: out.md\n"
	      "    description: |\n      Do\n      it.\n");
	put_ticket("T-1.md", ticket_a);
	graph_offer_init(&offer);
	assert_int_equal(graph_claim(&place, &request, &offer, &err), CLAIM_CLAIMED);
	assert_memory_equal(offer.prompt.data, "Your task: T-1 - One\\x1b[31m\n", 29);
	assert_non_null(strstr(offer.prompt.data, "\nTicket: docs/active/tickets/T-1.md\n"));
	assert_non_null(strstr(offer.prompt.data, "\nDo\nit.\n"));
	assert_non_null(strstr(offer.prompt.data, "\n1. docs/active/tickets/T-1.md - "));
	assert_non_null(strstr(offer.prompt.data, "\n2. task-graph.yaml - "));
	assert_non_null(strstr(offer.prompt.data, "       ralph graph complete T-1\n"));
	assert_non_null(strstr(offer.prompt.data, "'ralph graph reset T-1'"));
	graph_offer_release(&offer);
}

/* Whatever way a graph is written in, it is changed rightly or not at all. */
static void
test_odd_ways_to_write_it(void **state UNUSED)
{
	static const char *const cases[][2] = {
	    {"nodes:\n- null\n- id: a\n- id: b\n- id: c\n- id: d\n- id: e\n", "a"},
	    {"nodes: [{id: a, status}, {id: b}]\n", "a"},
	    {"nodes:\n  -\n    id: a\n    status: ready\n  - id: b\n", "a"},
	    {"{nodes: [{id: a}]}\n", "a"},
	    {"\"nodes\":\n- \"id\": \"a\"\n  \"status\": \"ready\"", "a"},
	    {"nodes:\n- ? id\n  : a\n  ? status\n", NULL},
	    {"nodes:\n- {id: a, status: !!str ready}\n", "a"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		AUTO_FREE char *got = NULL;
		AUTO_BUF notes = BUF_INIT;
		enum claim_result rc;

		graph_place_close(&place);
		begin(cases[i][0]);
		rc = claim(NULL, 0, &got, NULL);
		if (cases[i][1] != NULL) {
			assert_int_equal(rc, CLAIM_CLAIMED);
			assert_string_equal(got, cases[i][1]);
			assert_int_equal(
			    graph_complete(&place, got, false, &notes, &err), CLAIM_CLAIMED);
			assert_int_equal(
			    graph_reset(&place, got, false, &notes, &err), CLAIM_CLAIMED);
		} else {
			assert_int_equal(rc, CLAIM_IO_ERROR);
			assert_non_null(strstr(err.text, "cannot be changed in place"));
			assert_file(GRAPH_FILE, cases[i][0]);
			assert_int_equal(claims_read(place.claims, &err), 0);
			assert_int_equal(claims_count(place.claims), 0);
		}
	}
}

static void
test_modes_and_links_stay(void **state UNUSED)
{
	struct stat st;

	put("real.yaml", "nodes:\n- {id: a}\n");
	assert_int_equal(fchmodat(scratch.fd, "real.yaml", 0640, 0), 0);
	assert_int_equal(symlinkat("real.yaml", scratch.fd, GRAPH_FILE), 0);
	assert_int_equal(graph_place_open(&place, scratch.path, &err), 0);
	assert_claims("a");
	assert_int_equal(fstatat(scratch.fd, GRAPH_FILE, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(fstatat(scratch.fd, "real.yaml", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* ---- a command that gives tasks out ---------------------------------------------------- */

static enum claim_result
take(const char *prompt, const char *task, struct graph_offer *offer)
{
	struct asked asked = {.kind = ASKED_PROMPT, .prompt = prompt, .remarks = ""};

	(void)snprintf(asked.task, sizeof(asked.task), "%s", task);
	graph_offer_release(offer);
	return graph_command_take(&place, &asked, getpid(), offer, &err);
}

static void
assert_now(const char *id, enum task_status status)
{
	struct graph g;

	assert_int_equal(graph_look(&place, &g, NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(graph_find(&g, id)->now, status);
	graph_release(&g);
}

static void
test_commands_give_tasks_out(void **state UNUSED)
{
	struct graph_request mine = {.id = "b", .owner = getpid()};
	struct graph_offer offer, other;

	begin("nodes:\n- {id: a}\n- {id: b, title: Bee}\n- {id: c}\n");
	graph_offer_init(&offer);
	graph_offer_init(&other);
	/* The command claimed b, whatever it says. */
	assert_int_equal(graph_claim(&place, &mine, &other, &err), CLAIM_CLAIMED);
	assert_int_equal(take("Do it well", "", &offer), CLAIM_CLAIMED);
	assert_string_equal(offer.id, "b");
	assert_string_equal(offer.title, "Bee");
	assert_string_equal(offer.prompt.data, "Do it well");
	/* The command claimed c, too, and names c: b was never begun. */
	mine.id = "c";
	graph_offer_release(&other);
	assert_int_equal(graph_claim(&place, &mine, &other, &err), CLAIM_CLAIMED);
	assert_int_equal(take("Your task: c", "c", &offer), CLAIM_CLAIMED);
	assert_string_equal(offer.id, "c");
	assert_now("b", TASK_READY);
	/* A task that the command names and nobody has becomes ours; one that is taken does
	 * not. */
	assert_int_equal(graph_command_clear(&place, getpid(), &err), CLAIM_CLAIMED);
	assert_now("c", TASK_READY);
	assert_int_equal(take("Your task: a", "a", &offer), CLAIM_CLAIMED);
	assert_now("a", TASK_IN_PROGRESS);
	assert_int_equal(graph_command_clear(&place, getpid(), &err), CLAIM_CLAIMED);
	mine = (struct graph_request){.id = "a"};
	graph_offer_release(&other);
	assert_int_equal(graph_claim(&place, &mine, &other, &err), CLAIM_CLAIMED);
	assert_int_equal(take("Your task: a", "a", &offer), CLAIM_REFUSED);
	assert_int_equal(take("Be good", "", &offer), CLAIM_REFUSED);
	assert_int_equal(graph_command_clear(&place, getpid(), &err), CLAIM_CLAIMED);
	assert_now("a", TASK_IN_PROGRESS);
	graph_offer_release(&offer);
	graph_offer_release(&other);
}

static void
test_prompts_of_commands_are_kept(void **state UNUSED)
{
	struct graph_offer offer;
	AUTO_BUF prompt = BUF_INIT;

	begin("nodes:\n- {id: a}\n");
	graph_offer_init(&offer);
	assert_false(graph_command_kept(scratch.fd, "a", &prompt));
	assert_int_equal(take("Two\nlines", "a", &offer), CLAIM_CLAIMED);
	assert_int_equal(graph_command_keep(scratch.fd, &offer, &err), 0);
	assert_false(graph_command_kept(scratch.fd, "aa", &prompt));
	assert_false(graph_command_kept(scratch.fd, "b", &prompt));
	assert_true(graph_command_kept(scratch.fd, "a", &prompt));
	assert_string_equal(prompt.data, "Two\nlines");
	graph_offer_release(&offer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    work_test(test_commands_give_tasks_out),
	    work_test(test_prompts_of_commands_are_kept),
	    work_test(test_claim_and_complete),
	    work_test(test_reset),
	    work_test(test_refusals),
	    work_test(test_stories),
	    work_test(test_failures_stay),
	    work_test(test_owners),
	    work_test(test_wrong_and_busy),
	    work_test(test_refresh_makes_nodes),
	    work_test(test_claims_survive_a_refresh),
	    work_test(test_either_says_complete),
	    work_test(test_edges_follow_the_tickets),
	    work_test(test_wrong_tickets_change_nothing),
	    work_test(test_cycles_of_tickets),
	    work_test(test_prompt),
	    work_test(test_odd_ways_to_write_it),
	    work_test(test_modes_and_links_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
