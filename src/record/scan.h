/*
 * scan.h - journal.jsonl read line by line, and what is no line of it told apart.
 *
 * A line counts when its seal matches its bytes and its number follows the one before.  What
 * comes instead is one of three things, and nobody may take one for another:
 *   - torn: the last write did not finish.  It has no newline, or the disk kept zeros where its
 *     bytes should be.  Nobody was told that it is there, so it may go; where there are zeros,
 *     which may also stand for a line that was whole, a copy is set aside.
 *   - damaged: anything else.  It was whole once, or somebody else wrote it (code EBADMSG; the
 *     sentence names the line).
 *   - newer: a later version wrote it (code ENOTSUP).
 * A scan changes nothing.  The descriptor stays the caller's; -1 reads like an empty file.
 */
#ifndef RECORD_SCAN_H
#define RECORD_SCAN_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

#define JOURNAL_FILE "journal.jsonl"
#define JOURNAL_VERSION 1

struct scan {
	int fd;
	int64_t n;    /* lines so far */
	int64_t end;  /* offset behind the last of them */
	int64_t lost; /* of these, lines that only keep the number of one that was lost */
	size_t torn;  /* at the end: bytes of a last line that was never finished */
	bool zeroed;  /* they are not just the beginning of a line */
	bool last;    /* after damage: no whole line follows it */
	/* private */
	int64_t offset;	 /* of what is read next */
	struct buf data; /* read, from `at` on not yet handed out */
	size_t at;
};

/* -1 with code ENOENT when there is no journal yet. */
int scan_open(int loop_dirfd, struct err *err) NODISCARD;
void scan_init(struct scan *s, int fd);
void scan_release(struct scan *s);

/* 1: the next line without its newline, valid until the next call.  0: there is none.  -1: see
 * above; n and end still are those of the line before. */
int scan_next(struct scan *s, const char **line, size_t *len, struct err *err) NODISCARD;

/* Tells the facts of the line that scan_next just gave. */
typedef void scan_fact_fn(void *ctx, const struct fact *f);
/* Applies the fact to the struct loop_state. */
scan_fact_fn scan_apply;
int scan_facts(const struct scan *s, const char *line, size_t len, scan_fact_fn *fn, void *ctx,
    struct err *err) NODISCARD;

/* The number that these bytes carry if they are a whole line; 0 when they are not. */
int64_t scan_number(const char *line, size_t len);
/* Did a later version write the line, whether or not its seal matches? */
bool scan_is_newer(const char *line, size_t len);
/* Can these bytes, the last of the file, be a write that did not finish? */
bool scan_is_torn(const char *bytes, size_t len, bool newline);
/* Was the line put where one was lost for good (record/repair.h)?  Such a line has no facts. */
bool scan_is_lost(const char *line, size_t len);

#endif
