#include "work/todo/todo_meta.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/userfile.h"
#include "work/todo/todo_line.h"
#include <errno.h>
#include <fcntl.h>

#define META_MAX ((size_t)64 << 20)
#define META_VERSION 1

static json_t *
empty_doc(void)
{
	json_t *doc = json_pack("{s:i,s:{}}", "version", META_VERSION, "tasks");

	ENSURE(doc != NULL);
	return doc;
}

/* Parses the document; NULL + err: it is none. */
static json_t *
todo_meta_parse(const struct buf *text, const char *path, struct err *err)
{
	size_t bom = todo_bom(text->data, text->len);
	json_t *doc = json_parse(text->data + bom, text->len - bom, path, err);
	const json_t *tasks = json_object_get(doc, "tasks");

	if (doc == NULL)
		return NULL;
	if (json_is_object(doc) && (tasks == NULL || json_is_object(tasks)))
		return doc;
	(void)err_set(err, "%s: it is no object with an object of tasks", path);
	json_decref(doc);
	return NULL;
}

json_t *
todo_meta_load(const char *path, struct buf *notes)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	json_t *doc = NULL;

	if (fs_read(AT_FDCWD, path, META_MAX, &text, &err) == 0)
		doc = todo_meta_parse(&text, path, &err);
	if (doc != NULL)
		return doc;
	if (err.code != ENOENT && notes != NULL)
		buf_addf(notes, "%s; it is taken for empty\n", err.text);
	return empty_doc();
}

/* Finds the key under which the task is known: its id, or the same number written otherwise. */
static const char *
todo_meta_key_find(json_t *tasks, const char *id)
{
	uint64_t number, other;

	if (json_object_get(tasks, id) != NULL)
		return id;
	if (!todo_id_parse(id, &number))
		return NULL;
	for (void *it = json_object_iter(tasks); it != NULL;
	     it = json_object_iter_next(tasks, it))
		if (todo_id_parse(json_object_iter_key(it), &other) && other == number)
			return json_object_iter_key(it);
	return NULL;
}

const json_t *
todo_meta_task(const json_t *doc, const char *id)
{
	json_t *tasks = json_object_get(doc, "tasks");
	const char *key = todo_meta_key_find(tasks, id);

	return key == NULL ? NULL : json_object_get(tasks, key);
}

/* ---- writing ------------------------------------------------------------------------- */

struct change {
	const char *path, *id;
	const struct todo_commit *commit;
};

/* Sets the text; 1 when that is something new. */
static int
todo_meta_set_text(json_t *task, const char *key, const char *text)
{
	json_t *v = json_text(text, strlen(text));
	bool same = json_equal(json_object_get(task, key), v);

	ENSURE(json_object_set_new(task, key, v) == 0);
	return !same;
}

/* 1: the document has changed, 0: it said so already. */
static int
todo_meta_add_commit(json_t *doc, const struct change *c, struct err *err)
{
	json_t *tasks = json_object_get(doc, "tasks"), *task;
	const char *key;
	AUTO_BUF at = BUF_INIT;
	int changed = 0;

	if (tasks == NULL) {
		tasks = json_object();
		ENSURE(tasks != NULL && json_object_set_new(doc, "tasks", tasks) == 0);
	}
	key = todo_meta_key_find(tasks, c->id);
	task = key != NULL ? json_object_get(tasks, key) : NULL;
	if (task == NULL || json_is_null(task)) {
		task = json_object();
		ENSURE(task != NULL &&
		       json_object_set_new(tasks, key != NULL ? key : c->id, task) == 0);
	}
	if (!json_is_object(task))
		return err_set(err, "%s: what it says of %s is no object", c->path, c->id);
	clock_fmt_iso(c->commit->committed_at, &at);
	if (c->commit->hash != NULL) {
		changed |= todo_meta_set_text(task, "commit_hash", c->commit->hash);
		changed |= todo_meta_set_text(task, "committed_at", at.data);
	}
	if (c->commit->diffstat != NULL)
		changed |= todo_meta_set_text(task, "diffstat", c->commit->diffstat);
	return changed;
}

static json_t *
read_doc(struct userfile *f, const struct change *c, struct err *err)
{
	json_t *doc = f->exists ? todo_meta_parse(&f->text, c->path, NULL) : empty_doc();

	if (doc == NULL && userfile_aside(f, NULL, err) == 0)
		doc = empty_doc();
	return doc;
}

static int
change_doc(struct userfile *f, void *ctx, struct buf *out, struct err *err)
{
	const struct change *c = ctx;
	AUTO_JSON *doc = read_doc(f, c, err);
	int rc;

	if (doc == NULL)
		return -1;
	if (json_int(doc, "version", META_VERSION) > META_VERSION)
		return err_code(
		    err, ENOTSUP, "%s is of a newer version, and is left alone", c->path);
	rc = todo_meta_add_commit(doc, c, err);
	if (rc <= 0)
		return rc < 0 ? -1 : 1;
	json_print(doc, false, out);
	buf_addc(out, '\n');
	return 0;
}

int
todo_meta_commit(
    const char *path, const char *id, const struct todo_commit *commit, struct err *err)
{
	struct change c = {.path = path, .id = id, .commit = commit};

	if (todo_id_check(id, err) < 0)
		return -1;
	return userfile_change(AT_FDCWD, path, META_MAX, change_doc, &c, err) < 0 ? -1 : 0;
}
