/*
 * token.h - the token of a turn: a process that has it was given this turn's prompt.
 *
 * The token stands in the commands of the prompt, and an agent is told the token nowhere else
 * by itself.  So a late word, from a process of an earlier turn, can only have an earlier
 * token.  The token is no secret from a process that means harm; but nobody types a token by
 * accident.
 *
 * The token is derived, never stored: a supervisor that comes back derives the same token
 * again.  So the derivation must stay the same in every version.
 */
#ifndef SESSION_TOKEN_H
#define SESSION_TOKEN_H

#include <stdint.h>

#define TOKEN_LEN 8

/* `uid` is the loop's, which is random; `turn` the number of the turn in that session. */
void token_make(const char *uid, const char *session, int64_t turn, char out[TOKEN_LEN + 1]);

#endif
