#include "record/seal.h"
#include <inttypes.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* ,"crc":"0123456789abcdef"} */
#define SEAL_HEAD ",\"crc\":\""
#define SEAL_LEN (sizeof(SEAL_HEAD) - 1 + 16 + 2)

static void
seal_text(const char *data, size_t len, char out[SEAL_LEN + 1])
{
	snprintf(out, SEAL_LEN + 1, SEAL_HEAD "%016" PRIx64 "\"}", XXH3_64bits(data, len));
}

void
seal_print(const json_t *obj, struct buf *out)
{
	char seal[SEAL_LEN + 1];
	size_t start = out->len;

	json_print(obj, true, out);
	buf_truncate(out, out->len - 1); /* the closing brace is part of the seal */
	seal_text(out->data + start, out->len - start, seal);
	buf_adds(out, seal);
}

bool
seal_is_whole(const char *data, size_t len)
{
	char seal[SEAL_LEN + 1];

	if (len <= SEAL_LEN)
		return false;
	seal_text(data, len - SEAL_LEN, seal);
	return memcmp(data + len - SEAL_LEN, seal, SEAL_LEN) == 0;
}

bool
seal_is_there(const char *data, size_t len)
{
	const char *seal = data + len - SEAL_LEN;

	return len > SEAL_LEN && memcmp(seal, SEAL_HEAD, sizeof(SEAL_HEAD) - 1) == 0 &&
	       memcmp(data + len - 2, "\"}", 2) == 0;
}

bool
seal_begins(const char *data, size_t len)
{
	const char *at = data;

	while ((at = memmem(at, (size_t)(data + len - at), SEAL_HEAD, sizeof(SEAL_HEAD) - 1)) !=
	       NULL) {
		size_t upto = (size_t)(at - data) + SEAL_LEN;

		if (upto < len && seal_is_whole(data, upto))
			return true;
		at++;
	}
	return false;
}
