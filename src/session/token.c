#include "session/token.h"

#include "base/alloc.h"
#include <inttypes.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void
token_make(const char *uid, const char *session, int64_t turn, char out[TOKEN_LEN + 1])
{
	/* No two letters look alike, and there are no vowels: the token must not become a
	 * word. */
	static const char letters[] = "bcdfghjkmnpqrstvwxz23456789";
	AUTO_FREE char *seed = xasprintf("%s\n%s\n%" PRId64, uid, session, turn);
	uint64_t hash = XXH3_64bits(seed, strlen(seed));

	for (int i = 0; i < TOKEN_LEN; i++, hash /= sizeof(letters) - 1)
		out[i] = letters[hash % (sizeof(letters) - 1)];
	out[TOKEN_LEN] = '\0';
}
