/*
 * keyboard.h - keys for characters, and typing them.
 *
 * A character that the layout has is typed with its own key, with Shift where it needs that.
 * Others get one of the keycodes that no key has, for as long as they are needed; the keyboard
 * is left as it was found, also when we are told to end in the middle of a text.
 *
 * A program looks a key up when it reads the event, not when we press it.  So a borrowed
 * keycode gets a new meaning only after the program said that it has read all there is
 * (toplevel_ping).
 */
#ifndef DESKTOP_KEYBOARD_H
#define DESKTOP_KEYBOARD_H

#include "desktop/toplevel.h"

/* Types the text to the window that has the keyboard.  Nothing is typed when the window's
 * program hangs (code ETIMEDOUT). */
int keyboard_type(
    const struct display *d, const char *text, size_t len, struct err *err) NODISCARD;

#endif
