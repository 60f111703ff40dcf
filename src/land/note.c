#include "land/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#define NOTES "ralph-tickets"
#define NOTE_MAX ((size_t)1024 * 1024)

static const char *const state_names[NOTE_STATES] = {
    [NOTE_NONE] = "none",
    [NOTE_MAKING] = "making",
    [NOTE_READY] = "ready",
    [NOTE_VERIFYING] = "verifying",
    [NOTE_LEAVING] = "leaving",
};

void
note_release(struct note *n)
{
	free(n->start);
	free(n->safe);
	strlist_free(n->copied);
	free(n->why);
	*n = (struct note){.state = NOTE_NONE, .n = 1};
}

static int
notes_open(const char *common, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, common, err);

	if (dir < 0 || fs_mkdir(dir, NOTES, err) < 0)
		return -1;
	return fs_open_dir(dir, NOTES, err);
}

static char *
member(const json_t *v, const char *key)
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
	n->start = member(v, "start");
	n->safe = member(v, "safe");
	n->copied = json_to_strlist(json_object_get(v, "copied"));
	n->why = member(v, "why");
	return 0;
}

void
note_load(const char *common, const char *id, struct note *n)
{
	AUTO_FREE char *path = xasprintf("%s/" NOTES "/%s", common, id);
	AUTO_BUF text = BUF_INIT;

	*n = (struct note){.state = NOTE_NONE, .n = 1};
	if (fs_read(AT_FDCWD, path, NOTE_MAX, &text, NULL) < 0 || note_parse(&text, n) < 0)
		note_release(n);
}

static json_t *
text_of(const char *s)
{
	return json_text(s ? s : "", s ? strlen(s) : 0);
}

int
note_save(const char *common, const char *id, const struct note *n, struct err *err)
{
	AUTO_CLOSE int dir = notes_open(common, err);
	AUTO_JSON *v = json_object();
	AUTO_BUF text = BUF_INIT;

	if (dir < 0)
		return -1;
	(void)json_object_set_new(v, "state", json_string(state_names[n->state]));
	(void)json_object_set_new(v, "n", json_integer(n->n));
	(void)json_object_set_new(v, "start", text_of(n->start));
	(void)json_object_set_new(v, "safe", text_of(n->safe));
	(void)json_object_set_new(v, "copied", json_strlist(n->copied));
	(void)json_object_set_new(v, "why", text_of(n->why));
	json_print(v, true, &text);
	buf_addc(&text, '\n');
	/* A worktree that is being made is nobody's work yet: no harm if the note is lost. */
	return fs_replace(
	    dir, id, text.data, text.len, n->state == NOTE_MAKING ? FS_NOSYNC : FS_SYNC, err);
}

void
note_drop(const char *common, const char *id)
{
	AUTO_CLOSE int dir = notes_open(common, NULL);

	if (dir < 0)
		return;
	(void)!fs_unlink(dir, id, NULL);
	/* And what killed ones were about to write. */
	(void)!fs_sweep(dir, NULL);
}

void
note_name(const char *id, int64_t n, struct buf *out)
{
	buf_adds(out, id);
	if (n > 1)
		buf_addf(out, "-%" PRId64, n);
}

char **
note_list(const char *common)
{
	AUTO_CLOSE int dir = notes_open(common, NULL);
	char **ids = NULL;

	return dir < 0 || fs_list(dir, ".", &ids, NULL) < 0 ? NULL : ids;
}

int
note_time(const char *common, const char *id, struct timespec *at)
{
	AUTO_FREE char *path = xasprintf("%s/" NOTES "/%s", common, id);
	struct stat st;

	if (lstat(path, &st) < 0)
		return -1;
	*at = st.st_ctim;
	return 0;
}

bool
note_is_taken(const char *common, const char *id, const char *name)
{
	char **ids = note_list(common);
	bool taken = false;

	for (char **other = ids; other && *other && !taken; other++) {
		AUTO_BUF theirs = BUF_INIT;
		struct note n;

		if (strcmp(*other, id) == 0)
			continue;
		note_load(common, *other, &n);
		note_name(*other, n.n, &theirs);
		taken = n.state != NOTE_NONE && strcmp(theirs.data, name) == 0;
		note_release(&n);
	}
	strlist_free(ids);
	return taken;
}
