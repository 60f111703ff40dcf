#include "supervisor/bounds.h"

#include "base/alloc.h"
#include "base/links.h"
#include "record/codec.h"
#include "session/within.h"
#include <fcntl.h>
#include <unistd.h>

/* Paths that a loop writes to, or reads its work from, with room for those that are set. */
struct paths {
	const char *list[16];
};

static struct paths
paths_of(const struct settings *s)
{
	struct paths p = {{".tf", ".tf/ralph", ".tickets", "ai", "ai/ralph", "ai/logs",
	    "ai/ralph/results", "logs", "task-graph.yaml"}};
	const char *const own[] = {s->tickets, s->worktrees_dir, s->todo_file};
	size_t n = 0;

	while (p.list[n] != NULL)
		n++;
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (own[i] != NULL)
			p.list[n++] = own[i];
	return p;
}

/* A loop over prompts writes there only when a command gives them (logs/). */
const char *
bounds_root(const struct settings *s)
{
	return s->root == NULL && s->prompt_command != NULL ? s->cwd : s->root;
}

/* A ticket may be a link, too. */
static void
bounds_add_tickets(struct settings *s, const char *dir)
{
	AUTO_STRLIST links = links_in(bounds_root(s), dir);
	AUTO_STRLIST found = links_find(bounds_root(s), (const char *const *)links);

	for (char **place = found; *place != NULL; place++)
		s->outside = strlist_add(s->outside, *place);
}

void
bounds_find(struct settings *s)
{
	const struct paths paths = paths_of(s);

	s->outside = links_find(bounds_root(s), paths.list);
	if (bounds_root(s) != NULL) {
		bounds_add_tickets(s, s->tickets != NULL ? s->tickets : ".tickets");
		bounds_add_tickets(s, "docs/active/tickets");
	}
	s->links_known = true;
}

static void
keep_within(const struct settings *s, int home, const char *const *watched)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", home);
	AUTO_FREE char *place = realpath(link, NULL);

	links_bound(bounds_root(s), s->outside, place, watched);
}

void
bounds_supervisor(const struct settings *s, int home)
{
	keep_within(s, home, NULL);
}

/* The nearest loop that has a project counts.  An earlier version did not write down where its
 * links led. */
static bool
bounds_take(int session, void *ctx UNUSED)
{
	AUTO_CLOSE int dir = openat(session, "../..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE int home =
	    dir < 0 ? -1 : openat(dir, "../..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct settings s = {0};
	bool taken;

	if (home < 0 || spec_load(dir, &s, NULL) < 0)
		return false;
	taken = bounds_root(&s) != NULL;
	if (taken && s.links_known) {
		const struct paths paths = paths_of(&s);

		keep_within(&s, home, paths.list);
	}
	settings_release(&s);
	return taken;
}

void
bounds_command(void)
{
	session_each_directory(bounds_take, NULL);
}
