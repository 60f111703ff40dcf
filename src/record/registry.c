/*
 * registry.c - ~/.swarm/state.json.
 */
#include "record/registry.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include <errno.h>

#define FILE_NAME "state.json"
#define LOCK_NAME "state.lock"
#define FILE_MAX ((size_t)64 << 20)
#define LOCK_PATIENCE (3 * NSEC_PER_SEC)

static bool
is_usable(const json_t *record)
{
	const char *name = json_str(record, "name", NULL);

	return name != NULL && name[0] != '\0' && json_str(record, "status", NULL) != NULL &&
	       json_is_array(json_object_get(record, "cmd")) &&
	       json_str(record, "cwd", NULL) != NULL &&
	       json_str(record, "started", NULL) != NULL;
}

static bool
registry_has_name(const json_t *record, const char *name)
{
	return strcmp(json_str(record, "name", ""), name) == 0;
}

/* The whole document; NULL and no error when there is none (any more).  `locked`: nobody else
 * writes now.  Only then is a file that cannot be read one that is broken. */
static json_t *
read_document(int home, bool locked, struct registry_notes *notes, struct err *err)
{
	AUTO_BUF data = BUF_INIT;
	AUTO_BUF moved = BUF_INIT;
	struct err why = ERR_INIT;
	json_t *doc;

	if (fs_read(home, FILE_NAME, FILE_MAX, &data, &why) < 0) {
		if (why.code != ENOENT && err != NULL)
			*err = why;
		return NULL;
	}
	doc = json_parse(data.data, data.len, FILE_NAME, &why);
	if (doc != NULL && json_is_array(json_object_get(doc, "workers")))
		return doc;
	json_decref(doc);
	if (!locked) {
		AUTO_CLOSE int held =
		    lock_take_within(home, LOCK_NAME, LOCK_PATIENCE, NULL, err);

		return held < 0 ? NULL : read_document(home, true, notes, err);
	}
	if (fs_move_aside(home, FILE_NAME, &moved, err) < 0)
		return NULL;
	if (notes != NULL)
		buf_addf(&notes->text, "corrupt state file, resetting (the old one is %s)\n",
		    moved.data);
	return NULL;
}

json_t *
registry_load(int home, struct registry_notes *notes, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_JSON *doc = read_document(home, false, notes, &why);
	json_t *out, *record;
	size_t i;

	if (doc == NULL && why.text[0] != '\0') {
		(void)err_pass(err, &why);
		return NULL;
	}
	out = json_array();
	json_array_foreach (json_object_get(doc, "workers"), i, record) {
		if (is_usable(record)) {
			(void)json_array_append(out, record);
			continue;
		}
		if (notes == NULL)
			continue;
		notes->malformed++;
		buf_addf(&notes->text, "malformed worker record %zu in " FILE_NAME "\n", i + 1);
	}
	return out;
}

/* ---- changing ---------------------------------------------------------------- */

static void
merge(json_t *old, json_t *record)
{
	const char *key;
	json_t *value;

	json_object_foreach (record, key, value) {
		json_t *was = json_object_get(old, key);

		if (strcmp(key, "metadata") == 0 && json_is_object(was) &&
		    json_is_object(value))
			(void)json_object_update(was, value);
		else
			(void)json_object_set(old, key, value);
	}
}

static void
put(json_t *workers, const char *name, json_t *record)
{
	for (size_t i = 0; i < json_array_size(workers); i++) {
		json_t *one = json_array_get(workers, i);

		if (registry_has_name(one, name)) {
			merge(one, record);
			return;
		}
	}
	(void)json_array_append(workers, record);
}

/* Every record of that name: others may have written it more than once. */
static void
registry_drop(json_t *workers, const char *name)
{
	for (size_t i = json_array_size(workers); i > 0; i--)
		if (registry_has_name(json_array_get(workers, i - 1), name))
			(void)json_array_remove(workers, i - 1);
}

int
registry_put(int home, const char *name, json_t *record, bool wait, struct err *err)
{
	AUTO_CLOSE int held =
	    lock_take_within(home, LOCK_NAME, wait ? LOCK_PATIENCE : 0, NULL, err);
	AUTO_JSON *doc = NULL;
	struct err why = ERR_INIT;

	if (held < 0)
		return -1;
	doc = read_document(home, true, NULL, &why);
	if (doc == NULL && why.text[0] != '\0')
		return err_pass(err, &why);
	if (doc == NULL)
		doc = json_pack("{s:[]}", "workers");
	if (record != NULL)
		put(json_object_get(doc, "workers"), name, record);
	else
		registry_drop(json_object_get(doc, "workers"), name);
	/* Removes the temporary files of killed writers; a failure does not matter. */
	(void)!fs_sweep(home, NULL);
	/* Synced: records of others are in it, which nobody could write again. */
	return json_write(home, FILE_NAME, doc, false, FS_SYNC, err);
}

int
registry_remove(int home, const char *name, struct err *err)
{
	return registry_put(home, name, NULL, true, err);
}
