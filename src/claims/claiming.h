/*
 * claiming.h - one claim as the file of claims has it (private to claim.c and claims.c).
 */
#ifndef CLAIMS_CLAIMING_H
#define CLAIMS_CLAIMING_H

#include "base/json.h"
#include "claims/claims.h"

/* A copy in one block of memory with its strings; free(). */
struct claim *claim_copy(const struct claim *from) NODISCARD;
/* Appends the claim as one line. */
void claim_print(const struct claim *claim, struct buf *out);
/* The claim's strings are those of `v`; false when `v` is no claim. */
bool claim_parse(const json_t *v, struct claim *claim);

/* Is the claim of this machine? */
bool claim_is_here(const struct claim *claim);
/* Does the claim belong to that process, which lives? */
bool claim_is_of(const struct claim *claim, pid_t process);

#endif
