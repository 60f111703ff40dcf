/*
 * internal.h - the parts of a terminal, shared by the files of this folder.
 *
 *   parser.c  bytes -> actions      print.c   characters -> cells
 *   esc.c     C0 and ESC            csi.c     control sequences
 *   sgr.c     colours               mode.c    modes and the alternate screen
 *   osc.c     titles, colour asks   grid.c    rows and cells
 *   cluster.c combining characters  resize.c  new sizes, reflow
 *   width.c   columns a char takes  rowtext.c rows as text
 *
 * A blank cell is all zeros, so that fresh memory is a blank screen and
 * clearing is memset.  Coordinates are zero-based; the cursor's column may be
 * equal to the number of columns: the next character wraps first.
 */
#ifndef TERM_INTERNAL_H
#define TERM_INTERNAL_H

#include "term/term.h"

enum {
	TERM_ROWS_MAX = 1000,
	TERM_COLS_MAX = 1000,
	PARAMS_MAX = 48, /* more of them: the sequence is ignored */
	PARAM_MAX = 0x7fffffff,
	PARAM_BYTES = 255,    /* of all parameters; more: the sequence is ignored */
	TITLE_MAX = 512,      /* bytes */
	TITLES_MAX = 4,	      /* CSI 22 t pushes */
	OSC_MAX = 4096,	      /* bytes of an OSC kept; longer ones are swallowed */
	STRING_MAX = 1 << 20, /* a string without an end stops swallowing here */
	CLUSTER_BYTES = 21,   /* UTF-8 bytes one cell can hold, as in tmux */
};

/* 26 bits: 0 the default, else kind and value. */
enum {
	COLOUR_PALETTE = 1 << 24,
	COLOUR_RGB = 2 << 24,
	COLOUR_MASK = (1 << 26) - 1,
};

struct style {
	uint32_t fg : 26;
	uint32_t underline : 3; /* 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed */
	uint32_t bold : 1;
	uint32_t dim : 1;
	uint32_t italic : 1;
	uint32_t bg : 26;
	uint32_t blink : 1;
	uint32_t reverse : 1;
	uint32_t hidden : 1;
	uint32_t strike : 1;
	uint32_t overline : 1;
	uint32_t drawing : 1; /* the character is of the DEC line drawing set */
	uint32_t ul : 26;     /* underline colour */
	uint32_t unused : 6;
};

/* Bits of cell.ch above the code point. */
enum {
	CH_WIDE = 1 << 24,    /* two columns; the next cell is its padding */
	CH_PADDING = 1 << 25, /* the second column of the wide character before it */
	CH_CLUSTER = 1 << 26, /* the low bits are a slot of the cluster table */
	CH_VALUE = (1 << 24) - 1,
};

struct cell {
	uint32_t ch; /* 0 is a blank never written */
	struct style style;
};
_Static_assert(sizeof(struct cell) == 16, "cells are compact");

enum {
	ROW_WRAPPED = 1 << 0, /* continues in the next row */
	ROW_WIDE = 1 << 1,    /* may hold wide characters */
	ROW_HASHED = 1 << 2,  /* `hash` is that of the text */
};

struct grid_row {
	struct cell *cells;
	uint64_t hash;
	uint16_t used;	 /* cells written since the row was emptied */
	uint16_t extent; /* cells that may be other than blank */
	uint8_t flags;
};

struct grid {
	struct grid_row *row; /* a ring that begins at `top` */
	struct cell *pool;
	int rows, cols;
	int stride; /* cells a row has room for: columns cut off by a resize are kept */
	int top;
};

/* Combining sequences, one slot a cell; slots no cell names are reused. */
struct cluster {
	uint8_t len; /* 0: free */
	char bytes[CLUSTER_BYTES];
};
struct clusters {
	struct cluster *slot;
	uint8_t *mark;
	uint32_t count, next;
	uint32_t wait; /* refusals left before looking for free slots again */
};

struct pen {
	struct style style;
	bool shifted;	 /* SO: G1 in use */
	bool drawing[2]; /* G0, G1 are the line drawing set */
};

struct cursor_save {
	struct pen pen;
	int row, col;
	bool origin;
};

struct param {
	int32_t value; /* -1 missing */
	bool sub;      /* joined to the one before by a colon */
};

enum parser_state {
	S_GROUND,
	S_ESC,
	S_ESC_MARK,
	S_CSI,
	S_CSI_PARAM,
	S_CSI_MARK,
	S_CSI_IGNORE,
	S_DCS,
	S_DCS_PARAM,
	S_DCS_MARK,
	S_DCS_IGNORE,
	S_DCS_DATA,
	S_DCS_ESC,
	S_OSC,
	S_STRING,
	S_COUNT,
};

enum parser_action {
	A_NONE,
	A_CONTROL,
	A_CLEAR, /* a new sequence begins */
	A_MARK,
	A_PARAM,
	A_ESC_DISPATCH,
	A_CSI_DISPATCH,
	A_OSC_PUT,
	A_OSC_END,
	A_OSC_BELL,
	A_UTF8,
	A_COUNT_BYTE,
	A_STRING_START,
};

struct parser_move {
	uint8_t action, next;
};

struct parser {
	uint8_t state;
	bool discard; /* too long: swallow it */
	bool bell_end;
	uint8_t nparams;
	uint16_t param_len;
	uint8_t nmarks;
	char marks[4]; /* private and intermediate bytes */
	struct param param[PARAMS_MAX];
	size_t string_len;
	struct buf osc;
	/* The character being assembled; survives escape sequences, as in tmux. */
	uint8_t utf8_need, utf8_have;
	char utf8[4];
};

struct term {
	struct term_callbacks cb;
	struct grid main, alt;
	struct grid *grid;
	/* Of the current grid; main may lag behind under the alternate screen. */
	int rows, cols;
	int cx, cy;
	int top, bottom; /* scroll region, inclusive */
	unsigned modes;
	struct pen pen;
	struct cursor_save saved;     /* DECSC */
	struct cursor_save under_alt; /* ?1049 */
	bool under_alt_set;
	bool painting;
	bool joiner;	  /* a zero width joiner waits for its character */
	bool keys_pushed; /* keyboard protocol asked of the viewers' terminals */
	uint32_t last;	  /* last printed ASCII character, for REP; 0 none */
	uint8_t *tabs;
	struct parser parser;
	struct clusters clusters;
	struct buf text; /* scratch for rows */
	char title[TITLE_MAX + 1];
	char titles[TITLES_MAX][TITLE_MAX + 1];
	int ntitles; /* pushes, also those too many to keep */
};

static inline int
lesser(int a, int b)
{
	return a < b ? a : b;
}

/* A mode that is one bit of term_modes and nothing more. */
struct mode {
	int number;
	bool private;
	bool inverse; /* our bit is set while the mode is reset */
	bool painted; /* a repaint and a leave switch it by its number */
	unsigned bit;
};
enum { MODE_BITS = 13 };

/* grid.c */
void grid_init(struct grid *g, int rows, int cols);
void grid_release(struct grid *g);
void grid_clear_cells(struct grid *g, int y, int x, int n, uint32_t bg);
void grid_clear_rows(struct grid *g, int y, int n, uint32_t bg);
void grid_move_rows(struct grid *g, int to, int from, int n, uint32_t bg);
void grid_move_cells(struct grid *g, int y, int to, int from, int n, uint32_t bg);
void grid_rotate(struct grid *g, int top, int bottom, uint32_t bg);

static inline struct grid_row *
grid_row(const struct grid *g, int y)
{
	int i = g->top + y;

	return &g->row[i < g->rows ? i : i - g->rows];
}

static inline int
cell_width(const struct cell *c)
{
	if (c->ch & CH_PADDING)
		return 0;
	return c->ch & CH_WIDE ? 2 : 1;
}

/* cluster.c */
void clusters_grow(struct clusters *c, int cells);
void clusters_release(struct clusters *c);
bool cluster_append(struct term *t, struct cell *cell, uint32_t cp);

/* rowtext.c */
size_t utf8_put(char *out, uint32_t cp);
void cell_text(const struct term *t, const struct cell *c, struct buf *out);
void grid_row_text(const struct term *t, const struct grid_row *row, int cols, struct buf *out);

/* print.c */
const char *print_ascii(struct term *t, const char *p, const char *end);
void print_utf8(struct term *t, uint8_t byte);

/* screen.c */
void screen_cursor(struct term *t, int row, int col);
void screen_line_feed(struct term *t, bool wrapped, uint32_t bg);
void screen_reverse_index(struct term *t);
void screen_scroll_up(struct term *t, int n);
void screen_scroll_down(struct term *t, int n);
void screen_insert_rows(struct term *t, int n);
void screen_delete_rows(struct term *t, int n);
void screen_insert_cells(struct term *t, int n, uint32_t bg);
void screen_delete_cells(struct term *t, int n);
void screen_erase_cells(struct term *t, int n);
void screen_erase_row(struct term *t, int how);
void screen_erase(struct term *t, int how);
void screen_region(struct term *t, int top, int bottom);
void screen_tabs_reset(struct term *t);
void screen_row_out(struct term *t, const struct grid_row *row, int cols);
void screen_reset(struct term *t);
void cursor_keep(const struct term *t, struct cursor_save *save);
void cursor_restore(struct term *t, const struct cursor_save *save);

/* resize.c */
void resize_grid(struct term *t, struct grid *g, int rows, int cols, bool reflow);

/* parser.c, esc.c, csi.c, sgr.c, mode.c, osc.c */
struct parser_move parser_move(uint8_t state, uint8_t byte);
int parser_param(const struct parser *p, int i, int min, int missing);
void esc_control(struct term *t, uint8_t byte);
void esc_dispatch(struct term *t, uint8_t final);
void csi_dispatch(struct term *t, uint8_t final);
void sgr_dispatch(struct term *t, int n);
void sgr_text(const struct style *s, struct buf *out);
extern const struct mode mode_bits[MODE_BITS];
bool mode_is_on(const struct term *t, const struct mode *m);
void mode_set(struct term *t, int number, bool private, bool on);
int mode_report(const struct term *t, int number, bool private);
void osc_dispatch(struct term *t);
void title_push(struct term *t);
void title_pop(struct term *t);
void term_reply(struct term *t, const char *fmt, ...) PRINTF(2, 3);

#endif
