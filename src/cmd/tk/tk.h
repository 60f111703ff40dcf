/*
 * tk.h - what the commands of `ralph tk` have in common.
 *
 * They speak as tk does, to the letter: results on stdout, "Error: ..." on stderr, exit code 1.
 */
#ifndef CMD_TK_TK_H
#define CMD_TK_TK_H

#include "base/json.h"
#include "base/text.h"
#include "work/tickets/backlog.h"

/* The members of a command about `n` tickets, whose operands are taken as tk takes them. */
#define TK_TICKETS(n) \
	.min_args = (n), .max_args = (n), .operand = "ticket", .dashes = true, .surplus = true

/* A backlog that is closed when its block is left. */
#define AUTO_BACKLOG __attribute__((cleanup(tk_close))) struct backlog
void tk_close(struct backlog **b);

/* The directory of the tickets from here, as backlog_find_dir finds it. */
char *tk_dir(struct err *err) NODISCARD;
/* The tickets from here; NULL when there are none or they cannot be read, which is said. */
struct backlog *tk_open(void);
/* Like tk_open, for a command that is about one ticket alone: when `partial` is a file's whole
 * name, no other file is read. */
struct backlog *tk_open_for(const char *partial);
/* Says what is odd about some files, on stderr; a few of them by name. */
void tk_warn(struct backlog *b);
/* Prints a line, as text_addf makes it (base/text.h). */
void tk_say(const char *fmt, ...) PRINTF(1, 2);
/* Says what is wrong; EX_FAILED. */
int tk_error(const char *fmt, ...) PRINTF(1, 2);
/* An ID without the blanks around it; the caller frees it. */
char *tk_trimmed(const char *partial) NODISCARD;
/* The ticket that is meant; NULL, and said (without a backlog, tk_open has said why). */
const struct ticket *tk_match(const struct backlog *b, const char *partial);

/* Appends the id as "%-8s" would, made safe to look at. */
void tk_add_id(struct buf *out, const char *id);
/* " <- [a, b]" is the list with its brackets, without the arrow. */
void tk_add_list(struct buf *out, char *const *list);
/* "ID [STATUS] TITLE", as trees and sections have it; also for an id that no file has. */
void tk_add_entry(struct buf *out, const struct backlog *b, const char *id);
/* All fields of the ticket, by the names they have in the file, and "title" and "file". */
json_t *tk_json(const struct ticket *t);
/* The ids that the ticket depends on and that are not closed; NULL: none.  The caller frees
 * them (strlist_free). */
char **tk_blockers(const struct backlog *b, const struct ticket *t) NODISCARD;

/* tree.c */
int tk_dep_tree(struct backlog *b, const char *partial, bool full);
int tk_dep_cycle(struct backlog *b);

#endif
