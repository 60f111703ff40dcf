/*
 * pointer.h - the mouse.
 */
#ifndef DESKTOP_POINTER_H
#define DESKTOP_POINTER_H

#include "desktop/toplevel.h"

/* Is XTEST there, without which nothing can be clicked or typed? */
bool pointer_available(const struct display *d);

/* Clicks once or twice at a place of the screen.  With a window, the place must be the
 * window's: what covers it there would be clicked instead. */
int pointer_click(const struct display *d, const struct toplevel *w, int x, int y,
    unsigned button, unsigned times, struct err *err) NODISCARD;

#endif
