/*
 * alloc.h - allocation that never returns NULL.
 *
 * Running out of memory for the few kilobytes a supervisor holds is not
 * something it can repair, so these say so on stderr and abort; the journal
 * is on disk by then and the keepers go on.  Sizes are checked for overflow.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include "base/compiler.h"

void *xmalloc(size_t size) NODISCARD;
void *xcalloc(size_t count, size_t size) NODISCARD;
void *xreallocarray(void *ptr, size_t count, size_t size) NODISCARD;
/* Zero bytes for a large struct of which little is used: only the pages that are written to
 * take memory.  Freed by xpages_free, with the same size. */
void *xpages(size_t size) NODISCARD;
void xpages_free(void *ptr, size_t size);
/* Makes room for one more in an array of *cap elements of that size, of which `len` are used.
 * Returns the array, which may have moved. */
void *xgrow(void *list, size_t len, size_t *cap, size_t size) NODISCARD;
char *xstrdup(const char *s) NODISCARD;
char *xstrndup(const char *s, size_t n) NODISCARD;
char *xasprintf(const char *fmt, ...) NODISCARD PRINTF(1, 2);

/* NULL-terminated string lists (argv, env).  All functions accept NULL. */
char **strlist_dup(char *const *list) NODISCARD;
char **strlist_add(char **list, const char *s) NODISCARD; /* copies s, may move list */
size_t strlist_len(char *const *list);
bool strlist_has(char *const *list, const char *s); /* not in NULL */
void strlist_free(char **list);
int strlist_compare(const void *a, const void *b); /* for qsort and bsearch */
/* The value of the entry "NAME=value" of a list such as environ; NULL when there is none. */
const char *strlist_value(char *const *list, const char *name);
/* Adds copies of all strings of `more`. */
char **strlist_more(char **list, const char *const *more) NODISCARD;
#define AUTO_STRLIST __attribute__((cleanup(auto_strlist_fn))) char **
void auto_strlist_fn(char ***list);

/* Replaces the string in *at by a copy of `by`, which may be a part of the old one, or NULL. */
void xstrset(char **at, const char *by);

#endif
