/*
 * element.h - a part of a window by its name: finding it, clicking it.
 *
 * Only elements that are shown count, and where several have the name, those that can be acted
 * on.  The name is taken as pick.h says.  A program that does not answer is left out; when
 * nothing is found without that program, the sentence names it.
 */
#ifndef DESKTOP_ELEMENT_H
#define DESKTOP_ELEMENT_H

#include "desktop/toplevel.h"

struct element_click {
	const char *name;
	const char *role;	       /* NULL: any */
	const struct toplevel *window; /* NULL: any */
	unsigned button, times;
};

/* A single click with the first button is asked of the program (it works behind other windows,
 * too); any other is made with the mouse, in the element's middle. */
int element_click(
    const struct display *d, const struct element_click *what, struct err *err) NODISCARD;

#endif
