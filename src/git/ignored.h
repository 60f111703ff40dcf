/*
 * ignored.h - the files that git ignores in a work tree: which there are, and how much it is.
 */
#ifndef GIT_IGNORED_H
#define GIT_IGNORED_H

#include "base/buf.h"

/* A directory that holds more files or bytes than this, or a larger file, is counted and not
 * listed. */
#define IGNORED_FILES_MAX 1000
#define IGNORED_BYTES_MAX ((int64_t)64 << 20)

struct ignored_look {
	const char *dir;     /* the top of the work tree */
	const char *top;     /* the top of the one that files were copied from */
	char *const *copied; /* the paths of these; unchanged copies do not count; NULL */
};

struct ignored_file {
	char *path; /* below the work tree */
	int64_t size;
};

struct ignored_amount {
	int64_t files, bytes;
	int64_t others; /* links, pipes, sockets: there is nothing in them */
	int64_t unseen; /* directories that are too deep or cannot be read */
};

struct ignored_list {
	struct ignored_file *list;
	size_t n;
	struct ignored_amount all;  /* whatever there is */
	struct ignored_amount held; /* the same without directories that hold too much */
	/* The list may hold more than is kept: the caller chooses from it. */
	bool chosen;
};

void ignored_release(struct ignored_list *f);
/* Finds the files at the paths: files and directories, as git lists them. */
void ignored_find(const struct ignored_look *look, char *const *paths, struct ignored_list *f);
bool ignored_is_too_much(const struct ignored_amount *a);
/* "2 files (10 bytes)" */
void ignored_add_files(const struct ignored_amount *a, struct buf *out);
/* "2 files (10 bytes) and 1 link, pipe or socket"; nothing when there is nothing. */
void ignored_add_amount(const struct ignored_amount *a, struct buf *out);
/* How much is at the paths, as ignored_add_amount says it; NULL: nothing. */
char *ignored_count(const struct ignored_look *look, char *const *paths) NODISCARD;

#endif
