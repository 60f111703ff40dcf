/*
 * list.h - which iterations of a loop have a recording.
 */
#ifndef CMD_LOOK_LIST_H
#define CMD_LOOK_LIST_H

#include "base/json.h"
#include "loops/loops.h"

/* Prints a table, which has nothing but its headings when there is no iteration, or an array of
 * objects. */
int list_print(
    const struct loop_view *v, bool json, struct buf *out, struct err *err) NODISCARD;

#endif
