/*
 * help_inside.h - what help.h is made of (private to this room).
 */
#ifndef WORK_TODO_HELP_HELP_INSIDE_H
#define WORK_TODO_HELP_HELP_INSIDE_H

#include "ticket/front.h"
#include "work/todo/help/help.h"

/* ---- help_words.c -------------------------------------------------------------------- */

/* The words of a question that mean something, in small letters. */
struct help_words {
	char **list;
	size_t n;
};

void help_words_take(struct help_words *w, const char *text);
void help_words_release(struct help_words *w);
/* Return how well a path, or a line, fits; 0: not at all. */
int help_words_path(const struct help_words *w, const char *path);
int help_words_line(const struct help_words *w, const char *line, size_t len);

/* ---- help_files.c --------------------------------------------------------------------- */

/* The files that may be read. */
struct help_files {
	int dir;
	char **paths; /* below root, sorted */
	size_t n;
	size_t left;	  /* bytes that may still be read */
	int64_t deadline; /* boot time */
	const char *why;  /* why there are no files; NULL */
};

void help_files_open(struct help_files *t, const char *root);
void help_files_close(struct help_files *t);
/* Reads the beginning of a text file; false: it must not be read, or has nothing to show. */
bool help_files_read(struct help_files *t, const char *path, struct buf *out);
/* Does the name of the file match one of the patterns? */
bool help_path_matches(const char *path, const char *const *patterns, size_t n);
/* Is it a regular file, now? */
bool help_files_has(const struct help_files *t, const char *path);
/* Finds a file by its name as a program would print it: relative, absolute below root, or an
 * end of the path that only one file has; NULL. */
const char *help_files_find(const struct help_files *t, const char *root, const char *name);
/* Does the line look like a secret? */
bool help_line_is_secret(const char *line, size_t len);

/* ---- help_find.c --------------------------------------------------------------------- */

/* Lines that were found, best first. */
struct help_hit {
	int score;
	const char *path;
	size_t number;
	char *text;
};

struct help_hits {
	struct help_hit *list;
	size_t n, max;
};

/* Returns how well a line fits; 0: not at all. */
typedef int help_line_fn(const struct help_words *w, const char *line, size_t len);

void help_hits_release(struct help_hits *h);
/* Looks through the files that `wanted` accepts (NULL: all), those whose names fit first. */
void help_find_lines(struct help_files *t, const struct help_words *w,
    bool (*wanted)(const char *path), help_line_fn *score, struct help_hits *hits);
/* The best fitting paths, at most max: pointers into those of `t`, ended by NULL. */
const char **help_find_paths(
    const struct help_files *t, const struct help_words *w, size_t max) NODISCARD;

/* ---- help_kinds.c -------------------------------------------------------------------- */

/* Appends the context, a line about the context, and a line on what to do. */
void help_context(const struct help_question *q, struct buf *context, struct buf *about,
    struct buf *recommendation);

/* ---- help_command.c ------------------------------------------------------------------ */

/* Asks the user's command.  -1 + err: it did not answer. */
int help_command(const struct help_question *q, struct buf *answer, struct err *err) NODISCARD;

#endif
