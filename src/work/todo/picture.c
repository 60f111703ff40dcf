#include "work/todo/picture.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "desktop/helper.h"
#include "work/todo/todo.h"
#include <ctype.h>

#define PICTURE_PATIENCE (3 * NSEC_PER_SEC)
#define DISPLAY_PATIENCE (2 * NSEC_PER_SEC)

/* ---- whether ---------------------------------------------------------------------------- */

static bool
picture_is_letter(char c)
{
	return isalnum((unsigned char)c) != 0 || ((unsigned char)c & 0x80) != 0;
}

/* A picture too many costs little, and only where pictures are wanted at all. */
static bool
is_about_seeing(const char *word, size_t len)
{
	static const char *const words[] = {"screen", "screens", "screenshot", "screenshots",
	    "window", "windows", "dialog", "dialogs", "dialogue", "popup", "popups", "modal",
	    "ui", "gui", "display", "displayed", "desktop", "button", "buttons", "see", "seen",
	    "look", "looks", "visible", "visual", "visually"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == len && strncasecmp(words[i], word, len) == 0)
			return true;
	return false;
}

bool
picture_is_asked(const char *question)
{
	for (const char *p = question; *p != '\0';) {
		size_t len = 0;

		while (picture_is_letter(p[len]))
			len++;
		if (is_about_seeing(p, len))
			return true;
		p += len == 0 ? 1 : len;
	}
	return false;
}

bool
picture_can(struct err *err)
{
	struct desktop_abilities there;

	desktop_ask(NULL, DISPLAY_PATIENCE, &there, err);
	return desktop_capable(true, &there);
}

/* ---- taking it -------------------------------------------------------------------------- */

struct taking {
	struct ev *ev;
	struct buf *path;
	struct err err;
	bool taken;
};

static void
picture_on_taken(void *ctx, const char *path, const struct err *err)
{
	struct taking *t = ctx;

	t->taken = path != NULL;
	t->err = *err;
	if (t->taken)
		buf_adds(t->path, path);
	ev_stop(t->ev);
}

static int
picture_take(const char *root, const char *name, struct buf *path, struct err *err)
{
	AUTO_FREE char *dir = xasprintf("%s/" TODO_DIR "/screenshots", root);
	struct taking t = {.ev = ev_new(), .path = path, .err = ERR_INIT};
	const struct desktop_shooting *shooting = desktop_shot(t.ev,
	    &(struct desktop_shot){
		.dir = dir, .name = name, .project = root, .timeout = PICTURE_PATIENCE},
	    picture_on_taken, &t, &t.err);

	if (shooting != NULL)
		ev_run(t.ev);
	ev_free(t.ev);
	if (!t.taken)
		*err = t.err;
	return t.taken ? 0 : -1;
}

int
picture_complete(const char *root, const char *task, struct buf *path, struct err *err)
{
	AUTO_FREE char *name = xasprintf("%s_complete.png", task);

	return picture_take(root, name, path, err);
}

int
picture_intervention(const char *root, int64_t wall, struct buf *path, struct err *err)
{
	AUTO_BUF name = BUF_INIT;

	buf_adds(&name, "intervention_");
	clock_fmt_stamp(wall, &name);
	buf_adds(&name, ".png");
	return picture_take(root, name.data, path, err);
}
