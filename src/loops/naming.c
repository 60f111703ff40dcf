/*
 * naming.c - the name of a loop that nobody named.
 */
#include "loops/naming.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "base/log.h"
#include "loops/settings.h"
#include "record/codec.h"
#include "record/home.h"
#include <inttypes.h>

#define NAMES_LOCK "names.lock"
#define LOCK_PATIENCE (10 * NSEC_PER_SEC)
#define NUMBER_DIGITS 6 /* of the numbers that are looked at */

const char *
naming_place(const struct settings *s)
{
	return s->root != NULL ? s->root : s->cwd;
}

bool
naming_is_at(const struct settings *s, const char *place)
{
	const char *own = naming_place(s);
	AUTO_FREE char *a = own == NULL ? NULL : realpath(own, NULL);
	AUTO_FREE char *b = realpath(place, NULL);

	if (own == NULL)
		return false;
	return strcmp(a == NULL ? own : a, b == NULL ? place : b) == 0;
}

/* Nobody knows whose a loop without settings is: the supervisor says what is wrong with it. */
static enum name_owner
owner_by_place(const struct loop_view *v, const void *ctx)
{
	return naming_place(&v->settings) == NULL || naming_is_at(&v->settings, ctx)
		   ? NAME_OURS
		   : NAME_OTHERS;
}

/* ---- the names there are --------------------------------------------------------------- */

/* The number that `name` has as one of `usual`: 1 for that itself; 0: it is another. */
static int64_t
number_in(const char *name, const char *usual)
{
	size_t len = strlen(usual);
	const char *digits;

	if (strncmp(name, usual, len) != 0)
		return 0;
	if (name[len] == '\0')
		return 1;
	digits = name + len + 1;
	if (name[len] != '-' || *digits < '1' || *digits > '9' ||
	    strlen(digits) > NUMBER_DIGITS || digits[strspn(digits, "0123456789")] != '\0')
		return 0;
	return strtoll(digits, NULL, 10);
}

static char *
name_with(const char *usual, int64_t number)
{
	return number == 1 ? xstrdup(usual) : xasprintf("%s-%" PRId64, usual, number);
}

/* Is somebody just making the loop?  It has no fact yet, but its name is taken. */
static bool
is_being_made(const char *name)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	AUTO_CLOSE int dir = home < 0 ? -1 : home_loop_open(home, name, NULL);

	return dir >= 0 && lock_is_held(dir, "lock", NULL) == 1;
}

static enum name_owner
naming_judge(const char *name, naming_fn *owner, const void *ctx)
{
	struct loop_view v;
	enum name_owner whose;

	if (loop_view_open_for(&v, name, VIEW_END, NULL) < 0)
		return is_being_made(name) ? NAME_OTHERS : NAME_MAY;
	whose = owner(&v, ctx);
	loop_view_close(&v);
	return whose;
}

static int
by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The numbers that are in use, in order; *n of them. */
static int64_t *
numbers_used(const char *usual, size_t *n)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	AUTO_STRLIST names = NULL;
	int64_t *list;

	*n = 0;
	if (home >= 0)
		(void)!home_loops(home, &names, NULL);
	list = xcalloc(strlist_len(names) + 1, sizeof(*list));
	for (char **one = names; one != NULL && *one != NULL; one++) {
		list[*n] = number_in(*one, usual);
		*n += list[*n] != 0;
	}
	qsort(list, *n, sizeof(*list), by_value);
	return list;
}

/* ---- choosing ---------------------------------------------------------------------------- */

static void
take_lock(int *taking)
{
	AUTO_CLOSE int home = home_open(NULL);
	struct err err = ERR_INIT;
	char self[256];

	if (home < 0)
		return; /* the supervisor will meet the same error, and says why */
	lock_describe_self(self, sizeof(self));
	*taking = lock_take_within(home, NAMES_LOCK, LOCK_PATIENCE, self, &err);
	if (*taking < 0)
		debug("choosing a name without the lock: %s", err.text);
}

char *
naming_choose_by(
    const char *place, const char *kind, naming_fn *owner, const void *ctx, int *taking)
{
	AUTO_FREE char *usual = settings_default_name(place, kind);
	AUTO_FREE int64_t *used = NULL;
	char *chosen = NULL;
	int64_t free_number = 1;
	size_t n;

	if (taking != NULL)
		take_lock(taking);
	used = numbers_used(usual, &n);
	for (size_t i = 0; i < n; i++) {
		AUTO_FREE char *name = name_with(usual, used[i]);
		enum name_owner whose = naming_judge(name, owner, ctx);

		if (whose == NAME_OURS) {
			free(chosen);
			return take_ptr(name);
		}
		if (whose == NAME_MAY && chosen == NULL && used[i] <= free_number)
			chosen = take_ptr(name);
		if (used[i] == free_number)
			free_number++;
	}
	return chosen != NULL ? chosen : name_with(usual, free_number);
}

char *
naming_choose(const char *place, const char *kind, int *taking)
{
	return naming_choose_by(place, kind, owner_by_place, place, taking);
}

void
naming_done(int *taking)
{
	if (taking != NULL && *taking >= 0)
		lock_release(taking);
}
