/*
 * ticket_tk.h - how tk itself reads a file, for the tickets that we read otherwise.
 */
#ifndef TICKET_TICKET_TK_H
#define TICKET_TICKET_TK_H

#include "ticket/ticket.h"

/* Appends in a few words how tk would read these bytes otherwise than t says; nothing when tk
 * would not. */
void ticket_tk_compare(const char *data, size_t len, const struct ticket *t, struct buf *why);

#endif
