/*
 * friendly.h - two words for a session: "rapture-owl".
 *
 * People read and type the words.  The words are made from the loop's uid and the iteration's
 * number, so nobody has to store them.  Within one loop no two of the first 4096 iterations
 * have the same.
 */
#ifndef LOOP_FRIENDLY_H
#define LOOP_FRIENDLY_H

#include <stddef.h>
#include <stdint.h>

#define FRIENDLY_MAX 24

void friendly_name(const char *uid, int64_t iteration, char out[FRIENDLY_MAX]);

#endif
