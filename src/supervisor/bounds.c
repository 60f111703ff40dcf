#include "supervisor/bounds.h"

#include "base/alloc.h"
#include "base/links.h"
#include "record/codec.h"
#include "session/within.h"
#include "supervisor/kind.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The paths that a loop writes to, or reads its work from: the paths of all kinds, since the
 * loop's agents may run the commands of any kind, and the paths of the settings. */
static char **
paths_of(const struct settings *s)
{
	const char *const own[] = {s->tickets, s->worktrees_dir, s->todo_file};
	char **paths = NULL;

	for (const struct kind *const *k = kind_all; *k != NULL; k++)
		for (const char *const *path = (*k)->paths; path != NULL && *path != NULL;
		     path++)
			paths = strlist_add(paths, *path);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (own[i] != NULL)
			paths = strlist_add(paths, own[i]);
	return paths;
}

/* A loop over prompts writes there only when a command gives them (logs/). */
const char *
bounds_root(const struct settings *s)
{
	return s->root == NULL && s->prompt_command != NULL ? s->cwd : s->root;
}

/* Adds the places that links in a directory of work lead to. */
static void
bounds_add_files(struct settings *s, const char *dir)
{
	AUTO_STRLIST links = links_in(bounds_root(s), dir);
	AUTO_STRLIST found = links_find(bounds_root(s), (const char *const *)links);

	for (char **place = found; *place != NULL; place++)
		s->outside = strlist_add(s->outside, *place);
}

/* Are these the settings of a loop of that kind? */
static bool
is_of(const struct kind *k, const struct settings *s)
{
	return k->source != NULL && s->source != NULL &&
	       strcmp(k->source->name, s->source) == 0;
}

void
bounds_find(struct settings *s)
{
	AUTO_STRLIST paths = paths_of(s);

	strlist_free(s->outside);
	s->outside = links_find(bounds_root(s), (const char *const *)paths);
	if (bounds_root(s) != NULL && s->tickets != NULL)
		bounds_add_files(s, s->tickets);
	for (const struct kind *const *k = kind_all; bounds_root(s) != NULL && *k != NULL; k++)
		if ((*k)->files != NULL && !(s->tickets != NULL && is_of(*k, s)))
			bounds_add_files(s, (*k)->files);
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
		AUTO_STRLIST paths = paths_of(&s);

		keep_within(&s, home, (const char *const *)paths);
	}
	settings_release(&s);
	return taken;
}

void
bounds_command(void)
{
	session_each_directory(bounds_take, NULL);
}
