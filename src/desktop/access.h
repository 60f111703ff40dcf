/*
 * access.h - AT-SPI: what programs tell about the parts of their windows.
 *
 * By D-Bus alone: libatspi would bring GLib for a handful of calls, and its calls cannot all be
 * given a deadline.  Here each call has one, and a program that does not answer is marked and
 * left out.
 */
#ifndef DESKTOP_ACCESS_H
#define DESKTOP_ACCESS_H

#include "desktop/display.h"
#include <dbus/dbus.h>

struct access {
	DBusConnection *bus;
	int64_t deadline; /* boot time, ns */
};

/* One object of one program; the strings are owned. */
struct accessible {
	char *bus, *path;
};

struct accessibles {
	struct accessible *list;
	size_t n;
};

/* -1, code ENXIO: there is no such bus. */
int access_open(struct access *a, const struct display *d, struct err *err) NODISCARD;
void access_close(struct access *a);

void accessible_release(struct accessible *object);
void accessibles_release(struct accessibles *objects);

/* All of these return -1 + err when the program does not answer (code ETIMEDOUT), is gone, or
 * does not know the question. */
int access_programs(const struct access *a, struct accessibles *out, struct err *err) NODISCARD;
int access_pid(const struct access *a, const struct accessible *n, uint32_t *pid,
    struct err *err) NODISCARD;
int access_children(const struct access *a, const struct accessible *n, struct accessibles *out,
    struct err *err) NODISCARD;
int access_name(
    const struct access *a, const struct accessible *n, char **out, struct err *err) NODISCARD;
int access_role(
    const struct access *a, const struct accessible *n, char **out, struct err *err) NODISCARD;
int access_states(const struct access *a, const struct accessible *n, uint64_t *out,
    struct err *err) NODISCARD;
/* The place of the object on the screen: x, y, width, height. */
int access_extents(const struct access *a, const struct accessible *n, int32_t out[static 4],
    struct err *err) NODISCARD;
/* How many actions the object has; 0 also when it is nothing to act on. */
int access_actions(
    const struct access *a, const struct accessible *n, struct err *err) NODISCARD;
/* Carries out the action that stands for a click; waits for it until the deadline. */
int access_act(const struct access *a, const struct accessible *n, struct err *err) NODISCARD;

#define STATE_SENSITIVE (UINT64_C(1) << 24)
#define STATE_SHOWING (UINT64_C(1) << 25)

#endif
