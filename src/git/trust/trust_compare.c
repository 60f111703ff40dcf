/*
 * trust_compare.c - what a record makes of the facts; pure.
 *
 *   {"trusted": {NAME: VALUE}, "untrusted": {NAME: VALUE or null}, ...}
 *
 * The value that was seen last is the one in "untrusted", as agents left it; of a name that is
 * not there, the trusted one.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/text.h"
#include <string.h>
#include <unistd.h>

#define HEX "hex:"

/* ---- bytes --------------------------------------------------------------------------- */

static bool
bytes_are_text(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(bytes + i, len - i, &cp);

		if (n == 0 || cp == 0)
			return false;
		i += n;
	}
	return len < strlen(HEX) || strncmp(bytes, HEX, strlen(HEX)) != 0;
}

static void
bytes_add(struct buf *out, const char *bytes, size_t len)
{
	if (bytes_are_text(bytes, len)) {
		buf_add(out, bytes, len);
		return;
	}
	buf_adds(out, HEX);
	for (size_t i = 0; i < len; i++)
		buf_addf(out, "%02x", (unsigned)(unsigned char)bytes[i]);
}

json_t *
trust_value(const char *bytes, size_t len)
{
	AUTO_BUF text = BUF_INIT;

	bytes_add(&text, bytes, len);
	return json_text(text.data, text.len);
}

char *
trust_name(const char *kind, const char *bytes)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, kind);
	bytes_add(&text, bytes, strlen(bytes));
	return buf_detach(&text);
}

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void
trust_bytes(const char *text, struct buf *out)
{
	if (strncmp(text, HEX, strlen(HEX)) != 0) {
		buf_adds(out, text);
		return;
	}
	for (text += strlen(HEX); digit(text[0]) >= 0 && digit(text[1]) >= 0; text += 2)
		buf_addc(out, (char)(digit(text[0]) << 4 | digit(text[1])));
}

bool
trust_has(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			return true;
	return false;
}

void
trust_add(json_t *list, const char *text)
{
	if (!trust_has(list, text))
		(void)json_array_append_new(list, json_text(text, strlen(text)));
}

void
trust_take(json_t *into, json_t *map, const char *kind)
{
	const char *name;
	json_t *value;

	json_object_foreach (map, name, value)
		if (strncmp(name, kind, strlen(kind)) == 0)
			(void)json_object_set(into, name, value);
}

/* Removes the facts of a kind from a map. */
static void
trust_drop(json_t *map, const char *kind)
{
	void *next;

	for (void *it = json_object_iter(map); it != NULL; it = next) {
		next = json_object_iter_next(map, it);
		if (strncmp(json_object_iter_key(it), kind, strlen(kind)) == 0)
			(void)json_object_del(map, json_object_iter_key(it));
	}
}

void
trust_prune(json_t *record, const char *name, char *kind_of(const char *dir))
{
	json_t *list = json_object_get(record, name);

	for (size_t i = json_array_size(list); i-- > 0;) {
		AUTO_BUF dir = BUF_INIT;
		AUTO_FREE char *kind = NULL;

		trust_bytes(json_string_value(json_array_get(list, i)), &dir);
		if (access(dir.data, F_OK) == 0)
			continue;
		kind = kind_of(dir.data);
		trust_drop(json_object_get(record, "trusted"), kind);
		trust_drop(json_object_get(record, "untrusted"), kind);
		(void)json_array_remove(list, i);
	}
}

/* ---- the rule ------------------------------------------------------------------------ */

static bool
trust_compare_is_there(const json_t *value)
{
	return value != NULL && !json_is_null(value);
}

static bool
trust_compare_same(const json_t *a, const json_t *b)
{
	return trust_compare_is_there(a) ? trust_compare_is_there(b) && json_equal(a, b)
					 : !trust_compare_is_there(b);
}

bool
trust_is_unreadable(const json_t *value)
{
	return json_is_string(value) && strcmp(json_string_value(value), TRUST_UNREADABLE) == 0;
}

json_t *
trust_agreed(const json_t *record, const char *name)
{
	return json_object_get(json_object_get(record, "trusted"), name);
}

json_t *
trust_seen(const json_t *record, const char *name)
{
	json_t *left = json_object_get(json_object_get(record, "untrusted"), name);

	if (left != NULL)
		return trust_compare_is_there(left) ? left : NULL;
	return trust_agreed(record, name);
}

static void
trust_compare_put(json_t *map, const char *name, const json_t *value)
{
	(void)json_object_set_new(
	    map, name, trust_compare_is_there(value) ? json_deep_copy(value) : json_null());
}

static void
compare_one(json_t *record, const char *name, const json_t *now, bool agents)
{
	json_t *trusted = json_object_get(record, "trusted");
	json_t *untrusted = json_object_get(record, "untrusted");

	if (trust_compare_same(now, trust_agreed(record, name))) {
		(void)json_object_del(untrusted, name);
	} else if (trust_compare_same(now, trust_seen(record, name))) {
		return; /* the fact is still as agents left it */
	} else if (agents || trust_is_unreadable(json_object_get(untrusted, name))) {
		trust_compare_put(untrusted, name, now);
	} else {
		(void)json_object_del(untrusted, name);
		if (trust_compare_is_there(now))
			trust_compare_put(trusted, name, now);
		else
			(void)json_object_del(trusted, name);
	}
}

void
trust_compare(json_t *record, json_t *now, const char *kind, bool agents)
{
	AUTO_JSON *names = json_object();
	const char *name;
	json_t *value;

	trust_take(names, json_object_get(record, "trusted"), kind);
	trust_take(names, json_object_get(record, "untrusted"), kind);
	trust_take(names, now, kind);
	json_object_foreach (names, name, value) {
		compare_one(record, name, json_object_get(now, name), agents);
	}
}

bool
trust_is_unseen(const json_t *record)
{
	return json_is_true(json_object_get(record, "unseen"));
}

bool
trust_has_filter(const json_t *record, const char *name)
{
	static const char *const parts[] = {"clean", "smudge", "process"};
	bool has = false;

	for (size_t i = 0; i < ARRAY_LEN(parts) && !has; i++) {
		AUTO_FREE char *key = xasprintf("filter.%s.%s", name, parts[i]);
		AUTO_FREE char *fact = trust_name(TRUST_GIT, key);

		has = trust_compare_is_there(trust_agreed(record, fact));
	}
	return has;
}
