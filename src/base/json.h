/*
 * json.h - jansson with our limits and our error sentences.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include <jansson.h>

#define AUTO_JSON __attribute__((cleanup(json_decrefp))) json_t

/* Parses one value; duplicate keys, depth over 64 and trailing bytes are errors.
 * `what` names the input in the message ("state.json"). */
json_t *json_parse(const char *data, size_t len, const char *what, struct err *err) NODISCARD;
/* Appends the value; compact on one line, or indented by two. */
void json_print(const json_t *v, bool compact, struct buf *out);

/* Members with a default when absent or of another type. */
const char *json_str(const json_t *obj, const char *key, const char *dflt);
int64_t json_int(const json_t *obj, const char *key, int64_t dflt);
bool json_bool(const json_t *obj, const char *key, bool dflt);
/* A json string of any bytes: invalid UTF-8 and NUL become U+FFFD.  Never NULL. */
json_t *json_text(const char *s, size_t len) NODISCARD;
json_t *json_or_null(const char *s) NODISCARD; /* as json_text; NULL becomes null */
/* Arguments and paths are bytes: those that are not valid UTF-8 become {"hex": "..."}, and come
 * back the same.  NULL becomes null, and a NULL list an empty one. */
json_t *json_bytes(const char *s) NODISCARD;
json_t *json_bytes_list(char *const *list) NODISCARD;
char *json_to_bytes(const json_t *v) NODISCARD; /* NULL when it is neither text nor hex */
char **json_to_bytes_list(const json_t *array) NODISCARD; /* NULL when not an array of those */
/* Sets a member to a text; NULL sets none. */
void json_put(json_t *obj, const char *key, const char *text);
json_t *json_strlist(char *const *list) NODISCARD;
char **json_to_strlist(const json_t *array) NODISCARD; /* NULL when not an array of strings */

/* Reads the value that the file dirfd/name of at most max bytes holds (fs_read); NULL + err. */
json_t *json_read(int dirfd, const char *name, size_t max, struct err *err) NODISCARD;
/* Replaces the file dirfd/name (fs_replace) by what json_print prints, and a newline. */
int json_write(int dirfd, const char *name, const json_t *v, bool compact, enum fs_sync sync,
    struct err *err) NODISCARD;

#endif
