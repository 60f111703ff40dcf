/*
 * writing.h - functions that both changing and making a ticket need.
 */
#ifndef TICKET_WRITING_H
#define TICKET_WRITING_H

#include "base/buf.h"
#include "base/err.h"

/* The name of a ticket's file; code ENOENT: no ticket can have that name. */
int ticket_file(const char *name, struct buf *out, struct err *err) NODISCARD;
/* Now, as tk writes it: 2026-11-15T20:39:18Z */
void tickets_now(struct buf *out);
/* Has the text no line ends or other control characters?  With those it would be more than one
 * field. */
bool is_one_line(const char *s);
/* Appends an item to a list that begins with '[', quoted when it has to be. */
void list_add_item(struct buf *out, const char *item);

#endif
