#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#define PROJECTS "ralph" /* in the common directory: our files about the repository */
#define USUAL "tickets"
#define FORMER "ralph-tickets" /* where the notes of all projects were once */
#define NOTE_MAX ((size_t)1024 * 1024)

static const char *const state_names[NOTE_STATES] = {
    [NOTE_NONE] = "none",
    [NOTE_MAKING] = "making",
    [NOTE_READY] = "ready",
    [NOTE_VERIFYING] = "verifying",
    [NOTE_LEAVING] = "leaving",
    [NOTE_PAST] = "past",
};

void
note_release(struct note *n)
{
	free(n->start);
	free(n->safe);
	strlist_free(n->copied);
	free(n->why);
	free(n->session);
	*n = (struct note){.state = NOTE_NONE, .n = 1};
}

char *
notes_dir(const char *common, const char *key)
{
	return xasprintf("%s/" PROJECTS "/%s/notes", common, key != NULL ? key : USUAL);
}

static char *
note_member(const json_t *v, const char *key)
{
	const char *s = json_str(v, key, NULL);

	return s != NULL && *s != '\0' ? xstrdup(s) : NULL;
}

static bool
load(const char *dir, const char *id, struct note *n)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, id);
	AUTO_JSON *v = json_read(AT_FDCWD, path, NOTE_MAX, NULL);
	const char *state = json_str(v, "state", "");

	*n = (struct note){.state = NOTE_NONE, .n = 1};
	for (int i = NOTE_MAKING; json_int(v, "n", 0) >= 1 && i < NOTE_STATES; i++)
		if (strcmp(state, state_names[i]) == 0)
			n->state = (enum note_state)i;
	if (n->state == NOTE_NONE)
		return false;
	n->n = json_int(v, "n", 1);
	n->start = note_member(v, "start");
	n->safe = note_member(v, "safe");
	n->copied = json_to_strlist(json_object_get(v, "copied"));
	n->why = note_member(v, "why");
	n->session = note_member(v, "session");
	n->nothing = json_bool(v, "nothing", false);
	return true;
}

void
note_load(const char *common, const char *dir, const char *id, struct note *n)
{
	AUTO_FREE char *former = xasprintf("%s/" FORMER, common);

	if (!load(dir, id, n))
		n->former = load(former, id, n);
}

static json_t *
note_text_of(const char *s)
{
	return json_text(s != NULL ? s : "", s != NULL ? strlen(s) : 0);
}

/* Removes a note from its former place, if it lies there: the note has been written to its own
 * place, or is not needed any more. */
static void
former_drop(const char *common, const char *id, struct note *n)
{
	AUTO_FREE char *path = xasprintf("%s/" FORMER, common);
	AUTO_CLOSE int dir = n->former ? fs_open_dir(AT_FDCWD, path, NULL) : -1;

	if (dir >= 0)
		(void)!fs_unlink(dir, id, NULL);
	if (n->former)
		(void)!fs_rmdir(AT_FDCWD, path, NULL);
	n->former = false;
}

int
note_save(const char *common, const char *path, const char *id, struct note *n, struct err *err)
{
	AUTO_CLOSE int dir = fs_mkdirs(path, err) < 0 ? -1 : fs_open_dir(AT_FDCWD, path, err);
	AUTO_JSON *v = json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:b}", "state",
	    state_names[n->state], "n", (json_int_t)n->n, "start", note_text_of(n->start),
	    "safe", note_text_of(n->safe), "copied", json_strlist(n->copied), "why",
	    note_text_of(n->why), "session", note_text_of(n->session), "nothing", n->nothing);

	/* A worktree that is being made is nobody's work yet: no harm if the note is lost. */
	if (dir < 0 || json_write(dir, id, v, true,
			   n->state == NOTE_MAKING ? FS_NOSYNC : FS_SYNC, err) < 0)
		return -1;
	former_drop(common, id, n);
	return 0;
}

void
note_drop(const char *common, const char *path, const char *id, struct note *n)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, path, NULL);

	/* Also removes files that killed processes were about to write. */
	if (dir >= 0) {
		(void)!fs_unlink(dir, id, NULL);
		(void)!fs_sweep(dir, NULL);
	}
	former_drop(common, id, n);
}

void
note_name(const char *id, int64_t n, struct buf *out)
{
	buf_adds(out, id);
	if (n > 1)
		buf_addf(out, "-%" PRId64, n);
}

static char **
note_names_in(const char *path)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, path, NULL);
	char **names = NULL;

	return dir < 0 || fs_list(dir, ".", &names, NULL) < 0 ? NULL : names;
}

char **
note_list(const char *common, const char *dir)
{
	AUTO_FREE char *former = xasprintf("%s/" FORMER, common);
	AUTO_STRLIST more = note_names_in(former);

	return strlist_more(note_names_in(dir), (const char *const *)more);
}

int
note_time(const char *common, const char *dir, const char *id, struct timespec *at)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, id);
	AUTO_FREE char *former = xasprintf("%s/" FORMER "/%s", common, id);
	struct stat st;

	if (lstat(path, &st) < 0 && lstat(former, &st) < 0)
		return -1;
	*at = st.st_ctim;
	return 0;
}

/* Is the branch there?  Also true when git cannot tell. */
static bool
has_branch(const char *common, const char *name)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/ralph/%s", name);
	AUTO_RUN result = RUN_INIT;

	return git_ask(common, "git show-ref", ARGS("show-ref", "--verify", "--quiet", ref),
		   &result, NULL) < 0 ||
	       exit_number(result.status) != 1;
}

/* Does the note take that name?  A branch that was kept takes its name as long as it exists. */
static bool
note_has_name(const char *common, const struct note *n, const char *id, const char *name)
{
	AUTO_BUF theirs = BUF_INIT;

	note_name(id, n->n, &theirs);
	if (n->state == NOTE_NONE || strcmp(theirs.data, name) != 0)
		return false;
	return n->state != NOTE_PAST || has_branch(common, name);
}

/* Does any ticket of that directory, except `except`, have the name? */
static bool
is_taken_in(const char *common, const char *dir, const char *except, const char *name)
{
	AUTO_STRLIST ids = note_names_in(dir);
	bool taken = false;

	for (char **id = ids; id != NULL && *id != NULL && !taken; id++) {
		AUTO(note_release) struct note n = {.state = NOTE_NONE};

		taken = !text_same(*id, except) && load(dir, *id, &n) &&
			note_has_name(common, &n, *id, name);
	}
	return taken;
}

bool
note_is_taken(const char *common, const char *dir, const char *id, const char *name)
{
	AUTO_FREE char *projects = xasprintf("%s/" PROJECTS, common);
	AUTO_FREE char *former = xasprintf("%s/" FORMER, common);
	AUTO_STRLIST keys = note_names_in(projects);
	bool taken = is_taken_in(common, former, id, name);

	for (char **key = keys; key != NULL && *key != NULL && !taken; key++) {
		AUTO_FREE char *theirs = notes_dir(common, *key);

		taken = is_taken_in(common, theirs, strcmp(theirs, dir) == 0 ? id : NULL, name);
	}
	return taken;
}
