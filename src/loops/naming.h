/*
 * naming.h - the name of a loop that nobody named: DIR-KIND, or DIR-KIND-2 and so on.
 *
 * Such a name belongs to the place of the loop that has it (the project, or the directory its
 * agents work in), as long as there is that loop, whether it runs or is over.  So a place gets
 * its own name again, and another place whose directory is called the same gets the next number
 * that is free.  A name that was given with --name is everybody's; nothing is chosen then.
 *
 * Two places that choose at the same time would choose the same name.  So the command that
 * chooses holds a lock of the state home until the loop's settings are written down
 * (naming_done).  A command that cannot have the lock within ten seconds goes on without; then
 * the supervisor refuses, since it looks whose the name is when it has the loop's own lock.
 */
#ifndef LOOPS_NAMING_H
#define LOOPS_NAMING_H

#include "loop/settings.h"
#include "loops/loop_view.h"

/* How the search for a name judges a loop that exists. */
enum name_owner {
	NAME_OURS,   /* the name to have again */
	NAME_MAY,    /* one that may be had, if there is no such */
	NAME_OTHERS, /* to be left alone */
};
typedef enum name_owner naming_fn(const struct loop_view *v, const void *ctx);

/*
 * Chooses the name for such a loop at that place; the caller frees it.  *taking becomes the
 * lock; `taking` NULL: only tells what the name would be, and writes nothing.
 */
char *naming_choose(const char *place, const char *kind, int *taking) NODISCARD;
/* Like naming_choose, but `owner` says whose a loop is. */
char *naming_choose_by(const char *place, const char *kind, naming_fn *owner, const void *ctx,
    int *taking) NODISCARD;
/* Lets go of the lock, if there is one. */
void naming_done(int *taking);

/* The place where a loop is at home: the settings' own string, or NULL when they do not say. */
const char *naming_place(const struct settings *s);
/* Is the loop at home at `place`, however the two paths are written? */
bool naming_is_at(const struct settings *s, const char *place);

#endif
