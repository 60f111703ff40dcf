/*
 * text.h - text from outside, made safe to look at.
 *
 * Agents, tickets and users may put anything into a line.  Whatever is
 * printed to a terminal passes text_show (no control bytes, no escape
 * sequences, no bidi overrides, no tag characters, valid UTF-8) unless it is an
 * attached terminal, which has a filter of its own (term/term.h).
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/buf.h"

/* Appends s as printable UTF-8: control characters, C1, DEL, bidi controls and
 * invalid bytes appear as \xNN or \u{NNNN}; tab is kept; newline is kept only
 * when multiline.  Tag characters (U+E0000..U+E007F), which nobody can see, are left out. */
void text_show(struct buf *out, const char *s, size_t len, bool multiline);

/* As buf_addf, with text from outside among the arguments: the result is appended as text_show
 * does, on one line.  A newline at the end of the format ends that line; the format has no
 * other. */
void text_addf(struct buf *out, const char *fmt, ...) PRINTF(2, 3);
void text_vaddf(struct buf *out, const char *fmt, va_list ap) PRINTF(2, 0);

/* Appends s in single quotes for a sentence: shown on one line and, when it is
 * long, cut with "..." inside the quotes. */
void text_quote(struct buf *out, const char *s);

/* Appends s without escape sequences (CSI, OSC, DCS, APC, PM, SOS, nF, two-byte)
 * and without tag characters and control characters other than \n and \t; \r\n becomes \n. */
void text_strip(struct buf *out, const char *s, size_t len);

/* Appends s without tag characters, and otherwise as it is: for words that somebody else says,
 * where they come in. */
void text_untag(struct buf *out, const char *s, size_t len);

/* Decodes one UTF-8 character; returns its length, or 0 for an invalid or
 * incomplete sequence (then *cp is 0xFFFD).  len must be > 0. */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Loop, worker and task names: [A-Za-z0-9][A-Za-z0-9._-]{0,63}, without "..",
 * not ending in ".lock" or ".".  What passes can be a file or branch name. */
bool name_is_valid(const char *s);

/* The nearest of n candidate words by edit distance (case-insensitive), or
 * NULL when none is near enough to be worth suggesting. */
const char *text_nearest(const char *word, const char *const *words, size_t n);

/* Are both there and the same? */
bool text_same(const char *a, const char *b);
/* Is the item one of those in the list, which have that character between them? */
bool text_lists(const char *list, char between, const char *item);

/* Which of the words "pipe|pty|none" it is, from 0 on; -1: none of them. */
int text_choice(const char *choices, const char *word);

/* Lower-case hex of n random bytes into out (2n+1 bytes). */
void text_random_hex(char *out, size_t n);

/* FNV-1a, for names that may be too long, or have slashes. */
uint64_t text_hash(const char *s);

#endif
