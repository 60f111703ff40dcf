#include "base/json.h"
#include "base/alloc.h"
#include "base/text.h"

#define DEPTH_MAX 64

/* Is data nested too deeply?  Then *line and *column say where. */
static bool
json_is_too_deep(const char *data, size_t len, int *line, int *column)
{
	size_t depth = 0, line_start = 0;
	bool in_string = false;

	*line = 1;
	for (size_t i = 0; i < len; i++) {
		char c = data[i];

		if (c == '\n') {
			++*line;
			line_start = i + 1;
		}
		if (c == '"')
			in_string = !in_string;
		else if (in_string && c == '\\')
			i++;
		else if (!in_string && (c == ']' || c == '}') && depth > 0)
			depth--;
		else if (!in_string && (c == '[' || c == '{') && ++depth > DEPTH_MAX) {
			*column = (int)(i - line_start) + 1;
			return true;
		}
	}
	return false;
}

static bool
json_is_blank(const char *data, size_t len)
{
	size_t i = 0;

	while (i < len &&
	       (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n'))
		i++;
	return i == len;
}

json_t *
json_parse(const char *data, size_t len, const char *what, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;
	json_error_t error;
	int line, column;
	json_t *v;

	if (json_is_blank(data, len)) {
		err_set(err, "%s: the input is empty", what);
		return NULL;
	}
	if (json_is_too_deep(data, len, &line, &column)) {
		err_set(err, "%s: line %d column %d: nested deeper than %d levels", what, line,
		    column, DEPTH_MAX);
		return NULL;
	}
	v = json_loadb(data, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (v == NULL) {
		/* jansson repeats a piece of the input in its message. */
		text_show(&shown, error.text, strlen(error.text), false);
		err_set(err, "%s: line %d column %d: %s", what, error.line, error.column,
		    shown.data);
	}
	return v;
}

static int
json_append(const char *data, size_t len, void *out)
{
	buf_add(out, data, len);
	return 0;
}

void
json_print(const json_t *v, bool compact, struct buf *out)
{
	size_t flags = JSON_ENCODE_ANY | (compact ? JSON_COMPACT : JSON_INDENT(2));

	ENSURE(json_dump_callback(v, json_append, out, flags) == 0);
}

const char *
json_str(const json_t *obj, const char *key, const char *dflt)
{
	const char *s = json_string_value(json_object_get(obj, key));

	return s != NULL ? s : dflt;
}

int64_t
json_int(const json_t *obj, const char *key, int64_t dflt)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_integer(v) ? json_integer_value(v) : dflt;
}

bool
json_bool(const json_t *obj, const char *key, bool dflt)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_boolean(v) ? json_is_true(v) : dflt;
}

static json_t *
json_text_repaired(const char *s, size_t len)
{
	AUTO_BUF valid = BUF_INIT;
	json_t *v;

	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(s + i, len - i, &cp);

		buf_addrune(&valid, cp ? cp : 0xFFFD);
		i += n ? n : 1;
	}
	v = json_stringn(valid.data, valid.len);
	ENSURE(v != NULL);
	return v;
}

json_t *
json_text(const char *s, size_t len)
{
	/* A NUL would be written as \u0000, which json_parse refuses to read back. */
	json_t *v = len > 0 && memchr(s, '\0', len) != NULL ? NULL : json_stringn(s, len);

	return v != NULL ? v : json_text_repaired(s, len);
}

json_t *
json_or_null(const char *s)
{
	return s != NULL ? json_text(s, strlen(s)) : json_null();
}

json_t *
json_bytes(const char *s)
{
	json_t *v = s != NULL ? json_string(s) : json_null();
	AUTO_BUF hex = BUF_INIT;

	if (v != NULL)
		return v;
	for (; *s; s++)
		buf_addf(&hex, "%02x", (unsigned char)*s);
	v = json_pack("{s:s}", "hex", hex.data);
	ENSURE(v != NULL);
	return v;
}

json_t *
json_bytes_list(char *const *list)
{
	json_t *array = json_array();

	ENSURE(array != NULL);
	for (; list != NULL && *list != NULL; list++)
		ENSURE(json_array_append_new(array, json_bytes(*list)) == 0);
	return array;
}

static int
json_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *
json_to_bytes(const json_t *v)
{
	const char *hex = json_str(v, "hex", NULL);
	AUTO_BUF out = BUF_INIT;

	if (json_is_string(v))
		return xstrdup(json_string_value(v));
	for (; hex != NULL && *hex; hex += 2) {
		int high = json_hex_digit(hex[0]);
		int low = high < 0 ? -1 : json_hex_digit(hex[1]);

		if (low < 0 || (high == 0 && low == 0))
			return NULL;
		buf_addc(&out, (char)(unsigned char)(high << 4 | low));
	}
	return hex != NULL ? buf_detach(&out) : NULL;
}

char **
json_to_bytes_list(const json_t *array)
{
	size_t n = json_array_size(array);
	char **list;

	if (!json_is_array(array))
		return NULL;
	list = xcalloc(n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		list[i] = json_to_bytes(json_array_get(array, i));
		if (list[i] == NULL) {
			strlist_free(list);
			return NULL;
		}
	}
	return list;
}

void
json_put(json_t *obj, const char *key, const char *text)
{
	if (text != NULL)
		ENSURE(json_object_set_new(obj, key, json_text(text, strlen(text))) == 0);
}

json_t *
json_strlist(char *const *list)
{
	json_t *array = json_array();

	ENSURE(array != NULL);
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		ENSURE(json_array_append_new(array, json_text(list[i], strlen(list[i]))) == 0);
	return array;
}

char **
json_to_strlist(const json_t *array)
{
	size_t n = json_array_size(array);
	char **list;

	if (!json_is_array(array))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!json_is_string(json_array_get(array, i)))
			return NULL;
	list = xcalloc(n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		list[i] = xstrdup(json_string_value(json_array_get(array, i)));
	return list;
}

json_t *
json_read(int dirfd, const char *name, size_t max, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (fs_read(dirfd, name, max, &text, err) < 0)
		return NULL;
	return json_parse(text.data, text.len, name, err);
}

int
json_write(int dirfd, const char *name, const json_t *v, bool compact, enum fs_sync sync,
    struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	json_print(v, compact, &text);
	buf_addc(&text, '\n');
	return fs_replace(dirfd, name, text.data, text.len, sync, err);
}
