/*
 * pick.h - which of several things is meant by a name.
 *
 * Those that are called exactly so; when there is none, those with it as a part of their name.
 * One of them is meant; more are a question back to whoever asked, never a guess.
 */
#ifndef DESKTOP_PICK_H
#define DESKTOP_PICK_H

#include "base/compiler.h"

/* Puts the indices of the candidates into `out` (room for n) and returns how many they are.
 * A name may be NULL, which nothing matches. */
size_t pick(const char *const *names, size_t n, const char *wanted, size_t *out);

#endif
