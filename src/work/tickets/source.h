/*
 * source.h - the backlog as a source of tasks.
 */
#ifndef WORK_TICKETS_SOURCE_H
#define WORK_TICKETS_SOURCE_H

#include "supervisor/source.h"

extern const struct source_ops source_tickets;

#endif
