/*
 * desktop.h - the desktop as the rest of ralph sees it: a helper program that is run.
 *
 * ralph itself links no X.  Whatever is done to a display is done by ralph-desktop, which is
 * beside ralph where it was built, and in libexecdir where it was installed.  A build without
 * the X libraries has no helper; then nothing here is an error worse than "not available".
 *
 * For a loop:
 *
 *	desktop_ask(NULL, 2 * NSEC_PER_SEC, &there, NULL);      (before it starts: this waits)
 *	capable = desktop_capable(config.desktop_automation, &there);
 *	...
 *	if (capable)
 *		job = desktop_shot(ev, &shot, on_shot, ctx, &err);   (this does not)
 */
#ifndef DESKTOP_HELPER_H
#define DESKTOP_HELPER_H

#include "base/err.h"
#include "base/ev.h"
#include "base/process/job.h"

/* The helper's path; NULL + err (code ENXIO, and how to get it) when there is none. */
char *desktop_helper(struct err *err) NODISCARD;

/* The findings of `ralph-desktop check`. */
struct desktop_abilities {
	bool display;  /* it answers: screenshots, windows */
	bool manager;  /* a window manager: focus is certain */
	bool input;    /* XTEST: click, type */
	bool elements; /* AT-SPI: click by name */
};

/* Runs the helper's check, for at most `timeout` (ns).  When there is no display or no helper,
 * nothing is there, and err has the reason.  `helper` NULL: the usual one. */
void desktop_ask(
    const char *helper, int64_t timeout, struct desktop_abilities *there, struct err *err);
/* capabilities.desktop_automation: true only when it is wanted and a display answers. */
bool desktop_capable(bool wanted, const struct desktop_abilities *there);

struct desktop_shot {
	const char *dir;     /* made when it is not there; the project's ai/ralph/screenshots */
	const char *name;    /* a plain file name: "T001_complete.png" */
	const char *window;  /* NULL: the whole screen */
	const char *project; /* whose log gets the line; NULL: as the current directory says */
	int64_t timeout;     /* ns; after it the helper is gone and `done` says so */
	const char *helper;  /* NULL: the usual one */
};

/* Called once: `path` is the picture's, absolute if dir is; NULL + err when there is none. */
typedef void desktop_shot_fn(void *ctx, const char *path, const struct err *err);

struct desktop_shooting;
/* Takes a picture without waiting for it.  The strings are copied.  NULL + err when it could
 * not be begun; `done` is not called then. */
struct desktop_shooting *desktop_shot(struct ev *ev, const struct desktop_shot *shot,
    desktop_shot_fn *done, void *ctx, struct err *err) NODISCARD;

#endif
