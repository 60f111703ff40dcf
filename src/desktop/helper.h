/*
 * helper.h - the desktop as the rest of ralph sees it: a helper program that is run.
 *
 * ralph itself links no X.  Whatever is done to a display is done by ralph-desktop, which is
 * beside ralph where it was built, and in libexecdir where it was installed.  A build without
 * the X libraries has no helper; then nothing here is an error worse than "not available".
 *
 * The functions here wait for the helper: a loop calls them before it starts, or in a step.
 */
#ifndef DESKTOP_HELPER_H
#define DESKTOP_HELPER_H

#include "base/buf.h"
#include "base/err.h"

/* The helper's path; NULL + err (code ENXIO, and how to get it) when there is none. */
char *desktop_helper(struct err *err) NODISCARD;

/* Does a display answer?  Runs the helper's check, for at most `timeout` (ns).  False + err:
 * no, or there is no helper.  `helper` NULL: the usual one. */
bool desktop_answers(const char *helper, int64_t timeout, struct err *err);

struct desktop_shot {
	const char *dir;     /* made when it is not there; the project's ai/ralph/screenshots */
	const char *name;    /* a plain file name: "T001_complete.png" */
	const char *project; /* the project whose log gets the line */
	int64_t timeout;     /* ns; after it the helper is gone */
	const char *helper;  /* NULL: the usual one */
};

/* Takes a picture of the screen; its path, absolute if dir is, is appended to `path`. */
int desktop_shot(const struct desktop_shot *shot, struct buf *path, struct err *err) NODISCARD;

#endif
