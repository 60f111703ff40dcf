#include "work/todo/views/todo.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/userfile.h"
#include "record/views.h"
#include "work/todo/views/todo_views.h"
#include <errno.h>
#include <fcntl.h>

#define AI_DIR "ai"
#define RALPH_DIR AI_DIR "/ralph"
#define STATE_FILE "state.json"
#define ACTIVITY_FILE "activity.md"
/* While the disk is full, blocks wait; so many at most, the oldest go. */
#define WAITING_MAX 1000

struct layout_todo {
	int root;
	struct todo_block *blocks; /* blocks that are not on the disk yet */
	size_t n;
};

/* ---- life ---------------------------------------------------------------------------- */

/* Opens the directory anew each time: the user may remove it at any time. */
static int
views_todo_dir_open(const struct layout_todo *l, struct err *err)
{
	int fd = fs_open_dir(l->root, RALPH_DIR, NULL);

	if (fd >= 0)
		return fd;
	if (fs_mkdir_shared(l->root, AI_DIR, err) < 0 ||
	    fs_mkdir_shared(l->root, RALPH_DIR, err) < 0)
		return -1;
	return fs_open_dir(l->root, RALPH_DIR, err);
}

struct layout_todo *
layout_todo_open(const char *root, struct err *err)
{
	struct layout_todo *l = xcalloc(1, sizeof(*l));
	AUTO_CLOSE int dir = -1;

	l->root = fs_open_dir(AT_FDCWD, root, err);
	if (l->root >= 0)
		dir = views_todo_dir_open(l, err);
	if (dir < 0) {
		layout_todo_free(l);
		return NULL;
	}
	/* Half-written views of a killed supervisor; they are worth no failure. */
	(void)!fs_sweep(dir, NULL);
	return l;
}

static void
blocks_drop(struct layout_todo *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_release(&l->blocks[i].text);
	l->n -= n;
	if (l->n > 0)
		memmove(l->blocks, l->blocks + n, l->n * sizeof(*l->blocks));
}

void
layout_todo_free(struct layout_todo *l)
{
	if (l == NULL)
		return;
	blocks_drop(l, l->n);
	free(l->blocks);
	auto_close_fn(&l->root);
	free(l);
}

/* ---- activity.md --------------------------------------------------------------------- */

static struct todo_block *
block_new(struct layout_todo *l)
{
	struct todo_block *b;

	if (l->n == WAITING_MAX)
		blocks_drop(l, 1);
	l->blocks = xreallocarray(l->blocks, l->n + 1, sizeof(*l->blocks));
	b = &l->blocks[l->n++];
	*b = (struct todo_block){.text = BUF_INIT};
	return b;
}

void
layout_todo_session(struct layout_todo *l, const struct todo_opening *o)
{
	session_block(o, block_new(l));
}

void
layout_todo_turn(struct layout_todo *l, const struct todo_turn *t)
{
	turn_block(t, block_new(l));
}

void
layout_todo_help(struct layout_todo *l, const struct todo_help *h)
{
	help_block(h, block_new(l));
}

void
layout_todo_progress(struct layout_todo *l, const struct todo_progress *p)
{
	progress_block(p, block_new(l));
}

static int
write_activity(struct layout_todo *l, int dir, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	bool changed = false;

	if (l->n == 0)
		return 0;
	if (view_read(dir, ACTIVITY_FILE, &old, err) < 0)
		return -1;
	buf_add(&text, old.data, old.len);
	for (size_t i = 0; i < l->n; i++)
		changed |= block_add(&text, &l->blocks[i]);
	if (changed && userfile_replace(dir, ACTIVITY_FILE, &old, &text, err) < 0)
		return -1;
	blocks_drop(l, l->n);
	return 0;
}

/* ---- state.json ---------------------------------------------------------------------- */

/* Reads the state file.  *doc is NULL when there is no file, or when the file could not be
 * parsed and was moved aside. */
static int
read_state(int dir, struct buf *text, json_t **doc, struct err *err)
{
	*doc = NULL;
	if (view_read(dir, STATE_FILE, text, err) < 0)
		return -1;
	if (text->len == 0)
		return 0;
	*doc = json_parse(text->data, text->len, STATE_FILE, NULL);
	if (json_is_object(*doc))
		return 0;
	json_decref(*doc);
	*doc = NULL;
	buf_clear(text);
	return fs_move_aside(dir, STATE_FILE, NULL, err);
}

static int
write_state(int dir, const struct todo_now *now, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *doc = NULL;
	json_t *was;

	if (read_state(dir, &old, &was, err) < 0)
		return -1;
	doc = todo_state_document(now, was);
	json_decref(was);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	if (text.len == old.len && memcmp(text.data, old.data, text.len) == 0)
		return 0;
	return userfile_replace(dir, STATE_FILE, &old, &text, err);
}

int
layout_todo_write(struct layout_todo *l, const struct todo_now *now, struct err *err)
{
	AUTO_CLOSE int dir = views_todo_dir_open(l, err);
	int rc;

	if (dir < 0)
		return -1;
	rc = write_activity(l, dir, err);
	if (now != NULL && write_state(dir, now, rc < 0 ? NULL : err) < 0)
		rc = -1;
	return rc;
}
