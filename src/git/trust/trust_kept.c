/*
 * trust_kept.c - who else knows that there is a record, and what it said.
 *
 * A file without content in the repository's common git directory says that this home has a
 * record of it; its name is made of both places, and of when the home was made, so that a copy
 * of the repository and another home have none:
 *
 *   PLACE/ralph-trust/HASH
 *
 * And a process that has begun a loop remembers the record as it last read or wrote it.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "git/repo.h"
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WITNESSES "ralph-trust"

/* ---- witness ------------------------------------------------------------------------- */

/* The time when the directory around the records was made: a home that is made anew at the same
 * path, as in every run of a container, has lost nothing.  0 when the file system does not
 * tell. */
static int64_t
home_age(const char *home)
{
	AUTO_FREE char *state = fs_parent(home);
	struct statx st;

	if (statx(AT_FDCWD, state, 0, STATX_BTIME, &st) < 0 || (st.stx_mask & STATX_BTIME) == 0)
		return 0;
	return st.stx_btime.tv_sec * 1000000000 + (int64_t)st.stx_btime.tv_nsec;
}

static char *
witness_name(const char *home, const char *place)
{
	AUTO_FREE char *both = xasprintf("%s\n%" PRId64 "\n%s", home, home_age(home), place);

	return xasprintf("%016" PRIx64, text_hash(both));
}

bool
trust_witness(const char *home, const char *place)
{
	AUTO_FREE char *name = witness_name(home, place);
	AUTO_FREE char *path = xasprintf("%s/" WITNESSES "/%s", place, name);

	return path_is_there(path);
}

static int
witness_put(const char *home, const char *place, struct err *err)
{
	AUTO_FREE char *name = witness_name(home, place);
	AUTO_FREE char *path = xasprintf("%s/" WITNESSES, place);
	AUTO_CLOSE int dir = -1;

	if (fs_mkdir(AT_FDCWD, path, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, path, err);
	return dir < 0 ? -1 : fs_create(dir, name, err);
}

/* When the witness cannot be made, the record alone counts; the next save tries again. */
void
trust_witness_make(const char *home, const char *place)
{
	static bool said;
	struct err err = ERR_INIT;

	if (trust_witness(home, place) || witness_put(home, place, &err) >= 0 || said)
		return;
	said = true;
	warning("nobody would miss the record of what a person agreed to: %s", err.text);
}

/* ---- memory -------------------------------------------------------------------------- */

static struct {
	char *place, *loop; /* NULL: this process has begun no loop */
	char *text;	    /* NULL: not known yet */
} kept;

void
trust_kept_begin(const char *place, const char *loop)
{
	trust_kept_end();
	kept.place = xstrdup(place);
	kept.loop = xstrdup(loop);
}

void
trust_kept_end(void)
{
	free(take_ptr(kept.place));
	free(take_ptr(kept.loop));
	free(take_ptr(kept.text));
}

static bool
is_kept(const char *place)
{
	return kept.place != NULL && strcmp(kept.place, place) == 0;
}

bool
trust_kept_is(const char *place, const char *loop)
{
	return is_kept(place) && strcmp(kept.loop, loop) == 0;
}

void
trust_kept_put(const char *place, const char *text)
{
	if (!is_kept(place) || (kept.text != NULL && strcmp(kept.text, text) == 0))
		return;
	free(kept.text);
	kept.text = xstrdup(text);
}

json_t *
trust_kept(const char *place)
{
	return is_kept(place) && kept.text != NULL
		   ? json_parse(kept.text, strlen(kept.text), place, NULL)
		   : NULL;
}

bool
trust_is_ours(const json_t *record, const char *place)
{
	return !is_kept(place) || kept.text == NULL ||
	       trust_has(json_object_get(record, "open"), kept.loop);
}
