/*
 * seal.h - a JSON object that carries the checksum of its own bytes.
 *
 *     {"n":12, ... ,"crc":"<16 hex>"}
 *
 * crc is XXH3-64 of the bytes before `,"crc":`.  It tells a whole object from a torn or
 * rotten one; it is no protection from somebody who wants to deceive.
 */
#ifndef RECORD_SEAL_H
#define RECORD_SEAL_H

#include "base/json.h"

/* Appends the object on one line, sealed, without a newline. */
void seal_print(const json_t *obj, struct buf *out);
/* Are these bytes (without newline) what seal_print wrote? */
bool seal_is_whole(const char *data, size_t len);
/* Do these bytes (without newline) end with a seal, whether or not its checksum is theirs? */
bool seal_is_there(const char *data, size_t len);
/* Is there such an object at the beginning of these bytes, with more behind it? */
bool seal_begins(const char *data, size_t len);

#endif
