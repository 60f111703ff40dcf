/*
 * ticket_tk.h - how tk itself reads a file, for the tickets where that is not how we do.
 */
#ifndef TICKET_TICKET_TK_H
#define TICKET_TICKET_TK_H

#include "ticket/ticket.h"

/* Appends in a few words what tk would make of these bytes otherwise than t says; nothing when
 * it would not. */
void ticket_tk_compare(const char *data, size_t len, const struct ticket *t, struct buf *why);

#endif
