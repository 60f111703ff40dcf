/*
 * todo_config.c - ai/ralph/config.json.
 */
#include "work/todo/views/todo.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#define CONFIG_FILE "ai/ralph/config.json"
#define CONFIG_MAX ((size_t)1 << 20)
#define BOM "\xef\xbb\xbf"

static const char *const keys[] = {
#define X(type, key, dflt) #key,
    TODO_CONFIG(X)
#undef X
};

static void
read_C(const json_t *doc, const char *key, int64_t *field, struct buf *notes)
{
	const json_t *v = json_object_get(doc, key);

	if (v == NULL)
		return;
	if (json_is_integer(v) && json_integer_value(v) > 0 &&
	    json_integer_value(v) < INT64_C(1) << 40)
		*field = json_integer_value(v);
	else
		buf_addf(notes,
		    CONFIG_FILE ": %s is not a number above 0; it is taken for %" PRId64 "\n",
		    key, *field);
}

static void
read_F(const json_t *doc, const char *key, bool *field, struct buf *notes)
{
	const json_t *v = json_object_get(doc, key);

	if (v == NULL)
		return;
	if (json_is_boolean(v))
		*field = json_is_true(v);
	else
		buf_addf(notes,
		    CONFIG_FILE ": %s is neither true nor false; it is taken for %s\n", key,
		    *field ? "true" : "false");
}

static void
tell_unknown(json_t *doc, struct buf *notes)
{
	for (void *it = json_object_iter(doc); it != NULL;
	     it = json_object_iter_next(doc, it)) {
		const char *key = json_object_iter_key(it), *near;
		bool known = false;

		for (size_t i = 0; i < ARRAY_LEN(keys) && !known; i++)
			known = strcmp(key, keys[i]) == 0;
		if (known)
			continue;
		near = text_nearest(key, keys, ARRAY_LEN(keys));
		buf_adds(notes, CONFIG_FILE ": ");
		text_quote(notes, key);
		buf_addf(notes, " is not known%s%s%s\n", near != NULL ? "; did you mean " : "",
		    near != NULL ? near : "", near != NULL ? "?" : "");
	}
}

void
todo_config_load(const char *root, struct todo_config *out, struct buf *notes)
{
	AUTO_FREE char *path = xasprintf("%s/" CONFIG_FILE, root);
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *doc = NULL;
	struct err err = ERR_INIT;
	size_t skip = 0;

	*out = (struct todo_config){
#define X(type, key, dflt) .key = (dflt),
	    TODO_CONFIG(X)
#undef X
	};
	if (fs_read(AT_FDCWD, path, CONFIG_MAX, &text, &err) == 0) {
		if (strncmp(text.data, BOM, strlen(BOM)) == 0)
			skip = strlen(BOM);
		doc = json_parse(text.data + skip, text.len - skip, CONFIG_FILE, &err);
	}
	if (doc == NULL && err.code == ENOENT)
		return;
	if (doc == NULL)
		buf_addf(notes, "%s; the defaults are used\n", err.text);
	else if (!json_is_object(doc))
		buf_adds(notes, CONFIG_FILE ": it is no JSON object; the defaults are used\n");
	if (!json_is_object(doc))
		return;
#define X(type, key, dflt) read_##type(doc, #key, &out->key, notes);
	TODO_CONFIG(X)
#undef X
	tell_unknown(doc, notes);
}
