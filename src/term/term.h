/*
 * term.h - a terminal emulator without a window.
 *
 * Bytes of a program go in; a grid of cells comes out as xterm/tmux would show it, with the
 * lines that left the grid, the modes in force, and the answers to the program's queries.  The
 * grid is the heart of "watching the screen": inactivity, done patterns, attach and logs all
 * read this grid.
 *
 * The emulator behaves as tmux 3.3a's screen does where the two could differ (wide and
 * combining characters, wrapping, scroll regions, alternate screen, resize).  The oracle of the
 * tests is `tmux capture-pane -p`.
 *
 * Any bytes are allowed: nothing crashes, memory is bounded, parameters are
 * capped.  All allocation happens in term_new and term_resize; feeding
 * allocates nothing but what callbacks do and a bounded OSC buffer (and, when
 * the alternate screen is left after a resize, the main screen's new size).
 */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include "base/buf.h"

struct term;

enum term_mode {
	TERM_MODE_BRACKETED_PASTE = 1 << 0, /* ?2004 */
	TERM_MODE_APP_CURSOR = 1 << 1,	    /* ?1 */
	TERM_MODE_APP_KEYPAD = 1 << 2,	    /* ESC = */
	TERM_MODE_ALT_SCREEN = 1 << 3,	    /* ?47 ?1047 ?1049 */
	TERM_MODE_CURSOR_HIDDEN = 1 << 4,   /* ?25 */
	TERM_MODE_MOUSE_BUTTON = 1 << 5,    /* ?1000 */
	TERM_MODE_MOUSE_DRAG = 1 << 6,	    /* ?1002 */
	TERM_MODE_MOUSE_ALL = 1 << 7,	    /* ?1003 */
	TERM_MODE_MOUSE_SGR = 1 << 8,	    /* ?1006 */
	TERM_MODE_FOCUS = 1 << 9,	    /* ?1004 */
	TERM_MODE_SYNC = 1 << 10,	    /* ?2026: an update is being drawn */
	TERM_MODE_INSERT = 1 << 11,	    /* 4 */
	TERM_MODE_WRAP = 1 << 12,	    /* ?7, on at start */
	TERM_MODE_ORIGIN = 1 << 13,	    /* ?6 */
};

struct term_callbacks {
	/* The program has asked; writes the terminal's answer to the program
	 * (DA1, DA2, DSR, CPR, XTVERSION, DECRQM, OSC 10/11, CSI ?u). */
	void (*reply)(void *ctx, const char *data, size_t len);
	/* A row left the top of the main screen (not the alternate one, not inside
	 * a scroll region below the first row), scrolled or cleared with the whole
	 * screen.  It does not come back when the screen grows.  Text without trailing
	 * blanks, UTF-8; `wrapped`: the row continues in the next one. */
	void (*line_out)(void *ctx, const char *text, size_t len, bool wrapped);
	void (*bell)(void *ctx);
	void *ctx;
};

/* Each callback may be NULL.  rows and cols are clamped to 1..1000 x 2..1000. */
struct term *term_new(int rows, int cols, const struct term_callbacks *cb) NODISCARD;
void term_free(struct term *t);
void term_feed(struct term *t, const char *data, size_t len);
/*
 * As tmux does: the alternate screen is cut or padded, the main screen is
 * reflowed (wrapped lines joined and split anew); rows pushed out go to line_out.
 */
void term_resize(struct term *t, int rows, int cols);

int term_rows(const struct term *t);
int term_cols(const struct term *t);
unsigned term_modes(const struct term *t); /* of enum term_mode */
void term_cursor(const struct term *t, int *row, int *col);

/* Text of one row of the visible screen, as capture-pane -p prints it: UTF-8,
 * trailing blanks removed.  Returns whether the row is wrapped into the next. */
bool term_row_text(const struct term *t, int row, struct buf *out);
/* The whole screen, rows separated (and ended) by \n. */
void term_text(const struct term *t, struct buf *out);
/* Hash of the text of the whole screen (not colours, not the cursor); rows that
 * did not change since the last call are not read again. */
uint64_t term_text_hash(struct term *t);
/* Did the program ever move the cursor other than forward (it paints), or only print?
 * Carriage return and backspace alone are printing: progress bars do that. */
bool term_is_painting(const struct term *t);

/*
 * Bytes that make another terminal of the same size (freshly reset) show this
 * screen: clear, rows with their attributes, cursor, modes, title.  term_leave undoes the
 * modes when a viewer leaves.
 */
void term_repaint(const struct term *t, struct buf *out);
void term_leave(const struct term *t, struct buf *out);

/* How many columns a character takes: 0, 1 or 2. */
int char_width(uint32_t cp);

/*
 * Removes from a stream, for viewers, what only the emulator may answer: the
 * queries above.  Keeps state across calls for sequences cut in two.
 *
 * With `guards` it also removes what reaches out of the window of a person's own terminal,
 * unless `passes` lets it: the clipboard, titles, notifications, any other OSC but colours and
 * links, the strings APC, PM and SOS, whatever tmux would pass on unseen, and characters that
 * cannot be seen: tags, and C1 controls, also as single bytes outside of UTF-8.
 */
enum term_passes { TERM_CLIPBOARD = 1, TERM_TITLE = 2, TERM_NOTIFY = 4 };
struct term_filter {
	int state;
	bool passing, dropping, open, orphan;
	size_t string_len;
	struct buf held;
	bool guards;
	unsigned passes; /* enum term_passes */
	struct buf cut;	 /* the beginning of a character that may be one to remove */
};
#define TERM_FILTER_INIT                                                       \
	{                                                                      \
		0, false, false, false, false, 0, BUF_INIT, false, 0, BUF_INIT \
	}
void term_filter(struct term_filter *f, const char *data, size_t len, struct buf *out);
void term_filter_release(struct term_filter *f);

#endif
