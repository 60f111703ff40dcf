/*
 * left.c - what an agent left besides work that landed: that there was no change at all,
 * changes that are kept off the branch, and files that git ignores.
 */
#include "work/tickets/lander.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/landing/landing.h"

#define FILES_SHOWN 5

/* Is it a file of .tf/ralph that ralph writes itself, in the project?  Lessons join the
 * project's. */
static bool
left_is_ours(const char *path)
{
	const char *name = basename(path);

	return text_choice("AGENTS.md|progress.md|dispatch-sessions.json", name) >= 0 ||
	       strncmp(name, "dispatch-loop-state", strlen("dispatch-loop-state")) == 0;
}

static void
add_dropped(const struct settings *s, const json_t *landing, struct buf *out)
{
	AUTO_STRLIST files = json_to_strlist(json_object_get(landing, "dropped"));
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (char **file = files; file != NULL && *file != NULL; file++) {
		if (left_is_ours(*file) || ++n > FILES_SHOWN)
			continue;
		buf_adds(&names, names.len > 0 ? ", " : "");
		text_show(&names, *file, strlen(*file), false);
	}
	if (n == 0)
		return;
	if (n > FILES_SHOWN)
		buf_addf(&names, " and %zu more", n - FILES_SHOWN);
	buf_addf(out, "%skept off %s: %zu file%s (%s); they are in %.12s^2",
	    out->len > 0 ? "; " : "", s->branch, n, n == 1 ? "" : "s", names.data,
	    json_str(landing, "commit", "?"));
}

void
left_tell(
    const struct settings *s, enum verdict verdict, const json_t *landing, struct buf *out)
{
	int outcome = land_outcome_parse(json_str(landing, "outcome", ""));
	const char *left = json_str(landing, "left", "");

	if (verdict_is_success(verdict) && s->worktrees && !s->unmerged &&
	    (outcome == LAND_NOTHING || json_bool(landing, "bare", false)))
		buf_addf(out, "done without any change%s",
		    outcome == LAND_NOTHING ? "" : " but that of its ticket");
	if (outcome == LAND_MERGED)
		add_dropped(s, landing, out);
	if (*left != '\0')
		buf_addf(out, "%s%s", out->len > 0 ? "; " : "", left);
}
