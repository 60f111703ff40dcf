/*
 * json.h - jansson with our limits and our error sentences.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"
#include "base/err.h"
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
/* Sets a member to a text; NULL sets none. */
void json_put(json_t *obj, const char *key, const char *text);
json_t *json_strlist(char *const *list) NODISCARD;
char **json_to_strlist(const json_t *array) NODISCARD; /* NULL when not an array of strings */

#endif
