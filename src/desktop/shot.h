/*
 * shot.h - what is on the screen, as a picture.
 */
#ifndef DESKTOP_SHOT_H
#define DESKTOP_SHOT_H

#include "desktop/toplevel.h"

/* The whole screen; or, with a window, its inside as far as it is on the screen.  The window is
 * made the active one first, and if it was not, its program gets a moment to paint it. */
int shot_png(const struct display *d, const struct toplevel *w, struct buf *png,
    struct err *err) NODISCARD;

#endif
