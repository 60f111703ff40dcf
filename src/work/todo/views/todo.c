#include "work/todo/views/todo.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/userfile.h"
#include "work/todo/todo.h"
#include "work/todo/todo_meta.h"
#include <fcntl.h>

#define AI_DIR "ai"
#define RALPH_DIR AI_DIR "/ralph"
#define STATE_FILE "state.json"
#define ACTIVITY_FILE "activity.md"
/* While the disk is full, blocks wait; so many at most, the oldest go. */
#define WAITING_MAX 1000

/* ---- life ---------------------------------------------------------------------------- */

/* Opens the directory anew each time: the user may remove it at any time. */
static int
views_todo_dir_open(const struct todo_view *l, struct err *err)
{
	int fd = fs_open_dir(l->root, RALPH_DIR, NULL);

	if (fd >= 0)
		return fd;
	if (fs_mkdir_shared(l->root, AI_DIR, err) < 0 ||
	    fs_mkdir_shared(l->root, RALPH_DIR, err) < 0)
		return -1;
	return fs_open_dir(l->root, RALPH_DIR, err);
}

static void
blocks_drop(struct todo_view *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_release(&l->blocks[i].text);
	l->n -= n;
	if (l->n > 0)
		memmove(l->blocks, l->blocks + n, l->n * sizeof(*l->blocks));
}

static void
todo_view_close(struct view *v)
{
	struct todo_view *l = (struct todo_view *)v;

	blocks_drop(l, l->n);
	free(l->blocks);
	story_release(&l->story);
	auto_close_fn(&l->root);
	free(l);
}

static struct view *
todo_view_open(const struct view_of *of, struct err *err)
{
	struct todo_view *l = view_new(sizeof(*l), &todo_view, of);
	AUTO_CLOSE int dir = -1;

	l->root = fs_open_dir(AT_FDCWD, of->settings->root, err);
	if (l->root >= 0)
		dir = views_todo_dir_open(l, err);
	if (dir < 0) {
		todo_view_close(&l->view);
		return NULL;
	}
	/* Half-written views of a killed supervisor; they are worth no failure. */
	(void)!fs_sweep(dir, NULL);
	return &l->view;
}

/* ---- activity.md --------------------------------------------------------------------- */

static struct todo_block *
block_new(struct todo_view *l)
{
	struct todo_block *b;

	if (l->n == WAITING_MAX)
		blocks_drop(l, 1);
	l->blocks = xreallocarray(l->blocks, l->n + 1, sizeof(*l->blocks));
	b = &l->blocks[l->n++];
	*b = (struct todo_block){.text = BUF_INIT};
	return b;
}

/* Adds the block if it was made. */
static void
block_keep(struct todo_view *l, struct todo_block *b, bool made)
{
	if (made)
		*block_new(l) = *b;
	*b = (struct todo_block){.text = BUF_INIT};
}

/* The diffstat that git printed when the task was committed; NULL. */
static char *
diffstat_of(const struct todo_view *l, const struct fact *f)
{
	AUTO_FREE char *path = NULL;
	AUTO_JSON *doc = NULL;
	const char *text;

	if (f->kind != FACT_LANDED || f->key[0] == '\0')
		return NULL;
	path = xasprintf("%s/" TODO_META, l->view.of.settings->root);
	doc = todo_meta_load(path, NULL);
	text = json_str(todo_meta_task(doc, f->task), "diffstat", NULL);
	return text == NULL ? NULL : xstrdup(text);
}

static void
todo_view_fact(struct view *v, const struct decided *d, const struct fact *f)
{
	struct todo_view *l = (struct todo_view *)v;
	AUTO_FREE char *diffstat = diffstat_of(l, f);
	struct todo_block b = {.text = BUF_INIT};

	/* The header of this life comes once it is known who works. */
	if (!d->past && !l->opened) {
		l->opened = todo_block_session(d->state->uid, l->queued, f, &b);
		block_keep(l, &b, l->opened);
	}
	story_fact(&l->story, f);
	block_keep(l, &b, todo_block_progress(&l->story, f, &b));
	block_keep(l, &b, todo_block_turn(&l->story, f, diffstat, &b));
}

void
todo_view_help(struct todo_view *v, const struct todo_help *h)
{
	todo_block_help(h, block_new(v));
}

static int
write_activity(struct todo_view *l, int dir, struct err *err)
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
		changed |= todo_block_add(&text, &l->blocks[i]);
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
write_state(const struct todo_view *l, int dir, const struct loop_state *state, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *doc = NULL;
	json_t *was;

	if (read_state(dir, &old, &was, err) < 0)
		return -1;
	doc = todo_state_document(l, state, was);
	json_decref(was);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	return buf_same(&text, &old) ? 0 : userfile_replace(dir, STATE_FILE, &old, &text, err);
}

static int
todo_view_write(struct view *v, const struct loop_state *state, struct err *err)
{
	struct todo_view *l = (struct todo_view *)v;
	AUTO_CLOSE int dir = views_todo_dir_open(l, err);
	int rc;

	if (dir < 0)
		return -1;
	rc = write_activity(l, dir, err);
	if (write_state(l, dir, state, rc < 0 ? NULL : err) < 0)
		rc = -1;
	return rc;
}

const struct view_ops todo_view = {
    .name = RALPH_DIR,
    .past = true,
    .open = todo_view_open,
    .fact = todo_view_fact,
    .write = todo_view_write,
    .close = todo_view_close,
};
