/*
 * trust_project.c - the configuration of projects: which there are, what they name, what
 * counts.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX_BYTES ((size_t)1 << 20)

/* The beginning that the names of a project's facts share. */
static char *
trust_project_kind_of(const char *root)
{
	AUTO_FREE char *path = xasprintf("%s/" TRUST_PROJECT_FILE, root);

	return trust_name(TRUST_FILE, path);
}

static void
project_read(const char *root, json_t *now, json_t *stamps)
{
	AUTO_FREE char *path = xasprintf("%s/" TRUST_PROJECT_FILE, root);
	AUTO_FREE char *kind = trust_project_kind_of(root);
	AUTO_JSON *doc = NULL;
	bool unreadable;

	trust_stamp_put(stamps, path);
	doc = json_read(AT_FDCWD, path, FILE_MAX_BYTES, NULL);
	unreadable = !json_is_object(doc) && access(path, F_OK) == 0;
	for (const struct trust_project_key *key = trust_project_keys; key->name != NULL;
	     key++) {
		AUTO_FREE char *name = xasprintf("%s %s", kind, key->name);
		json_t *value = json_object_get(doc, key->name);

		if (unreadable)
			(void)json_object_set_new(now, name, json_string(TRUST_UNREADABLE));
		else if (value != NULL && !json_is_null(value))
			(void)json_object_set(now, name, value);
	}
}

void
trust_projects_read(const json_t *record, json_t *now, json_t *stamps)
{
	const json_t *projects = json_object_get(record, "projects");

	for (size_t i = 0; i < json_array_size(projects); i++) {
		AUTO_BUF root = BUF_INIT;

		trust_bytes(json_string_value(json_array_get(projects, i)), &root);
		project_read(root.data, now, stamps);
	}
}

/* ---- come and go --------------------------------------------------------------------- */

/* Adds a project that was not watched so far: its file is seen for the first time, and so
 * agreed to, unless the record was lost.  (Without stamps everything is read once more.) */
static void
project_see(json_t *record, const char *dir)
{
	json_t *projects = json_object_get(record, "projects");
	AUTO_FREE char *root = realpath(dir, NULL);
	AUTO_FREE char *name = root != NULL ? trust_name("", root) : NULL;

	if (name == NULL || trust_has(projects, name))
		return;
	trust_add(projects, name);
	if (trust_is_unseen(record)) {
		AUTO_FREE char *kind = trust_project_kind_of(root);
		AUTO_JSON *now = json_object();
		AUTO_JSON *stamps = json_object();

		project_read(root, now, stamps);
		trust_compare(record, now, kind, true);
		(void)json_object_clear(json_object_get(record, "stamps"));
		return;
	}
	project_read(
	    root, json_object_get(record, "trusted"), json_object_get(record, "stamps"));
}

void
trust_projects_see(json_t *record, const char *dir)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_FREE char *top = trust_top(place);

	trust_prune(record, "projects", trust_project_kind_of);
	project_see(record, dir);
	/* An agent that works below the top could make it a project. */
	project_see(record, top);
}

/* ---- what counts --------------------------------------------------------------------- */

/* Sets a key that agents have changed to what a person agreed to, in doc.  True: the key was
 * changed. */
static bool
key_restore(const json_t *record, const char *kind, const char *key, json_t *doc)
{
	AUTO_FREE char *name = xasprintf("%s %s", kind, key);
	json_t *agreed = trust_agreed(record, name);

	if (json_object_get(json_object_get(record, "untrusted"), name) == NULL)
		return false;
	if (agreed != NULL)
		(void)json_object_set(doc, key, agreed);
	else
		(void)json_object_del(doc, key);
	return true;
}

int
trust_project(const char *root, struct buf *text, struct err *err)
{
	bool changed = false;
	AUTO_FREE char *real = realpath(root, NULL);
	AUTO_FREE char *place = real != NULL ? trust_place(real, NULL) : NULL;
	AUTO_FREE char *kind = real != NULL ? trust_project_kind_of(real) : NULL;
	struct err why = ERR_INIT;
	AUTO_JSON *record = place != NULL ? trust_record(place, &why) : NULL;
	AUTO_JSON *doc = NULL;

	if (record == NULL)
		return why.code != 0 ? err_pass(err, &why) : 0;
	doc = text->len > 0 ? json_parse(text->data, text->len, root, NULL) : json_object();
	/* Text that is no JSON object stays as it is: its reader says what is wrong with it. */
	for (const struct trust_project_key *key = trust_project_keys;
	     key->name != NULL && json_is_object(doc); key++)
		changed |= key_restore(record, kind, key->name, doc);
	if (changed) {
		buf_clear(text);
		json_print(doc, false, text);
	}
	return 0;
}
