/*
 * pick.h - which of several things is meant by a name.
 *
 * The candidates are the things with exactly that name or, when there are none, the things with
 * the name as a part of theirs.  A single candidate is meant; several are a question back to
 * the caller, never a guess.
 */
#ifndef DESKTOP_PICK_H
#define DESKTOP_PICK_H

#include "base/compiler.h"

/* Puts the indices of the candidates into `out` (room for n) and returns how many they are.
 * A name may be NULL, which nothing matches. */
size_t pick_by_name(const char *const *names, size_t n, const char *wanted, size_t *out);

#endif
