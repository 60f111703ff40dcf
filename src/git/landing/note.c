#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "git/git.h"
#include "git/repo.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#define PROJECTS "ralph" /* in the common directory: what the repository has of ours */
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
	return xasprintf("%s/" PROJECTS "/%s/notes", common, key ? key : USUAL);
}

static char *
note_member(const json_t *v, const char *key)
{
	const char *s = json_str(v, key, NULL);

	return s && *s != '\0' ? xstrdup(s) : NULL;
}

static int
note_parse(const struct buf *text, struct note *n)
{
	AUTO_JSON *v = json_parse(text->data, text->len, "note", NULL);
	const char *state = v ? json_str(v, "state", "") : "";

	for (int i = NOTE_MAKING; i < NOTE_STATES; i++)
		if (strcmp(state, state_names[i]) == 0)
			n->state = (enum note_state)i;
	n->n = v ? json_int(v, "n", 0) : 0;
	if (n->state == NOTE_NONE || n->n < 1)
		return -1;
	n->start = note_member(v, "start");
	n->safe = note_member(v, "safe");
	n->copied = json_to_strlist(json_object_get(v, "copied"));
	n->why = note_member(v, "why");
	n->session = note_member(v, "session");
	n->nothing = json_bool(v, "nothing", false);
	return 0;
}

static bool
load(const char *dir, const char *id, struct note *n)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, id);
	AUTO_BUF text = BUF_INIT;

	*n = (struct note){.state = NOTE_NONE, .n = 1};
	if (fs_read(AT_FDCWD, path, NOTE_MAX, &text, NULL) == 0 && note_parse(&text, n) == 0)
		return true;
	note_release(n);
	return false;
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
	return json_text(s ? s : "", s ? strlen(s) : 0);
}

/* Removes a note from its former place: the note has been written to its own place, or is not
 * needed any more. */
static void
former_drop(const char *common, const char *id)
{
	AUTO_FREE char *path = xasprintf("%s/" FORMER, common);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, path, NULL);

	if (dir >= 0)
		(void)!fs_unlink(dir, id, NULL);
	(void)!fs_rmdir(AT_FDCWD, path, NULL);
}

int
note_save(const char *common, const char *path, const char *id, struct note *n, struct err *err)
{
	AUTO_CLOSE int dir = fs_mkdirs(path, err) < 0 ? -1 : fs_open_dir(AT_FDCWD, path, err);
	AUTO_JSON *v = json_object();

	if (dir < 0)
		return -1;
	(void)json_object_set_new(v, "state", json_string(state_names[n->state]));
	(void)json_object_set_new(v, "n", json_integer(n->n));
	(void)json_object_set_new(v, "start", note_text_of(n->start));
	(void)json_object_set_new(v, "safe", note_text_of(n->safe));
	(void)json_object_set_new(v, "copied", json_strlist(n->copied));
	(void)json_object_set_new(v, "why", note_text_of(n->why));
	(void)json_object_set_new(v, "session", note_text_of(n->session));
	(void)json_object_set_new(v, "nothing", json_boolean(n->nothing));
	/* A worktree that is being made is nobody's work yet: no harm if the note is lost. */
	if (json_write(dir, id, v, true, n->state == NOTE_MAKING ? FS_NOSYNC : FS_SYNC, err) <
	    0)
		return -1;
	if (n->former)
		former_drop(common, id);
	n->former = false;
	return 0;
}

void
note_drop(const char *common, const char *path, const char *id, struct note *n)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, path, NULL);

	if (dir >= 0)
		(void)!fs_unlink(dir, id, NULL);
	/* Also removes files that killed processes were about to write. */
	if (dir >= 0)
		(void)!fs_sweep(dir, NULL);
	if (n->former)
		former_drop(common, id);
	n->former = false;
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
	char **ids = note_names_in(dir);
	AUTO_STRLIST more = note_names_in(former);

	for (char **id = more; id && *id; id++)
		ids = strlist_add(ids, *id);
	return ids;
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

/* A branch that was kept has its name as long as it is there. */
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

	for (char **id = ids; id && *id && !taken; id++) {
		struct note n;

		if (except && strcmp(*id, except) == 0)
			continue;
		taken = load(dir, *id, &n) && note_has_name(common, &n, *id, name);
		note_release(&n);
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

	for (char **key = keys; key && *key && !taken; key++) {
		AUTO_FREE char *theirs = notes_dir(common, *key);

		taken = is_taken_in(common, theirs, strcmp(theirs, dir) == 0 ? id : NULL, name);
	}
	return taken;
}
