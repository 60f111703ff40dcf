/*
 * chosen.c - the loop that is meant when a command's NAME is left out.
 */
#include "cmd/chosen.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "claims/claims.h"
#include "loops/loop_view.h"
#include "loops/naming.h"
#include "record/codec.h"
#include "record/home.h"
#include "session/within.h"
#include <stdio.h>

/* ---- the rule ---------------------------------------------------------------------------- */

size_t
chosen_pick(const struct chosen_loop *list, size_t n, enum chosen_for what)
{
	size_t living = 0, newest = CHOSEN_NONE;

	for (size_t i = 0; i < n; i++) {
		const struct chosen_loop *best = newest == CHOSEN_NONE ? NULL : &list[newest];

		living += list[i].lives;
		if (best == NULL || (list[i].lives && !best->lives) ||
		    (list[i].lives == best->lives && list[i].opened > best->opened))
			newest = i;
	}
	/* The newest is one that lives, if any does. */
	if (what == CHOSEN_ACT && living != 1 && n != 1)
		return CHOSEN_NONE;
	return newest;
}

/* ---- loops that are here ------------------------------------------------------------- */

/* The repository around a directory, or outside of git the directory; NULL: it is gone. */
static char *
repository_of(const char *dir)
{
	AUTO_FREE char *top = NULL;
	char *common = NULL;

	if (claims_place(dir, &top, &common, NULL) == 0)
		return common;
	return realpath(dir, NULL);
}

/* Looks at the loop's settings alone: nobody needs to know what else is wrong with a loop that
 * is not here. */
static bool
chosen_is_here(int home, const char *name, const char *here)
{
	AUTO_CLOSE int dir = home_loop_open(home, name, NULL);
	AUTO_FREE char *repository = NULL;
	struct settings s;

	if (dir < 0 || spec_load(dir, &s, NULL) < 0)
		return false;
	if (naming_place(&s) != NULL)
		repository = repository_of(naming_place(&s));
	settings_release(&s);
	return repository != NULL && strcmp(repository, here) == 0;
}

/* Looks at a loop; false: there is none, though its directory is there. */
static bool
look_at(const char *name, struct chosen_loop *one)
{
	AUTO_VIEW v = VIEW_INIT;

	if (loop_view_open_for(&v, name, VIEW_END, NULL) < 0)
		return false;
	*one = (struct chosen_loop){
	    .name = xstrdup(name),
	    .lives = v.supervised || loop_view_agent_lives(&v),
	    .opened = v.state.opened.wall,
	    .word = v.damage != NULL ? "damaged" : loop_word(&v.state),
	};
	return true;
}

static struct chosen_loop *
list_here(size_t *n)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	AUTO_FREE char *here = repository_of(".");
	struct chosen_loop *list;
	AUTO_STRLIST names = NULL;

	*n = 0;
	if (home < 0 || here == NULL || home_loops(home, &names, NULL) < 0)
		return NULL;
	list = xcalloc(strlist_len(names) + 1, sizeof(*list));
	for (char **name = names; *name != NULL; name++)
		if (chosen_is_here(home, *name, here))
			*n += look_at(*name, &list[*n]);
	return list;
}

static void
list_free(struct chosen_loop *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i].name);
	free(list);
}

/* ---- words --------------------------------------------------------------------------- */

const char *
chosen_about(enum chosen_for what)
{
	if (what == CHOSEN_READ)
		return "Without NAME: of the loops of this repository (outside of git: of this "
		       "directory) the only one that lives, else the newest.";
	if (what == CHOSEN_ACT)
		return "Without NAME: of the loops of this repository (outside of git: of this "
		       "directory) the only one that lives, else the only one there is; "
		       "several are listed, and nothing is done. Agents have to give it.";
	return NULL;
}

static void
say_several(const struct chosen_loop *list, size_t n)
{
	error("which loop? a NAME is missing, and there are several here:");
	for (size_t i = 0; i < n; i++)
		(void)fprintf(stderr, "  %s (%s%s)\n", list[i].name, list[i].word,
		    list[i].lives ? ", lives" : "");
}

static bool
is_agent(void)
{
	AUTO_FREE char *loop = session_variable("RALPH_LOOP");

	return loop != NULL || session_within();
}

char *
chosen_name(enum chosen_for what)
{
	struct chosen_loop *list;
	char *name = NULL;
	size_t n, at;

	if (what == CHOSEN_ACT && is_agent()) {
		error("which loop? a NAME is missing: within an agent's session it is needed");
		return NULL;
	}
	list = list_here(&n);
	at = chosen_pick(list, n, what);
	if (at != CHOSEN_NONE) {
		name = xstrdup(list[at].name);
		(void)fprintf(stderr, "%s: the loop here is %s\n", log_name(), name);
	} else if (n > 0) {
		say_several(list, n);
	} else {
		error("which loop? a NAME is missing, and no loop is here (%s ls shows those "
		      "there are)",
		    log_name());
	}
	list_free(list, n);
	return name;
}
