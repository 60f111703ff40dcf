/*
 * vocabulary.h - the names of an enum, from the rows that make the enum.
 *
 * VOCABULARY(word, type, ROWS) stands in one .c file of the owner and defines
 *
 *     const char *word_name(type value)      the name of a value
 *     int word_parse(const char *name)       the value of a name, -1 when it is unknown
 *
 * whose prototypes are in the owner's header.  ROWS is an X-table: the first column is the
 * enumerator, the second the name; the enum is made of the same table, so that the n-th row is
 * the n-th value.  VOCABULARY_NAMES defines the first of the two alone.
 */
#ifndef LOOP_VOCABULARY_H
#define LOOP_VOCABULARY_H

#include <stddef.h>

/* The place of `name` among `names`; -1 when it is not there. */
int vocabulary_find(const char *const *names, size_t n, const char *name);

/* Rows may end with the name: the 0 keeps the list of further columns from being empty. */
#define VOCABULARY_ROW(id, ...) VOCABULARY_FIRST(__VA_ARGS__, 0)
#define VOCABULARY_FIRST(name, ...) name,

#define VOCABULARY_NAMES(word, type, ROWS)                                \
	static const char *const word##_names[] = {ROWS(VOCABULARY_ROW)}; \
                                                                          \
	const char *word##_name(type value)                               \
	{                                                                 \
		return word##_names[value];                               \
	}

#define VOCABULARY(word, type, ROWS)                                                     \
	VOCABULARY_NAMES(word, type, ROWS)                                               \
                                                                                         \
	int word##_parse(const char *name)                                               \
	{                                                                                \
		return vocabulary_find(                                                  \
		    word##_names, sizeof(word##_names) / sizeof(word##_names[0]), name); \
	}

#endif
