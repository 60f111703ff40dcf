/*
 * The bytes are ~/.swarm/state.json, as another program may have left it.  What is read are its
 * usable records; what we change is our own record, and all else in the file stays as it was;
 * the same change again changes nothing; and what cannot be read is kept aside, byte for byte.
 *
 * A first byte of 'o' makes the first record with a name ours.
 */
#include "record/registry.h"
#include "scratch.h"

#define FILE_NAME "state.json"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int dir;

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	dir = scratch_open("registry");
	return 0;
}

static void
read_text(const char *name, struct buf *out)
{
	buf_clear(out);
	ENSURE(fs_read(dir, name, (size_t)1 << 24, out, NULL) == 0);
}

static json_t *
read_document(void)
{
	AUTO_BUF text = BUF_INIT;
	json_t *doc;

	read_text(FILE_NAME, &text);
	doc = json_parse(text.data, text.len, FILE_NAME, NULL);
	ENSURE(json_is_array(json_object_get(doc, "workers")));
	return doc;
}

/* ---- reading ----------------------------------------------------------------------- */

/* Every record is one that was loaded, or is counted as malformed; in order. */
static void
check_loaded(const json_t *doc)
{
	struct registry_notes notes = {.text = BUF_INIT};
	struct err err = ERR_INIT;
	AUTO_JSON *loaded = registry_load(dir, &notes, &err);
	const json_t *all = json_object_get(doc, "workers");
	size_t next = 0;

	ENSURE(json_is_array(loaded));
	for (size_t i = 0; i < json_array_size(all); i++)
		if (next < json_array_size(loaded) &&
		    json_equal(json_array_get(all, i), json_array_get(loaded, next)))
			next++;
	ENSURE(next == json_array_size(loaded));
	ENSURE(next + (size_t)notes.malformed == json_array_size(all));
	ENSURE((notes.malformed > 0) == (notes.text.len > 0));
	buf_release(&notes.text);
}

static void
check_aside(const uint8_t *data, size_t size)
{
	struct registry_notes notes = {.text = BUF_INIT};
	struct err err = ERR_INIT;
	AUTO_JSON *loaded = registry_load(dir, &notes, &err);
	AUTO_BUF kept = BUF_INIT;
	char **names;
	size_t found = 0;

	ENSURE(json_array_size(loaded) == 0 && json_is_array(loaded) && notes.text.len > 0);
	ENSURE(faccessat(dir, FILE_NAME, F_OK, 0) < 0);
	ENSURE(fs_list(dir, ".", &names, NULL) == 0);
	for (size_t i = 0; names[i] != NULL; i++) {
		if (strstr(names[i], ".corrupt.") == NULL)
			continue;
		read_text(names[i], &kept);
		ENSURE(kept.len == size && (size == 0 || memcmp(kept.data, data, size) == 0));
		ENSURE(strstr(notes.text.data, names[i]) != NULL);
		ENSURE(fs_unlink(dir, names[i], NULL) == 0);
		found++;
	}
	ENSURE(found == 1);
	strlist_free(names);
	buf_release(&notes.text);
}

/* ---- changing ---------------------------------------------------------------------- */

static bool
is_ours(const json_t *record, const char *name)
{
	return strcmp(json_str(record, "name", ""), name) == 0;
}

/* Both documents have the same but for the records of that name. */
static void
check_others(const json_t *was, const json_t *is, const char *name)
{
	AUTO_JSON *a = json_deep_copy(was);
	AUTO_JSON *b = json_deep_copy(is);
	json_t *const docs[] = {a, b};

	for (size_t d = 0; d < ARRAY_LEN(docs); d++) {
		json_t *workers = json_object_get(docs[d], "workers");

		for (size_t i = json_array_size(workers); i > 0; i--)
			if (is_ours(json_array_get(workers, i - 1), name))
				ENSURE(json_array_remove(workers, i - 1) == 0);
	}
	ENSURE(json_equal(a, b));
}

static const json_t *
find(const json_t *doc, const char *name)
{
	const json_t *workers = json_object_get(doc, "workers");

	for (size_t i = 0; i < json_array_size(workers); i++)
		if (is_ours(json_array_get(workers, i), name))
			return json_array_get(workers, i);
	return NULL;
}

/* What was in our record and is not replaced is still there. */
static void
check_merged(const json_t *was, const json_t *is, json_t *change)
{
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)(uintptr_t)was, key, value)
		if (json_object_get(change, key) == NULL)
			ENSURE(json_equal(value, json_object_get(is, key)));
	json_object_foreach (change, key, value)
		if (strcmp(key, "metadata") != 0)
			ENSURE(json_equal(value, json_object_get(is, key)));
	ENSURE(strcmp(json_str(json_object_get(is, "metadata"), "ralph", ""), "x") == 0);
	value = json_object_get(was, "metadata");
	if (!json_is_object(value))
		return;
	was = value;
	json_object_foreach ((json_t *)(uintptr_t)was, key, value)
		if (strcmp(key, "ralph") != 0)
			ENSURE(json_equal(
			    value, json_object_get(json_object_get(is, "metadata"), key)));
}

static void
check_changes(const json_t *doc, const char *name)
{
	AUTO_JSON *change =
	    json_pack("{s:s, s:s, s:[s], s:s, s:s, s:{s:s}}", "name", name, "status", "running",
		"cmd", "sh", "cwd", "/", "started", "2026-01-01", "metadata", "ralph", "x");
	AUTO_BUF once = BUF_INIT;
	AUTO_BUF twice = BUF_INIT;
	AUTO_JSON *put = NULL;
	AUTO_JSON *gone = NULL;

	ENSURE(registry_put(dir, name, change, false, NULL) == 0);
	put = read_document();
	check_others(doc, put, name);
	check_merged(find(doc, name), find(put, name), change);
	check_loaded(put);
	read_text(FILE_NAME, &once);
	ENSURE(registry_put(dir, name, change, false, NULL) == 0);
	read_text(FILE_NAME, &twice);
	ENSURE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	ENSURE(registry_remove(dir, name, NULL) == 0);
	gone = read_document();
	check_others(doc, gone, name);
	ENSURE(find(gone, name) == NULL);
}

static const char *
name_of_first(const json_t *doc)
{
	const json_t *workers = json_object_get(doc, "workers");

	for (size_t i = 0; i < json_array_size(workers); i++) {
		const char *name = json_str(json_array_get(workers, i), "name", "");

		if (name[0] != '\0')
			return name;
	}
	return "a-loop";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF after = BUF_INIT;
	AUTO_JSON *doc = NULL;

	if (size < 1)
		return 0;
	scratch_put(dir, FILE_NAME, data + 1, size - 1);
	doc = json_parse((const char *)data + 1, size - 1, FILE_NAME, NULL);
	if (!json_is_array(json_object_get(doc, "workers"))) {
		check_aside(data + 1, size - 1);
		json_decref(doc);
		doc = json_pack("{s:[]}", "workers");
	} else {
		check_loaded(doc);
		/* Looking changes nothing. */
		read_text(FILE_NAME, &after);
		ENSURE(after.len == size - 1 && memcmp(after.data, data + 1, size - 1) == 0);
	}
	check_changes(doc, data[0] == 'o' ? name_of_first(doc) : "a-loop");
	return 0;
}
