/*
 * page.h - the rows of a screen, behind the last of those that left it.
 *
 * A search for words that were said looks at rows: at each row that leaves the screen, and at
 * the rows on the screen whenever output has settled.  A row that repeats the prompt or typed
 * text is marked (echo.h, typed.h).  The row stays marked where it moves to, even when the
 * beginning of the repetition is out of sight.
 */
#ifndef WATCH_PAGE_H
#define WATCH_PAGE_H

#include "base/buf.h"
#include "watch/echo.h"
#include "watch/row.h"
#include "watch/typed.h"

/* A row that repeated the prompt, with the rows around it. */
struct page_memory {
	uint64_t row, before, after;
	bool found; /* found again among the rows that came since */
};

struct page_memories {
	struct page_memory *list;
	size_t count, cap;
};

struct rows {
	struct buf text;
	struct row *list;
	size_t count, cap;
};

struct page {
	struct echo *prompt;
	struct typed typed;
	size_t kept;		       /* how many rows that left are remembered */
	size_t width;		       /* of the last screen; 0: not known yet */
	struct rows left;	       /* the last rows that left the screen */
	struct rows shown;	       /* those, then the rows on the screen */
	uint64_t screen;	       /* private: hash of the last screen */
	struct page_memories memories; /* private: of the last screen */
	struct page_memories latest;   /* private: of the screen being looked at */
};

void page_init(struct page *p, const char *prompt, size_t len, size_t kept);
void page_release(struct page *p);
/* Sets another prompt; marks that were made stay. */
void page_prompt(struct page *p, const char *prompt, size_t len);
/* Notes text that was typed. */
void page_typed(struct page *p, const char *text, size_t len);
void page_untyped(struct page *p); /* forgets the text that was typed so far */

/* Does this line repeat the prompt or what was typed?  Every line must pass, in order. */
bool page_repeats(struct page *p, const char *line, size_t len);
/* Call after a match at [start, end) of a line that page_repeats let pass: is the match a part
 * of the prompt or of what was typed? */
bool page_contains(
    const struct page *p, const char *line, size_t len, size_t start, size_t end);

/* Takes a row that left the screen: it is the last of `left` until page_forget. */
const struct row *page_row(struct page *p, const char *text, size_t len, bool wrapped);
/* Forgets all rows of `left` but the last `kept`. */
void page_forget(struct page *p);
/* Reads the screen as done_screen does (done.h); false when nothing is new since. */
bool page_screen(struct page *p, int rows, int width, row_fn *row, void *ctx);

#endif
