/*
 * token.h - the token of a turn: who has it was given this turn's prompt.
 *
 * It stands in the commands of the prompt and nowhere else that an agent is told by itself: a
 * word that comes late, from a process of an earlier turn, can only have an earlier one.  It is
 * no secret from whoever means harm; nobody types it by accident.
 *
 * It is derived, never stored: a supervisor that comes back says the same one again.  For that
 * it must stay the same in every version.
 */
#ifndef SESSION_TOKEN_H
#define SESSION_TOKEN_H

#include <stdint.h>

#define TOKEN_LEN 8

/* `uid` is the loop's, which is random; `turn` the number of the turn in that session. */
void token_make(const char *uid, const char *session, int64_t turn, char out[TOKEN_LEN + 1]);

#endif
